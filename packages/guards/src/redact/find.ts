import { checkOptions } from '../options.ts';
import { kindOfNamed, namedSecrets } from './assignment.ts';
import { secretsInColumns } from './columns.ts';
import { dumpsIn } from './dump.ts';
import { isIgnored } from './ignore.ts';
import { escapedFieldsIn, jsonStringsIn } from './json-strings.ts';
import { ownPlaceholders } from './own-placeholder.ts';
import { inOrder, type Part, placeIn } from './part.ts';
import { isPlaceholder, isSample, madeIn } from './placeholder.ts';
import { looksRandom } from './randomness.ts';
import { FIND, type FindSecretsOptions, type SecretRule } from './rule.ts';
import { RULES } from './rules/index.ts';
import { HOLE, lookThrough, withoutHoles } from './template.ts';
import { visibleText } from './visible.ts';

/** A secret in a text: its rule and position (`text.slice(start, end)`). */
export interface FoundSecret {
  /** Id of the rule that found it. */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  /** The secret, where the text writes it with escapes, entities or colors, so that it is not `text.slice(start, end)`. */
  readonly value?: string;
}

/**
 * Finds secrets, in order and without overlaps: those with a known form, and values with a name like `api_key`, which may
 * be the name of a column. Looks through colors of a terminal, and into dumps of bytes and strings of JSON. Runs in linear
 * time. No text makes it throw.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid
 */
export function findSecrets(text: string, options: FindSecretsOptions = {}): readonly FoundSecret[] {
  options = checkOptions('findSecrets', options, FIND);
  return secretsOf(text, options);
}

/** Finds secrets by options that were checked. */
export function secretsOf(text: string, options: FindSecretsOptions): readonly FoundSecret[] {
  const found = merge(secretsWithin(withoutHoles(text), options, DEEPEST));
  const { ignore } = options;
  return ignore === undefined
    ? found
    : found.filter(({ start, end, value = text.slice(start, end) }) => !isIgnored(value, ignore));
}

/** JSON in JSON in JSON. */
const DEEPEST = 3;

/** The secrets in a text, in what a person sees of it, and in what its parts say. */
function secretsWithin(text: string, options: FindSecretsOptions, deeper: number): FoundSecret[] {
  const found = secretsIn(text, options);
  const within = (part: Part, secrets: readonly FoundSecret[]): void => {
    for (const secret of secrets) found.push({ rule: secret.rule, ...placeIn(text, part, secret) });
  };
  for (const view of lookThrough(text)) {
    for (const { rule, start, end } of secretsIn(view.text, options)) {
      const parts = view.partsOf(start, end);
      // A secret without a template in it has been judged as a whole.
      const isWhole = !view.text.slice(start, end).includes(HOLE);
      for (const part of isWhole ? parts : parts.flatMap(madeIn))
        found.push({ rule, start: part.start, end: part.start + part.text.length });
    }
  }
  for (const { name, value, start, end } of escapedFieldsIn(text)) {
    const kind = kindOfNamed(name, value, options);
    if (kind !== undefined) found.push({ rule: kind, start, end, value });
  }
  for (const dump of dumpsIn(text)) within(dump, secretsIn(dump.text, options));
  if (deeper > 0) {
    const visible = visibleText(text);
    if (visible !== undefined) within(visible, secretsWithin(visible.text, options, deeper - 1));
    const strings = jsonStringsIn(text);
    if (strings !== undefined) within(strings, secretsWithin(strings.text, options, deeper - 1));
  }
  return found;
}

function secretsIn(text: string, options: FindSecretsOptions): FoundSecret[] {
  const found = formedSecrets(text, options);
  for (const named of [namedSecrets(text, options), secretsInColumns(text, options)])
    for (const { id, start, end } of named) found.push({ rule: id, start, end });
  return found.filter((one) => !isWithinPlaceholder(text, one));
}

/** A placeholder of a redacted secret is not a secret, nor is a part of it. */
function isWithinPlaceholder(text: string, { start, end }: FoundSecret): boolean {
  const from = Math.max(0, start - LONGEST_PLACEHOLDER);
  return ownPlaceholders(text.slice(from, end + LONGEST_PLACEHOLDER)).some(
    ({ 0: placeholder, index }) => from + index <= start && from + index + placeholder.length >= end,
  );
}

const LONGEST_PLACEHOLDER = 90;

function formedSecrets(text: string, options: FindSecretsOptions): FoundSecret[] {
  const all: FoundSecret[] = [];
  ANY_KEYWORD.lastIndex = 0;
  for (let hit = ANY_KEYWORD.exec(text); hit !== null; hit = ANY_KEYWORD.exec(text)) {
    let next = hit.index + 1;
    for (const rule of RULES_OF.get(hit[0]) ?? []) {
      const found = tryRule(rule, text, hit.index, options);
      if (found === undefined) continue;
      all.push(found);
      next = Math.max(next, found.end);
    }
    ANY_KEYWORD.lastIndex = next;
  }
  return all;
}

function tryRule(
  rule: SecretRule,
  text: string,
  index: number,
  { ignoreSamples = false }: FindSecretsOptions,
): FoundSecret | undefined {
  if (!rule.within && !startsFresh(text, index)) return undefined;
  rule.pattern.lastIndex = index;
  const match = rule.pattern.exec(text);
  if (match === null) return undefined;
  const before = match.groups?.['before'];
  const secret = before === undefined ? (match[1] ?? match[0]) : before + match[0];
  const parts = secret.split(HOLE);
  if (parts.length === 1 && (isPlaceholder(secret) || (ignoreSamples && isSample(secret)))) return undefined;
  if (rule.random && parts.length === 1 && !looksRandom(secret)) return undefined;
  const end =
    before === undefined ? index + match[0].lastIndexOf(secret) + secret.length : index + match[0].length;
  return { rule: rule.id, start: end - secret.length, end };
}

/**
 * A token does not begin inside a word. A literal `%3D` or `\n` before it is not a word, nor is a mask or a `%(name)s`.
 */
function startsFresh(text: string, index: number): boolean {
  if (!/[A-Za-z0-9]/.test(text.charAt(index - 1)) || !/[A-Za-z0-9]/.test(text.charAt(index))) return true;
  return /%[\dA-Fa-f]{2}$|\\[nrt]$|x{6}$|X{6}$|\)s$/.test(text.slice(Math.max(0, index - 6), index));
}

/** Sorts matches, and merges those that overlap. */
export function merge(found: FoundSecret[]): readonly FoundSecret[] {
  found.sort(inOrder);
  const merged: FoundSecret[] = [];
  for (const next of found) {
    const last = merged.at(-1);
    if (last === undefined || next.start >= last.end) merged.push(next);
    else if (next.end > last.end)
      merged[merged.length - 1] = { rule: last.rule, start: last.start, end: next.end };
  }
  return merged;
}

/** For each keyword, its rules and those of its prefixes, in the order of the rules: `sk-proj-…` is also tried as `sk-…`. */
const RULES_OF: ReadonlyMap<string, readonly SecretRule[]> = (() => {
  const own = new Map<string, SecretRule[]>();
  for (const rule of RULES)
    for (const keyword of rule.keywords) own.set(keyword, [...(own.get(keyword) ?? []), rule]);
  const place = new Map(RULES.map((rule, at) => [rule, at]));
  const placeOf = (rule: SecretRule): number => place.get(rule) ?? 0;
  const ofPrefixes = (keyword: string): readonly SecretRule[] => {
    const rules = new Set<SecretRule>();
    for (let end = 1; end <= keyword.length; end++)
      for (const rule of own.get(keyword.slice(0, end)) ?? []) rules.add(rule);
    return [...rules].sort((a, b) => placeOf(a) - placeOf(b));
  };
  return new Map([...own.keys()].map((keyword) => [keyword, ofPrefixes(keyword)]));
})();

/**
 * Finds the candidate positions of all rules in one pass: less than half the time of an Aho-Corasick automaton in
 * JavaScript, as measured. Longest first, because the first alternative wins.
 */
const ANY_KEYWORD = new RegExp(
  [...RULES_OF.keys()]
    .sort((a, b) => b.length - a.length)
    .map((keyword) => keyword.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|'),
  'g',
);
