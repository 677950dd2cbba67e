import type { Function as FunctionNode } from 'unbash';
import type { Budget } from './budget.ts';
import { isKnown, OPAQUE, REMOTE, SECRET, UNKNOWN } from './marks.ts';

/** Where a program runs: on this machine, in a container, in one that may mount folders of this machine, or elsewhere. */
export type Host = 'here' | 'container' | 'mounted' | 'elsewhere';

/** What the script knows at one point: variables, functions, the folder it is in. */
export interface Scope {
  readonly shell: ShellState;
  /** An assignment may or may not happen, so it adds to the values instead of replacing them. */
  readonly conditional: boolean;
  /** The value to use for variables that have several, because of branches or loops. */
  readonly choice: Choice;
  /** Whether a command is also analyzed with each value of such a variable alone. */
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
  /** Whether a pipe, file or substitution reads the output. Otherwise the output is not computed. */
  readonly heard: boolean;
  /** How many scripts this one is nested in. */
  readonly depth: number;
  /** The text that the nodes' positions refer to. */
  readonly source: string;
}

/** How to expand variables that may have several values. */
export interface Choice {
  /** The index of the value to use, modulo the number of values. All values at once, unless set. */
  at: number | undefined;
  /** The largest number of values of a variable in this command; 0 if none has several. */
  here: number;
  /** The largest number of values of a variable in any command. */
  most: number;
  /** Whether a variable with several values was looked up. */
  varied: boolean;
}

/** What commands change in their shell. */
interface ShellState {
  cwd: string;
  /** `$0`, `$1`, … */
  positional: readonly string[];
  /** By how many of them `shift` moved on. */
  shifted: Shifted;
  names: Names;
  /** Whether `names` is this shell's own; otherwise it is copied before the first change. */
  owned: boolean;
}

/** In a branch or a loop, `shift` may run or not. */
export interface Shifted {
  readonly least: number;
  readonly most: number;
}

export const NOT_SHIFTED: Shifted = { least: 0, most: 0 };

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
  readonly body: (
    caller: Scope,
    positional: readonly string[],
    shifted: Shifted,
    stdin: string | undefined,
  ) => string;
}

/** Where a walk begins. */
export interface Start {
  /** The folder; `.` is where the command would be started, wherever that is. */
  readonly cwd: string;
  /** The home folder, where it has no usual name. */
  readonly home: string | undefined;
  /** The folder of the project, where it is known. */
  readonly project?: string | undefined;
  /** The text is not valid shell, so its effects are only possible. */
  readonly guessed?: true;
  /** The index of the value to use for variables that have several; all values in turn, unless set. */
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
    shell: { cwd, positional: [], shifted: NOT_SHIFTED, names, owned: true },
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

/** The scope of a subshell: its changes are discarded. */
export function subshell(scope: Scope): Scope {
  return { ...scope, shell: { ...scope.shell, owned: false } };
}

/** The scope of a new shell that inherits and exports these variables. */
export function inherited(scope: Scope, env: ReadonlyMap<string, string>): Scope {
  const inner = subshell(scope);
  for (const [name, value] of env) {
    assign(inner, name, [value]);
    ownNames(inner).exported.add(name);
  }
  return inner;
}

/** The scope of a subshell that runs in the background or in a pipeline. */
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
  const keep = scope.conditional ? others(before, values) : [];
  const next = append ? [...before, ...values, ...joined(before, values)] : [...keep, ...values];
  if (chargeList(next, scope)) variables.set(name, next.map(clip));
}

/** The earlier values. Where several come at once, they may be made of the earlier ones (`x="$x a"`), and then they double. */
function others(before: readonly string[], values: readonly string[]): readonly string[] {
  const set = new Set(values);
  const kept = before.filter((value) => !set.has(value));
  return values.length > 1 ? kept.slice(-Math.max(SHORT_LIST - values.length, 1)) : kept;
}

/** Charges going through a list. None is cut, because what is cut off would pass unseen. Returns false if the budget is used up. */
export function chargeList({ length }: readonly string[], { budget }: Scope): boolean {
  return length <= SHORT_LIST || budget.charge(length);
}

/** `set -- a b` */
export function setArguments(scope: Scope, args: readonly string[], part: string): void {
  const { shell } = scope;
  if (!chargeList(args, scope)) return;
  shell.shifted = shiftedIn(part, scope);
  shell.positional = [shell.positional[0] ?? '', ...args];
}

/** The arguments that a command passes on (`set -- "$@" a`, `f "$@"`) may stand in as many places as before. */
export function shiftedIn(part: string, { shell: { shifted } }: Scope): Shifted {
  return /\$\{?[@*]/.test(part) ? { least: 0, most: shifted.most - shifted.least } : NOT_SHIFTED;
}

/** `shift`. The shell does nothing if there are fewer arguments, and unknown arguments stay unknown. */
export function shiftPositional({ shell }: Scope, by: number | undefined): void {
  const { positional, shifted } = shell;
  const { least, most } = shifted;
  const last = Math.max(positional.length - 1, 0);
  if (areUnknown(positional, 1 + least)) return;
  const isSure = by !== undefined && least + by <= last && !mayBeSeveral(positional, least, by);
  const next = isSure ? least + by : least;
  shell.shifted = { least: next, most: Math.max(next, Math.min(most + (by ?? last), last)) };
}

/** Whether an argument that `shift` moves past is from the network or decoded, and perhaps several words. */
function mayBeSeveral(positional: readonly string[], least: number, by: number): boolean {
  return positional
    .slice(1 + least, 1 + least + by)
    .some((arg) => arg.includes(REMOTE) || arg.includes(OPAQUE));
}

/** Runs what may be skipped, or repeated: afterwards `shift` and `set` may have happened or not, and `shift` each time in a loop. */
export function perhapsShifting(scope: Scope, repeats: boolean, run: () => string): string {
  const { shell } = scope;
  const { positional, shifted } = shell;
  if (repeats) shiftAny(shell);
  const output = run();
  if (shell.positional === positional) shell.shifted = { ...shell.shifted, least: shifted.least };
  else joinArguments(scope, positional.slice(1 + shifted.least), shifted);
  return output;
}

/** Behind arguments that a branch may have set stand the earlier ones, as if the shell might shift to them. */
function joinArguments(scope: Scope, earlier: readonly string[], { least, most }: Shifted): void {
  const { shell } = scope;
  const set = shell.positional.slice(1 + shell.shifted.least);
  const known = new Set(set);
  const next = [...set, ...earlier.filter((arg) => !known.has(arg))];
  if (!chargeList(next, scope)) return;
  shell.positional = [shell.positional[0] ?? '', ...next];
  shell.shifted = { least: 0, most: Math.min(set.length + most - least, next.length) };
}

function shiftAny(shell: ShellState): void {
  const { positional, shifted } = shell;
  if (positional.length > 1) shell.shifted = { ...shifted, most: positional.length - 1 };
}

/** Makes a variable local to the function being called, without a value. */
export function makeLocal(scope: Scope, name: string): void {
  const { locals } = scope;
  if (!locals || locals.has(name)) return;
  const { variables } = ownNames(scope);
  locals.set(name, variables.get(name));
  variables.delete(name);
}

/** Restores the caller's variables that the function had made local. */
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
  const { positional, shifted, names, cwd } = shell;
  if (name === '0') return [positional[0] ?? ''];
  if (/^\d{1,6}$/.test(name)) {
    const from = Number(name) + shifted.least;
    const values = positional.slice(from, Math.min(Number(name) + shifted.most + 1, from + SHORT_LIST));
    return values.length > 0 ? [...new Set(values)].slice(0, MAX_SHIFTED) : [''];
  }
  const first = 1 + shifted.least;
  // If the arguments are unknown, so is their number.
  if (name === '@' || name === '*')
    return areUnknown(positional, first) ? [UNKNOWN] : positional.slice(first);
  if (name === 'PWD') return [cwd];
  const known = names.variables.get(name) ?? KNOWN_VARIABLES.get(name);
  if (known) return known;
  if (isSecretName(name)) return [SECRET];
  return FROM_OUTSIDE.test(name) ? [UNKNOWN] : undefined;
}

/** Whether all arguments are unknown. Of more than a function has by itself, some were set. */
function areUnknown(positional: readonly string[], first: number): boolean {
  const count = positional.length - first;
  if (count < 1 || count > UNKNOWN_ARGUMENTS.length) return false;
  return positional.slice(first).every((arg) => arg === UNKNOWN);
}

/** Those of a function that nothing calls. */
export const UNKNOWN_ARGUMENTS: readonly string[] = Array<string>(9).fill(UNKNOWN);

/** The possible values to analyze. Unknown values are skipped when analyzed alone. */
export function chosen(values: readonly string[], { choice, weighs }: Scope): readonly string[] {
  if (values.length < 2) return values;
  choice.varied = true;
  const telling = values.filter((value) => value !== '' && isKnown(value));
  if (telling.length === 0) telling.push(values[0] ?? '');
  if (weighs) choice.here = Math.max(choice.here, telling.length);
  return choice.at === undefined ? values : [telling[choice.at % telling.length] ?? ''];
}

/** The scope for words that need not be analyzed with each value alone. */
export function unweighed(scope: Scope): Scope {
  return scope.weighs ? { ...scope, weighs: false } : scope;
}

/** How many arguments that `shift` may bring to one place are kept. */
const MAX_SHIFTED = 9;

/** What goes through a list of this length is charged already. */
const SHORT_LIST = 32;

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

/** Limits the length of a value or output, so that `b=$a$a; c=$b$b; …` cannot grow without end. */
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
