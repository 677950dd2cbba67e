/** Texts that are no secret and no personal data, whatever they look like: as they are, or where a pattern matches. */
export type Ignored = readonly (string | RegExp)[];

/** Whether a text is to be left as it is. A pattern has to match the whole of it. */
export function isIgnored(text: string, ignore: Ignored = []): boolean {
  return ignore.some((one) => {
    if (typeof one === 'string') return one === text;
    const { source, flags } = one;
    // With the flag `m`, `^` and `$` would be those of a line.
    return new RegExp(`(?<![^])(?:${source})(?![^])`, flags.replace(/[gy]/g, '')).test(text);
  });
}
