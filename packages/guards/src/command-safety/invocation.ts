/** Where a redirection leads. */
export interface RedirectTo {
  /** `<`, `>`, `>>`, `>|`, `&>`, `&>>`, `<>`, `<&`, `>&`. */
  readonly operator: string;
  readonly target: string;
  /** What is redirected where it is not what the operator says: 2 in `2>file`. */
  readonly descriptor?: number;
}

/** One program as it will be started, after expansion and without the wrappers around it. */
export interface Invocation {
  /** The program without its folder, in lower case: `rm`. */
  readonly name: string;
  /** The program as written after expansion: `/bin/rm`, `./x.sh`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly redirects: readonly RedirectTo[];
  /** Variables that are set for it: before its name, by `env`, or exported earlier. */
  readonly env: ReadonlyMap<string, string>;
  /** What it reads, as far as it is known; undefined where it reads the terminal. */
  readonly stdin: string | undefined;
  /** The folder it runs in, `.` where that is where the command started. */
  readonly cwd: string;
  /** It only loads values into the environment (`export $(grep … .env)`). */
  readonly loads: boolean;
}

/** The options of a command taken apart: `-rf` as `-r` and `-f`, `--name=value` as `--name`. */
export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

/** Reads options the way getopt does; `valued` are those that take a value (`n`, `message`). */
export function options(args: readonly string[], valued: readonly string[] = []): Options {
  const flags = new Set<string>();
  const values = new Map<string, string>();
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
      flags.add(name);
      if (equals !== -1) values.set(name, arg.slice(equals + 1));
      else if (valued.includes(name.slice(2))) values.set(name, args[++i] ?? '');
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let c = 1; c < arg.length; c++) {
        const flag = `-${arg[c]}`;
        flags.add(flag);
        if (!valued.includes(flag.slice(1))) continue;
        values.set(flag, c + 1 < arg.length ? arg.slice(c + 1) : (args[++i] ?? ''));
        break;
      }
    } else operands.push(arg);
  }
  return { flags, values, operands };
}
