import { sensitiveKind } from '../paths/check.ts';
import { normalizePath } from '../paths/normalize.ts';
import { UNKNOWN } from './marks.ts';
import { paired } from './words.ts';

/** Where a search starts and the name it looks for: `~/*.pem`. */
export function found(args: readonly string[]): string {
  const { roots, tests } = searchOf(args);
  const names = tests.filter((_, i) => /^-i?(?:name|path|wholename)$/.test(tests[i - 1] ?? ''));
  const { narrow, reached } = readFind(tests);
  const all =
    !narrow && (reached.size > 0 || !tests.some((test) => /^-(?:print|exec|ok|ls|delete)/.test(test)));
  // Where a search begins may be a file.
  const nameless = narrow ? [UNKNOWN] : [''];
  const below = all ? ['*'] : names.length > 0 ? names : nameless;
  if (roots.length * below.length > MAX_FOUND) return paired(roots, below, '/').join('\n');
  return roots
    .flatMap((root) => {
      if (sensitiveKind(normalizePath(root))) return root;
      return below.map((name) =>
        HOMES.test(root) && name !== '*' ? `${root}/${UNKNOWN}/${name}` : `${root}/${name}`,
      );
    })
    .join('\n');
}

/** Each name is looked for in each folder, but for long lists. */
const MAX_FOUND = 256;

/** A file is found in one of these homes, not beside them. */
const HOMES = /^\/(?:home|Users)$/;

export function searchOf(args: readonly string[]): { roots: readonly string[]; tests: readonly string[] } {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPEXdsx]$/.test(arg));
  const roots = (first === -1 ? args : args.slice(0, first)).filter((arg) => !arg.startsWith('-'));
  return { roots: roots.length > 0 ? roots : ['.'], tests: first === -1 ? [] : args.slice(first) };
}

/** What an expression of `find` picks. */
interface FindExpression {
  /** It picks some files out of all. */
  readonly narrow: boolean;
  /** Actions (`-delete`, `-exec`) that more or less every file reaches, by their place among the words. */
  readonly reached: ReadonlySet<number>;
}

/**
 * Reads the tests and actions of `find`, with `-o`, `!` and parentheses, as `find` does: in `-name '*.o' -o -delete` the
 * name does not narrow what is deleted.
 */
export function readFind(words: readonly string[]): FindExpression {
  const reached = new Set<number>();
  let i = 0;

  function anyOf(guarded: boolean): boolean {
    let narrow = allOf(guarded);
    while (OR.has(words[i] ?? '')) {
      i++;
      narrow = allOf(guarded) && narrow;
    }
    return narrow;
  }

  function allOf(guarded: boolean): boolean {
    let narrow = false;
    while (i < words.length && words[i] !== ')' && !OR.has(words[i] ?? '')) {
      narrow = one(guarded || narrow) || narrow;
    }
    return narrow;
  }

  function one(guarded: boolean): boolean {
    const at = i++;
    const word = words[at] ?? '';
    if (word === '!' || word === '-not') {
      one(guarded);
      return false;
    }
    if (word === '(') {
      const narrow = anyOf(guarded);
      i++;
      return narrow;
    }
    const value = words[i] ?? '';
    if (ACTIONS.test(word)) {
      if (!guarded) reached.add(at);
      if (/^-(?:exec|ok)/.test(word)) while (i < words.length && !ENDS.has(words[i++] ?? '')) {}
      return false;
    }
    if (VALUED.has(word)) i++;
    // Links, sockets and pipes are some of all files; plain files and folders are all of them.
    if (word === '-type' || word === '-xtype') return /^[lspbc]$/.test(value);
    return FILTERS.has(word) && !/^(?:\.?\*|\.\*\/?\.\*)$/.test(value);
  }

  return { narrow: anyOf(false), reached };
}

const OR: ReadonlySet<string> = new Set(['-o', '-or', ',']);
const ENDS: ReadonlySet<string> = new Set([';', '+']);
const ACTIONS = /^-(?:delete|(?:exec|ok)(?:dir)?|f?print(?:0|f)?|f?ls|quit)$/;

/** Tests with a value that pick some files out of all. */
const PICKING =
  'name iname path ipath wholename iwholename regex iregex mtime mmin atime amin ctime cmin newer newermt newerct size perm user group uid gid inum links lname samefile';
const FILTERS = tests(`${PICKING} empty nouser nogroup false`);
const VALUED = tests(`${PICKING} type xtype maxdepth mindepth fstype regextype used context`);

function tests(names: string): ReadonlySet<string> {
  return new Set(names.split(' ').map((name) => `-${name}`));
}
