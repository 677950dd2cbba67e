/** How a URL begins, with or without slashes. On Windows a single letter is a drive, elsewhere it is no part of a path. */
const SCHEME = process.platform === 'win32' ? /^[a-z][a-z\d+.-]+:/i : /^[a-z][a-z\d+.-]*:/i;

/**
 * Why a text is no path of a local file or folder, as the object of "needs"; undefined if it is one. Each of these would make a file
 * or folder of that name in the working folder, which another process does not share. It may hold a password, so it is not shown.
 */
export function pathProblem(text: string): string | undefined {
  if (text.trim() !== text) return 'a path without blanks around it';
  if (SCHEME.test(text) || /^:memory:/i.test(text))
    return 'a path, not a URL; for a file: URL, use fileURLToPath(url). Where it is the name of a file, begin with `./`';
  if (/^~(?:[\\/]|$)/.test(text)) return 'a path without `~`; use homedir() of node:os';
  return undefined;
}
