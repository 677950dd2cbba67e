import { Command, Option } from 'commander';
import { distance } from 'fastest-levenshtein';
import { optionName } from './problem.ts';

/** A command whose errors repeat no value of the command line, which may be an address with a password. */
export class HooksCommand extends Command {
  override createCommand(name?: string): HooksCommand {
    return new HooksCommand(name);
  }

  /** Called by commander. */
  unknownOption(flag: string): never {
    const name = optionName(flag);
    const known = this.createHelp()
      .visibleOptions(this)
      .map(({ long }) => long ?? '');
    const help = closest(name.trim(), known) ?? `see "${this.#line} --help"`;
    return this.error(`error: unknown option${name}; ${help}`, {
      code: 'commander.unknownOption',
    });
  }

  /** Called by commander. */
  unknownCommand(): never {
    const known = this.commands.map((command) => command.name());
    const help = closest(this.args[0] ?? '', known) ?? `expected one of: ${known.join(', ')}`;
    return this.error(`error: unknown command after "${this.#line}"; ${help}`, {
      code: 'commander.unknownCommand',
    });
  }

  /** Called by commander. */
  _excessArguments(given: readonly string[]): never {
    const { length } = this.registeredArguments;
    const takes =
      length === 0 ? 'only options' : `at most ${length} ${length === 1 ? 'argument' : 'arguments'}`;
    const got = `${given.length} ${length === 0 && given.length === 1 ? 'argument' : 'arguments'}`;
    return this.error(
      `error: "${this.#line}" takes ${takes}, but got ${got}; quote a value that has spaces`,
      { code: 'commander.excessArguments' },
    );
  }

  /** `hooks approvals list` */
  get #line(): string {
    const names: string[] = [];
    for (let command: Command | null = this; command !== null; command = command.parent)
      names.unshift(command.name());
    return names.join(' ');
  }
}

/** `did you mean --store?`, unless no known word is close. */
function closest(word: string, known: readonly string[]): string | undefined {
  const [nearest] = known.map((name) => ({ name, far: distance(word, name) })).sort((a, b) => a.far - b.far);
  return nearest && nearest.far <= nearest.name.length / 3 ? `did you mean ${nearest.name}?` : undefined;
}

/** An option that takes one of these values, or several of them where its flags say so (`<values...>`). */
export function choiceOption(flags: string, description: string, values: readonly string[]): Option {
  const option = new Option(flags, description).choices(values);
  return option.argParser<string | readonly string[] | undefined>((value, before) => {
    if (!values.includes(value))
      throw new WrongChoice(`${option.long}: expected one of: ${values.join(', ')}`);
    return option.variadic && Array.isArray(before) ? [...before, value] : option.variadic ? [value] : value;
  });
}

/** A value that an option does not take, which makes the command line invalid. */
export class WrongChoice extends Error {}
