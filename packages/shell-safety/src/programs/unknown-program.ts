import { is, programOf } from './index.ts';

/**
 * The program that a program of which nothing is known may start: what follows `--`, or its first argument that names a
 * program which can do harm (`mywrapper --fast rm -rf /`).
 */
export function startedBy(name: string, args: readonly string[]): readonly string[] | undefined {
  if (args.length < 2 || name === '' || takesFiles(name) || programOf(name)?.namesPrograms) return undefined;
  const dashes = args.indexOf('--');
  const from = args.findIndex((arg, i) => (i < dashes ? false : isHarmful(arg)) && i < args.length - 1);
  return from === -1 ? undefined : args.slice(from);
}

/** What a program of which nothing is known is told to run by an option of that name: `pip config --editor 'cat x'`. */
export function commandsIn(name: string, args: readonly string[]): readonly string[] {
  if (args.length < 2 || takesFiles(name) || is(name, 'tells')) return NONE;
  return args.flatMap((arg, i) => {
    const attached = /^(--[a-z]+)=(.+)$/s.exec(arg);
    const text = attached ? (attached[2] ?? '') : COMMAND_OPTION.test(args[i - 1] ?? '') ? arg : '';
    if (attached && !COMMAND_OPTION.test(attached[1] ?? '')) return [];
    const words = text.split(/\s+/);
    return words.length > 1 && words.slice(0, 2).some((word) => isHarmful(word)) ? [withoutVerb(text)] : [];
  });
}

const NONE: readonly string[] = [];
const COMMAND_OPTION =
  /^(?:-c|-e|-x|-ex|--(?:command|cmd|exec|execute|editor|run|shell|eval|pager|hook|script))$/;

/** `shell cat x`, as debuggers have it. */
function withoutVerb(text: string): string {
  return text.replace(/^[!:]?\s*(?:shell|system|exec|run)\s+/, '');
}

/** A program which can do harm, by its name or its path. */
function isHarmful(word: string): boolean {
  const name = /^\/(?:\w+\/)*/.test(word) ? word.slice(word.lastIndexOf('/') + 1) : word;
  return /^mkfs(?:\.\w+)?$/.test(name) || programOf(name)?.harmful === true;
}

/** Whether options of a program take words, patterns and files. */
function takesFiles(name: string): boolean {
  return is(name, 'text', 'uses', 'shows', 'sends', 'filters', 'edits');
}
