import { anyOf, type Check, expression, listOf, text } from '../options.ts';

/** Texts that are no secret and no personal data, whatever they look like: as they are, or where a pattern matches. */
export type Ignored = readonly (string | RegExp)[];

/** The check of an option with {@link Ignored}. */
export const ignored: Check = listOf(
  anyOf('a text or a regular expression', text, expression),
  "texts and regular expressions, such as ['support@example.com']",
);

/** Whether a text is to be left as it is. A pattern has to match the whole of it. */
export function isIgnored(text: string, ignore: Ignored = []): boolean {
  return ignore.some((one) => {
    if (typeof one === 'string') return one === text;
    const { source, flags } = one;
    // With the flag `m`, `^` and `$` would be those of a line.
    return new RegExp(`(?<![^])(?:${source})(?![^])`, flags.replace(/[gy]/g, '')).test(text);
  });
}
