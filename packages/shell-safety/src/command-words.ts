import { type Command, parse, type Statement } from 'unbash';
import { parsingCost } from './shell/budget.ts';

/** A word of a command, as it stands there. */
export interface CommandWord {
  /** With its quotes and escapes. */
  readonly text: string;
  /** Where it begins and ends in the command, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** Whether it names the program. */
  readonly isProgram: boolean;
}

/** Texts that cost more to parse are not parsed, in characters. */
const MAX_COST = 1_000_000;

/**
 * The words of a command that is one simple command or several, joined by `|`, `&&`, `||` and `;`. Assignments, the files of
 * redirections and the text of here-documents are not among them. Undefined for a command with a loop, a condition, a function or a
 * subshell, for a text that is no valid command, and for one that takes too long to parse.
 *
 * @example
 * ```ts
 * commandWords('npm run build')?.map(({ text }) => text); // ['npm', 'run', 'build']
 * ```
 */
export function commandWords(command: string): readonly CommandWord[] | undefined {
  if (parsingCost(command) > MAX_COST) return undefined;
  try {
    const script = parse(command);
    if (script.errors?.length || script.shebang !== undefined) return undefined;
    const words: CommandWord[] = [];
    for (const each of script.commands.flatMap(commandsOf)) {
      if (each === undefined) return undefined;
      words.push(...wordsOf(each));
    }
    return words;
  } catch {
    // It nests deeper than the stack.
    return undefined;
  }
}

function commandsOf({ command }: Statement): readonly (Command | undefined)[] {
  const pipelines = command.type === 'AndOr' ? command.commands : [command];
  const all = pipelines.flatMap((each) => (each.type === 'Pipeline' ? each.commands : [each]));
  return all.map((each) => (each.type === 'Command' ? each : undefined));
}

function wordsOf({ name, args }: Command): readonly CommandWord[] {
  const words = name === undefined ? args : [name, ...args];
  return words.flatMap((word) =>
    word.type === 'Word' ? [{ text: word.text, from: word.pos, to: word.end, isProgram: word === name }] : [],
  );
}
