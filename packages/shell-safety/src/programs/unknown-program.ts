import { programOf } from './index.ts';
import { has, type Invocation, type Program } from './program.ts';

/**
 * The program that a program of which nothing is known may start: what follows `--`, or its first argument that names a
 * program which can do harm (`mywrapper --fast rm -rf /`).
 */
export function startedBy({ name, args, known }: Invocation): readonly string[] | undefined {
  if (name === '' || args.length < 2 || takesFiles(known) || known.namesPrograms) return undefined;
  const dashes = args.indexOf('--');
  const from = args.findIndex((arg, i) => i >= dashes && i < args.length - 1 && isHarmful(arg));
  return from === -1 ? undefined : args.slice(from);
}

/** What a program of which nothing is known is told to run by an option of that name: `pip config --editor 'cat x'`. */
export function commandsIn({ args, known }: Invocation): readonly string[] {
  if (args.length === 0 || takesFiles(known) || has(known, 'tells')) return [];
  return args.flatMap((arg, i) => {
    const [, option = args[i - 1] ?? '', text = arg] = /^(--[a-z]+)=(.+)$/s.exec(arg) ?? [];
    if (!COMMAND_OPTION.test(option)) return [];
    const words = text.split(/\s+/);
    return words.length > 1 && words.slice(0, 2).some(isHarmful) ? [text] : [];
  });
}

const COMMAND_OPTION =
  /^(?:-c|-e|-x|-ex|--(?:command|cmd|exec|execute|editor|run|shell|eval|pager|hook|script))$/;

/** A program which can do harm, by its name or its path. */
function isHarmful(word: string): boolean {
  const name = word.startsWith('/') ? word.slice(word.lastIndexOf('/') + 1) : word;
  return /^mkfs\b/.test(name) || programOf(name)?.harmful === true;
}

/** Whether options of a program take words, patterns and files. */
function takesFiles(known: Program): boolean {
  return has(known, 'text', 'uses', 'shows', 'sends', 'filters', 'edits');
}
