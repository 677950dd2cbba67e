import { checkArgument, having } from '../options.ts';
import { headerOfLastTable } from './columns.ts';
import type { FoundSecret } from './find.ts';
import type { SecretRedactor } from './redactor.ts';

/**
 * A transform that redacts secrets in a streamed text, wherever the chunks are cut. It holds back the latest 2,000
 * characters, and a secret until it is complete. A secret that only its name reveals is also redacted where it occurs
 * without the name: behind it, and in those 2,000 characters in front of it.
 *
 * @throws HooksError `CONFIG_INVALID` if `redactor` is none
 * @example
 * ```ts
 * const clean = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(secretStream(createSecretRedactor()));
 * ```
 */
export function secretStream(redactor: SecretRedactor): TransformStream<string, string> {
  const check = having('a redactor, such as createSecretRedactor()', 'find', 'placeholder');
  checkArgument('secretStream', 'redactor', redactor, check);
  // The text released so far, kept as context: whether a word begins here, and the name before a value.
  let behind = '';
  let held = '';
  const find = (
    text: string,
    final: boolean,
  ): { readonly secrets: readonly FoundSecret[]; readonly cut: number } => {
    const secrets = redactor
      .find(text)
      .filter(({ end }) => end > behind.length)
      // What has been released before it turned out to be a part of a secret is lost.
      .map((secret) => ({ ...secret, start: Math.max(secret.start, behind.length) }));
    return { secrets, cut: final ? text.length : safeCut(text, behind.length, secrets) };
  };
  const release = (final: boolean): string => {
    const text = behind + held;
    const first = find(text, final);
    // Also those that are held back, if they are complete: what is released now may have one without its name.
    const isNew = first.secrets.filter(({ end }) => final || end < text.length);
    for (const { rule, start, end, value = text.slice(start, end) } of isNew)
      redactor.placeholder(value, rule);
    // A secret that is new here may occur in the same text without its name.
    const { secrets, cut } = isNew.length > 0 ? find(text, final) : first;
    let output = '';
    let at = behind.length;
    for (const { rule, start, end, value = text.slice(start, end) } of secrets) {
      if (end > cut) break;
      output += text.slice(at, start) + redactor.placeholder(value, rule);
      at = end;
    }
    output += text.slice(at, cut);
    behind = contextOf(text.slice(0, cut));
    held = text.slice(cut);
    return output;
  };
  return new TransformStream({
    transform(chunk, controller) {
      held += chunk;
      if (held.length < HELD * 2) return;
      const output = release(false);
      if (output !== '') controller.enqueue(output);
    },
    flush(controller) {
      if (held !== '') controller.enqueue(release(true));
    },
  });
}

/** The longest context that a rule needs, without the secret itself. */
const HELD = 2000;
/** The longest name before a value, and the longest part of a token before its keyword. */
const CONTEXT = 400;
/** A run without spaces can be one token. No rule knows a longer one. */
const LONGEST_RUN = 8192;

/** What a rule needs to know of the text before. */
function contextOf(text: string): string {
  const from = Math.max(0, text.length - CONTEXT);
  const header = headerOfLastTable(text);
  if (header === undefined || header.start >= from) return text.slice(from);
  // Only whole rows follow the names of the columns.
  return `${header.text}\n${text.slice(text.lastIndexOf('\n', Math.max(from, header.start + header.text.length)) + 1)}`;
}

/** The position up to which the text can be released: not within a secret or a run that may become one. */
function safeCut(text: string, from: number, secrets: readonly { start: number; end: number }[]): number {
  let cut = Math.max(from, text.length - HELD);
  const lowest = Math.max(from, cut - LONGEST_RUN);
  let run = cut;
  while (run > lowest && !/\s/.test(text.charAt(run - 1))) run--;
  if (run > lowest || run === from) cut = run;
  for (const { start, end } of secrets) if (start < cut && end > cut) return start;
  return cut;
}
