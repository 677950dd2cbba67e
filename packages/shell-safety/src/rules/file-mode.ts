/** What a mode lets people do, as chmod reads it: `755`, `u+rwX,o-w`. */
export interface Effect {
  /** Everybody may do everything. */
  readonly opens: boolean;
  /** The same, the sticky bit aside. */
  readonly everything: boolean;
  /** Nobody may do anything. */
  readonly locks: boolean;
  readonly setsId: boolean;
  readonly setsUser: boolean;
  readonly othersRead: boolean;
  readonly othersWrite: boolean;
  /** It takes the right to read or to enter from others. */
  readonly takes: boolean;
}

export function effectOf(mode: string): Effect {
  const octal = /^[0-7]+$/.test(mode);
  const clauses = octal ? [] : clausesOf(mode);
  const given = octal ? Number.parseInt(mode, 8) : applied(clauses, 0);
  const left = octal ? given : applied(clauses, 0o777);
  const gives = clauses.filter(({ operator }) => operator !== '-');
  const takes = octal ? (given & 0o005) !== 0o005 : (left & 0o005) !== 0o005;
  return {
    opens: ((given & 0o777) === 0o777 && (given & 0o1000) === 0) || (!octal && (given & 0o007) === 0o007),
    everything: (given & 0o777) === 0o777,
    locks: (left & 0o777) === 0,
    setsId: octal ? (given & 0o6000) !== 0 : gives.some(({ what }) => what.includes('s')),
    setsUser: octal
      ? (given & 0o4000) !== 0
      : gives.some(({ who, what }) => (who & 0o700) !== 0 && what.includes('s')),
    othersRead: (given & 0o004) !== 0,
    othersWrite: (given & 0o002) !== 0 && (given & 0o1000) === 0,
    takes,
  };
}

interface Clause {
  /** The bits of those it is about: 0o700 for the user, 0o070 for the group, 0o007 for others. */
  readonly who: number;
  readonly operator: string;
  readonly what: string;
}

function clausesOf(mode: string): readonly Clause[] {
  return [...mode.matchAll(/(?<![ugoa])([ugoa]*)([-+=])([rwxXst]*)/g)].map(
    ([, who = '', operator = '', what = '']) => ({
      who: who === '' || who.includes('a') ? 0o777 : bits(who, { u: 0o700, g: 0o070, o: 0o007 }),
      operator,
      what,
    }),
  );
}

/** The permissions that are left of `before`, as chmod works them out. */
function applied(clauses: readonly Clause[], before: number): number {
  return clauses.reduce((mode, { who, operator, what }) => {
    const named = who & bits(what, { r: 0o444, w: 0o222, x: 0o111, X: 0o111 });
    if (operator === '+') return mode | named;
    return operator === '-' ? mode & ~named : (mode & ~who) | named;
  }, before);
}

function bits(letters: string, meaning: Readonly<Record<string, number>>): number {
  return [...letters].reduce((sum, letter) => sum | (meaning[letter] ?? 0), 0);
}

/** What chmod is told. */
export interface Mode {
  /** Nothing where it is that of another file: `--reference=FILE`. */
  readonly mode: string | undefined;
  readonly targets: readonly string[];
  readonly recursive: boolean;
}

/** `-x` may be a mode as well as an option: the first word that is no option of chmod is the mode. */
export function modeOf(args: readonly string[]): Mode {
  const rest: string[] = [];
  let recursive = false;
  let copied = false;
  let inOptions = true;
  for (const [i, arg] of args.entries()) {
    if (!inOptions) {
      rest.push(arg);
      continue;
    }
    if (arg === '--') inOptions = false;
    if (args[i - 1] === '--reference') continue;
    copied ||= /^--reference(?:=|$)/.test(arg);
    if (/^-[cfvRHLPh]+$/.test(arg) || arg.startsWith('--'))
      recursive ||= /^-\w*R/.test(arg) || arg === '--recursive';
    else rest.push(arg);
  }
  return copied
    ? { mode: undefined, targets: rest, recursive }
    : { mode: rest[0], targets: rest.slice(1), recursive };
}
