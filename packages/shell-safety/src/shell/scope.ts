import type { Function as FunctionNode } from 'unbash';
import type { Budget } from './budget.ts';
import { isKnown, SECRET, UNKNOWN } from './marks.ts';

/** Where a program runs: on this machine, in a container, in one that may mount folders of this machine, or elsewhere. */
export type Host = 'here' | 'container' | 'mounted' | 'elsewhere';

/** What the script knows at one point: variables, functions, the folder it is in. */
export interface Scope {
  readonly shell: ShellState;
  /** An assignment may or may not happen, so it adds to the values instead of replacing them. */
  readonly conditional: boolean;
  /** Which value counts of a variable that may have one or another, as a branch or the rounds of a loop set it. */
  readonly choice: Choice;
  /** Whether a command is gone through with each value of such a variable, too. */
  readonly weighs: boolean;
  /** The variables that are local to the function being called, with what each was before. */
  readonly locals?: Map<string, readonly string[] | undefined>;
  /** The functions and aliases being called, from the outermost in. */
  readonly calls: readonly (FunctionNode | string)[];
  /** What runs here runs in a process of its own: behind a pipe or in the background. */
  readonly forked: boolean;
  readonly loads: boolean;
  /** What runs here has the rights of root. */
  readonly root: boolean;
  readonly host: Host;
  readonly budget: Budget;
  /** The home folder, where it has a name of its own. */
  readonly home: string | undefined;
  /** The folder that everything started in, where that is known. */
  readonly project: string | undefined;
  /** Something reads what is printed here: a pipe, a file, a substitution. Otherwise it is not worked out. */
  readonly heard: boolean;
  /** How many scripts within scripts lead here. */
  readonly depth: number;
  /** The text that the nodes' positions refer to. */
  readonly source: string;
}

/** How variables are taken that may have several values. */
export interface Choice {
  /** All values count at once; or the one at this place does, from the first again behind the last. */
  at: number | undefined;
  /** The most values that a variable in the words of this command was seen to have; 0 where none had several. */
  here: number;
  /** The most of all commands. */
  most: number;
  /** Whether a variable with several values was looked up. */
  varied: boolean;
}

/** What commands change in their shell. */
interface ShellState {
  cwd: string;
  /** `$0`, `$1`, … */
  positional: readonly string[];
  names: Names;
  /** Whether `names` is this shell's own; otherwise it is copied before the first change. */
  owned: boolean;
}

interface Names {
  /** A variable's possible values; an array's elements and a loop's rounds are several. */
  readonly variables: Map<string, readonly string[]>;
  readonly exported: Set<string>;
  readonly functions: Map<string, DefinedFunction>;
  readonly aliases: Map<string, string>;
}

export interface DefinedFunction {
  readonly node: FunctionNode;
  readonly text: string;
  /** Goes through its body, for a caller with these arguments. */
  readonly body: (caller: Scope, positional: readonly string[], stdin: string | undefined) => string;
}

/** Where a walk begins. */
export interface Start {
  /** The folder; `.` is where the command would be started, wherever that is. */
  readonly cwd: string;
  /** The home folder, where it has no usual name. */
  readonly home: string | undefined;
  /** The folder of the project, where it is known. */
  readonly project?: string | undefined;
  /** The text is no valid shell, so that what it does is only possible. */
  readonly guessed?: true;
  /** Which value counts of a variable that may have one or another; each counts in turn, unless set. */
  readonly choice?: number;
}

export function newScope(
  source: string,
  budget: Budget,
  choice: Choice,
  { cwd, home, project }: Start,
): Scope {
  const names = {
    variables: new Map(),
    exported: new Set<string>(),
    functions: new Map(),
    aliases: new Map(),
  };
  return {
    home,
    project,
    budget,
    shell: { cwd, positional: [], names, owned: true },
    conditional: false,
    choice,
    weighs: true,
    calls: [],
    forked: false,
    loads: false,
    root: false,
    host: 'here',
    heard: false,
    depth: 1,
    source,
  };
}

/** A path with `~` for the home folder, where that has a name of its own. */
export function fromHome(path: string, { home }: Scope): string {
  if (home === undefined || !path.startsWith(home)) return path;
  const rest = path.slice(home.length);
  return rest === '' || rest.startsWith('/') ? `~${rest}` : path;
}

/** A scope of its own, as a subshell has it: what it sets is gone afterwards. */
export function subshell(scope: Scope): Scope {
  return { ...scope, shell: { ...scope.shell, owned: false } };
}

/** A shell of its own that is started with these variables, and hands them on. */
export function inherited(scope: Scope, env: ReadonlyMap<string, string>): Scope {
  const inner = subshell(scope);
  for (const [name, value] of env) {
    assign(inner, name, [value]);
    ownNames(inner).exported.add(name);
  }
  return inner;
}

/** A subshell that runs beside what started it, its output read or not. */
export function forkedShell(scope: Scope, heard: boolean = scope.heard): Scope {
  return { ...subshell(scope), forked: true, heard };
}

export function listenedTo(scope: Scope): Scope {
  return scope.heard ? scope : { ...scope, heard: true };
}

export function ownNames({ shell, budget }: Scope): Names {
  if (!shell.owned) {
    const { variables, exported, functions, aliases } = shell.names;
    budget.charge(4 * (variables.size + exported.size + functions.size + aliases.size));
    shell.names = {
      variables: new Map(variables),
      exported: new Set(exported),
      functions: new Map(functions),
      aliases: new Map(aliases),
    };
    shell.owned = true;
  }
  return shell.names;
}

export function assign(scope: Scope, name: string, values: readonly string[], append = false): void {
  const { variables } = ownNames(scope);
  const before = variables.get(name) ?? [];
  const keep = scope.conditional ? before.filter((value) => !values.includes(value)) : [];
  const next = append ? [...before, ...values, ...joined(before, values)] : [...keep, ...values];
  variables.set(name, next.slice(-MAX_VALUES).map(clip));
}

/** Gives the function being called a variable of its own of that name, without a value. */
export function makeLocal(scope: Scope, name: string): void {
  const { locals } = scope;
  if (!locals || locals.has(name)) return;
  const { variables } = ownNames(scope);
  locals.set(name, variables.get(name));
  variables.delete(name);
}

/** Gives the caller of a function back what the function had under the same name. */
export function restoreLocals(
  scope: Scope,
  locals: ReadonlyMap<string, readonly string[] | undefined>,
): void {
  const { variables } = ownNames(scope);
  for (const [name, values] of locals) {
    if (values === undefined) variables.delete(name);
    else variables.set(name, values);
  }
}

/** `x+=y` is a longer string or a longer array: both are kept. */
function joined(before: readonly string[], values: readonly string[]): string[] {
  return before.length === 1 && values.length === 1 ? [`${before[0]}${values[0]}`] : [];
}

export function lookUp({ shell }: Scope, name: string): readonly string[] | undefined {
  const { positional, names, cwd } = shell;
  if (/^\d$/.test(name)) return [positional[Number(name)] ?? ''];
  // Where the arguments are unknown, so is how many there are.
  if (name === '@' || name === '*') return positional[1] === UNKNOWN ? [UNKNOWN] : positional.slice(1);
  if (name === 'PWD') return [cwd];
  const known = names.variables.get(name) ?? KNOWN_VARIABLES.get(name);
  if (known) return known;
  if (isSecretName(name)) return [SECRET];
  return FROM_OUTSIDE.test(name) ? [UNKNOWN] : undefined;
}

/** Of the values that a variable may have, those that count; by itself none counts that says nothing. */
export function chosen(values: readonly string[], { choice, weighs }: Scope): readonly string[] {
  if (values.length < 2) return values;
  choice.varied = true;
  const telling = values.filter((value) => value !== '' && isKnown(value));
  if (telling.length === 0) telling.push(values[0] ?? '');
  if (weighs) choice.here = Math.max(choice.here, telling.length);
  return choice.at === undefined ? values : [telling[choice.at % telling.length] ?? ''];
}

/** The scope for words that matter little by themselves, whose variables may have several values at once. */
export function unweighed(scope: Scope): Scope {
  return scope.weighs ? { ...scope, weighs: false } : scope;
}

/** Values of one variable that are kept; of a longer list the newest. */
const MAX_VALUES = 32;

const KNOWN_VARIABLES: ReadonlyMap<string, readonly string[]> = new Map([
  ['HOME', ['~']],
  ['SHELL', ['/bin/bash']],
  ['BASH', ['/bin/bash']],
  ['EDITOR', ['editor']],
  ['VISUAL', ['editor']],
  ['PAGER', ['less']],
  ['TMPDIR', ['/tmp']],
  ['IFS', [' \t\n']],
]);

/** What variables and outputs hold is bounded, so that `b=$a$a; c=$b$b; …` cannot grow without end. */
export function clip(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) + UNKNOWN : text;
}

export const MAX_TEXT = 8192;

/** Whether a variable of that name holds a secret, where the command does not set it. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

const SECRET_NAME =
  /(?:^|_)(?:SECRET|TOKEN|PASSWD|PASSPHRASE|PAT|CREDENTIALS?|(?:API|SECRET|PRIVATE|ACCESS|ENCRYPTION|SIGNING|AUTH|MASTER|DEPLOY|SSH|JWT|HMAC|SERVICE_ROLE|OPENAI|ANTHROPIC|GEMINI|STRIPE|SENDGRID|TWILIO)_?KEY|SECRET_KEY_BASE|CONNECTION_STRING|DSN|WEBHOOK_URL|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|PG|MYSQL|AMQP|RABBITMQ|BROKER)_UR[IL]|JWT|WEBHOOK|(?:DB|SMTP|MAIL|EMAIL|ADMIN|ROOT|USER|REDIS|FTP|LDAP|MYSQL|PG|POSTGRES|MONGO|PROXY|AUTH|LOGIN|REGISTRY|DOCKER|GIT|NPM|SUDO|WIFI|VPN|APP)_PASS)$|(?:PASSWORD|APIKEY|AUTHTOKEN)$|^(?:MYSQL_PWD|PGPASS)$/;

/** Variables that are there without the command setting them. */
const FROM_OUTSIDE =
  /^(?:(?:OUT|OUTPUT|DIST|TARGET|COVERAGE|STAGING|ARTIFACTS?)_?(?:DIR|PATH|FOLDER)|USER|USERNAME|LOGNAME|UID|EUID|HOSTNAME|PATH|OLDPWD|TMP|TEMP|LANG|TERM|RANDOM|SECONDS|LINENO|REPLY|WORKSPACE|VIRTUAL_ENV|npm_\w+|(?:XDG|GITHUB|RUNNER|CI|BUILD|CONDA|NVM|CARGO|GO|JAVA)\w*)$/;
