import { normalize, resolve } from 'node:path';
import { visible } from '@hooks/config/protocol';
import type { Program } from './program.ts';

/** Cuts the words of a command line that may hold a password out of a text that repeats them. */
export function withoutAddresses(
  text: string,
  args: readonly string[],
  { env, cwd }: Pick<Program, 'env' | 'cwd'>,
): string {
  const { HOOKS_STORE = '' } = env;
  return [...args, HOOKS_STORE]
    .map((arg) => arg.replace(/^--?[\w-]+=/, ''))
    .flatMap((word) => [word, env[/^\$(\w+)$/.exec(word)?.[1] ?? ''] ?? ''])
    .filter((word) => !isPlain(word))
    .flatMap((word) => [word, visible(word)])
    .flatMap((word) => spellings(word, cwd()).map((spelling) => ({ spelling, scheme: schemeOf(word) })))
    .sort((a, b) => b.spelling.length - a.spelling.length)
    .reduce((rest, { spelling, scheme }) => rest.replaceAll(spelling, () => `${scheme}…`), text);
}

/**
 * Whether a word is a path, a name, a number or a time. Everything else may be an address, or a part of one: which forms
 * have a password is for each database and shell to say.
 */
function isPlain(word: string): boolean {
  return /^(?:[a-z]:(?=[\\/]))?(?:[\p{L}\p{N}\p{M}_.,~+$()[\]{}*'"&!%^\\/ -]|(?<![^\\/])@)*$|^\d[\d:.TZ+-]*$/iu.test(
    word,
  );
}

/** How an error may repeat a word: as it is, as a path, and in quotes. */
function spellings(word: string, cwd: string): readonly string[] {
  return [word, word.trim(), normalize(word), resolve(cwd, word), JSON.stringify(word).slice(1, -1)].filter(
    ({ length }) => length > 3,
  );
}

/** The scheme of an address, which says what was given. */
function schemeOf(word: string): string {
  return /^\s*([a-z][a-z\d+.-]+:)\//i.exec(word)?.[1] ?? '';
}
