import type { SecretRedactor } from './redactor.ts';

/**
 * A transform that redacts secrets in a streamed text, wherever the chunks are cut. It holds back the latest 2,000
 * characters, and a secret until it is complete.
 *
 * @example
 * ```ts
 * const clean = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(secretStream(createSecretRedactor()));
 * ```
 */
export function secretStream(redactor: SecretRedactor): TransformStream<string, string> {
  // The text released so far, kept as context: whether a word begins here, and the name before a value.
  let behind = '';
  let held = '';
  const release = (final: boolean): string => {
    const text = behind + held;
    const secrets = redactor.find(text).filter(({ start }) => start >= behind.length);
    const cut = final ? text.length : safeCut(text, behind.length, secrets);
    let output = '';
    let at = behind.length;
    for (const { rule, start, end } of secrets) {
      if (end > cut) break;
      output += text.slice(at, start) + redactor.placeholder(text.slice(start, end), rule);
      at = end;
    }
    output += text.slice(at, cut);
    behind = text.slice(Math.max(0, cut - CONTEXT), cut);
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
