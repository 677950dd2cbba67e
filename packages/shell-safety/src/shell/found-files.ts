import { sensitiveKind } from '../paths/check.ts';
import { normalizePath } from '../paths/normalize.ts';
import { readFind } from './find-expression.ts';
import { UNKNOWN } from './marks.ts';

/** Where a search starts and the name it looks for: `~/*.pem`. */
export function found(args: readonly string[]): string {
  const { roots, tests } = searchOf(args);
  const names = tests.filter((_, i) => /^-i?(?:name|path|wholename)$/.test(tests[i - 1] ?? ''));
  const { narrow, reached } = readFind(tests);
  const last = !narrow && (reached.size > 0 || !tests.some(isOutput)) ? ['*'] : names;
  // Where a search begins may be a file.
  const below = narrow && names.length === 0 ? [UNKNOWN] : last.length > 0 ? last : [''];
  return roots
    .flatMap((root) =>
      sensitiveKind(normalizePath(root)) === undefined
        ? below.map((name) => `${HOMES.test(root) && name !== '*' ? `${root}/${UNKNOWN}` : root}/${name}`)
        : root,
    )
    .join('\n');
}

/** A file is found in one of these homes, not beside them. */
const HOMES = /^\/(?:home|Users)$/;

/** The folders that `find` is to search, and the expression behind them. */
export function searchOf(args: readonly string[]): { roots: readonly string[]; tests: readonly string[] } {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPEXdsx]$/.test(arg));
  const roots = (first === -1 ? args : args.slice(0, first)).filter((arg) => !arg.startsWith('-'));
  return { roots: roots.length > 0 ? roots : ['.'], tests: first === -1 ? [] : args.slice(first) };
}

function isOutput(arg: string): boolean {
  return /^-(?:print|exec|ok|ls|delete)/.test(arg);
}
