/**
 * Why a text that an operator gave as a path is none, in words that follow "needs"; undefined if it may be one. Node takes a URL, `~` or
 * `$NAME` for a name, and makes a file or folder of it in the working folder, which no other process shares. The words do not repeat
 * the text, which may hold a password.
 */
export function whyNoPath(path: string): string | undefined {
  if (path.trim() !== path) return 'a path without blanks around it.';
  if (SCHEME.test(path))
    return 'a path, not a URL or a drive of Windows; for a file: URL, use fileURLToPath(url). Where it is the name of a file, begin with `./`.';
  if (UNEXPANDED.test(path))
    return 'a path without `~` and variables, which only a shell replaces; use homedir() of node:os and process.env. Where it is the name of a file, begin with `./`.';
  return undefined;
}

/** How a URL begins, with or without slashes. On Windows a single letter is a drive, elsewhere it is no part of a path. */
const SCHEME =
  process.platform === 'win32' ? /^(?:[a-z][a-z\d+.-]+|:memory):/i : /^(?:[a-z][a-z\d+.-]*|:memory):/i;

/** How a home folder or a variable begins a path: `~`, `~ann`, `$NAME`, `${NAME}`, `%NAME%`. */
const UNEXPANDED = /^(?:~|\$[\w{(]|%\w+%)/;
