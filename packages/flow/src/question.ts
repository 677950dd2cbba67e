import type { Memory } from './memory.ts';
import { MOST_VALUES } from './sinks.ts';
import type { Value } from './values/value.ts';
import { SECRETS, wordsOf } from './words.ts';

/** Why a call may not run unasked. */
export type Doubt =
  | { readonly kind: 'value'; readonly argument: string; readonly value: Value; readonly isSent?: boolean }
  /** Each of the values beside a link is the user's, or one of a few. Together they may be a message. */
  | { readonly kind: 'message' }
  | { readonly kind: 'many'; readonly argument: string }
  /** The agent has read what others wrote, or nobody knows what: no prompt was seen here. */
  | { readonly kind: 'choice'; readonly origin: string | undefined };

/** What a person reads, or the model where nobody is asked. One sentence for each doubt. */
export function describe(toolName: string, doubts: readonly Doubt[], memory: Memory): string {
  const shown = doubts.slice(0, MOST_SHOWN).map((doubt) => sentence(toolName, doubt, memory));
  const more = doubts.length - shown.length;
  const full = memory.isFull
    ? ['The agent has written too much for its own words to be told from what sources returned since.']
    : [];
  return [...shown, ...(more > 0 ? [`And ${more} more.`] : []), ...full].join(' ');
}

/** How many doubts a question shows. A yes endorses no others. */
export const MOST_SHOWN = 5;

function sentence(toolName: string, doubt: Doubt, memory: Memory): string {
  const name = visibleName(toolName);
  if (doubt.kind === 'choice')
    return doubt.origin === undefined
      ? `${name} runs where no prompt of the user was seen, so nobody knows what the agent has read.`
      : `${name} runs after the agent has read what others wrote, first in ${inOneLine(doubt.origin, LONGEST_ORIGIN)}.`;
  if (doubt.kind === 'message')
    return `${name} sends many values beside a link. What is chosen among them may be a message.`;
  const { argument } = doubt;
  const where = argument === '' ? name : `${name}.${visibleName(argument)}`;
  if (doubt.kind === 'many')
    return `${where} has too many values to look for each in your words: a call may have ${MOST_VALUES}.`;
  const { value, isSent = false } = doubt;
  const isSecret = wordsOf(argument).some((word) => SECRETS.has(word));
  const seen = memory.firstSeen(value) ?? (isSent ? memory.origin(value) : undefined);
  const origin =
    seen === undefined
      ? 'in nothing that the agent has read'
      : `first seen in ${inOneLine(seen, LONGEST_ORIGIN)}`;
  const near = isSecret ? undefined : nearest(value, memory);
  const text = isSecret ? `(a secret of ${value.text.length} characters)` : quoted(value.text);
  const instead = near === undefined ? '' : ` Your words have ${quoted(near)}.`;
  return `${where} ${text}: ${origin}, ${isSent ? 'not in your words, and it is sent with a link' : 'not in your words nor in a trusted source'}.${instead}${isSecret ? '' : alphabets(value.text)}`;
}

/** A call as a question names it: `read_file("bill.txt")`. */
export function callName(toolName: string, input: unknown): string {
  const leaves = typeof input === 'object' && input !== null ? Object.values(input) : [input];
  const shown = leaves
    .filter((leaf) => typeof leaf === 'string' || typeof leaf === 'number')
    .slice(0, 2)
    .map((leaf) => (typeof leaf === 'string' ? quoted(leaf, 40) : String(leaf)));
  return `${visibleName(toolName)}(${shown.join(', ')})`;
}

/** What the user's words have of the same kind. */
function nearest({ kind }: Value, memory: Memory): string | undefined {
  for (const { read } of memory.words.toReversed()) {
    const found = read.typed.find((one) => one.kind === kind);
    if (found) return read.text.slice(found.start, found.end);
  }
  return undefined;
}

/** Tells of letters that look like those of another alphabet. */
function alphabets(text: string): string {
  if (!/\p{Script=Latin}/u.test(text)) return '';
  const others = [
    ...new Set(
      text.match(/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu) ?? [],
    ),
  ];
  if (others.length === 0) return '';
  const named = others.slice(0, 5).map((letter) => `"${letter}" (U+${code(letter)})`);
  return ` It mixes alphabets: ${named.join(', ')} ${others.length === 1 ? 'is' : 'are'} not Latin.`;
}

/** The name of a tool or an argument. Some are whatever a model or a server writes. */
export function visibleName(name: string): string {
  return /^[\p{L}\p{M}\p{N}_$.:/-]{1,80}$/u.test(name) ? name : quoted(name);
}

/** A text that others may have written, as a question shows it: in one line, without what would end the quotation. */
export function quoted(text: string, most = 80): string {
  // A backslash is written twice only where it would hide where the quotation ends.
  return `"${inOneLine(text, most).replace(/(\\*)("|$)/g, (_, before: string, mark: string) => before + before + (mark && '\\"'))}"`;
}

const LONGEST_ORIGIN = 300;

/** A text in one line, shortened, with what cannot be seen written out. */
function inOneLine(text: string, most: number): string {
  // Of a long text, no more is shown.
  const letters = [...(text.length > 1_000 ? text.slice(0, 500) + text.slice(-500) : text)];
  const short = letters.length > most ? [...letters.slice(0, most - 9), '…', ...letters.slice(-8)] : letters;
  return short
    .join('')
    .replace(
      /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\ufdd0]|[^\S ]/gu,
      (character) => `\\u{${code(character)}}`,
    );
}

function code(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
