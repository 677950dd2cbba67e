/** The words of a name: `mcp__mail__sendEmail` has `send` and `email`. */
export function wordsOf(name: string): readonly string[] {
  const own = name.replace(/^.*(?:__|[:./])/s, '');
  return (
    own
      .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
      // `HTTPHeaders`, but `userIDs`.
      .replace(/([A-Z])(?=[A-Z][a-z]{2})/g, '$1 ')
      .toLowerCase()
      .split(/[^\p{L}\d]+/u)
      .filter((word) => word !== '')
  );
}

/** Words in the names of arguments that hold secrets: no question shows their values, and a request sends them. */
export const SECRETS: ReadonlySet<string> = new Set(
  'password passwd passphrase pwd secret secrets token tokens pin otp credential credentials key apikey'.split(
    ' ',
  ),
);
