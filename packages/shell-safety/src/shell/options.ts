/** The options of a command taken apart: `-rf` as `-r` and `-f`, `--name=value` as `--name`. */
export interface Options {
  readonly flags: ReadonlySet<string>;
  /** The last value of each option. */
  readonly values: ReadonlyMap<string, string>;
  /** All values, in order: an option may be given twice. */
  readonly given: readonly (readonly [name: string, value: string])[];
  readonly operands: readonly string[];
}

/**
 * Reads options the way getopt does; `names` are those that take a value, as a list or separated by blanks (`'n message'`).
 * With `leading`, options end at the first operand, as for `xargs`: what follows belongs to the program that it starts.
 */
export function options(
  args: readonly string[],
  names: readonly string[] | string = '',
  leading = false,
): Options {
  const valued = typeof names === 'string' ? namesIn(names) : new Set(names);
  let flags: Set<string> | undefined;
  const given: [string, string][] = [];
  const operands: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (arg.startsWith('--')) {
      const equals = arg.indexOf('=');
      const name = equals === -1 ? arg : arg.slice(0, equals);
      flags = (flags ?? new Set()).add(name);
      const value =
        equals !== -1 ? arg.slice(equals + 1) : valued.has(name.slice(2)) ? (args[++i] ?? '') : undefined;
      if (value !== undefined) given.push([name, value]);
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let c = 1; c < arg.length; c++) {
        const flag = `-${arg[c]}`;
        flags = (flags ?? new Set()).add(flag);
        if (!valued.has(arg[c] ?? '')) continue;
        given.push([flag, c + 1 < arg.length ? arg.slice(c + 1) : (args[++i] ?? '')]);
        break;
      }
    } else if (leading) {
      operands.push(...args.slice(i));
      break;
    } else operands.push(arg);
  }
  return { flags: flags ?? NONE, values: given.length > 0 ? new Map(given) : NO_VALUES, given, operands };
}

/** The names in a list of the table, which is split once. */
export function namesIn(list: string): ReadonlySet<string> {
  let names = LISTS.get(list);
  if (!names) {
    names = new Set(list.split(' '));
    LISTS.set(list, names);
  }
  return names;
}

const LISTS = new Map<string, ReadonlySet<string>>();
const NONE: ReadonlySet<string> = new Set();
const NO_VALUES: ReadonlyMap<string, string> = new Map();
