import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Builtin } from '../builtins/builtin.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { CommandHandler, HookEntry, HttpHandler } from '../entry.ts';
import { messageOf } from '../error-message.ts';
import type { ConfigIssue } from '../file/error.ts';
import type { HookFile } from '../file/read.ts';
import { PARTS } from '../parts/all.ts';
import { unrecorded } from '../parts/unrecorded.ts';
import { isSet, UnsetVariable, variablesOf } from '../parts/variables.ts';
import { commandFolder } from '../run/folder.ts';
import { variablesIn } from '../run/http.ts';
import { whyUnmatched } from './coverage.ts';
import { closes } from './failure.ts';
import { missingEvents, whyForgotten, whyIdle } from './idle.ts';
import { makeBuiltin } from './resolve.ts';
import { TOKENS } from './tokens.ts';

/** The environment that a file's hooks would run in. */
export interface CheckOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Built-ins of the program's own. */
  readonly builtins?: Readonly<Record<string, Builtin>>;
}

/** A hook of a file, and the effect of its failure. */
export interface CheckedHook {
  readonly entry: HookEntry;
  readonly onFailure: 'blocks' | 'withholds the result' | 'a person is asked' | 'is passed over';
}

/** The result of checking a file on this machine. */
export interface CheckedFile {
  readonly hooks: readonly CheckedHook[];
  /** Hooks that can only fail, because a built-in, module or script does not exist. */
  readonly issues: readonly ConfigIssue[];
  /** What is doubtful in a policy. */
  readonly notices: readonly ConfigIssue[];
}

/** Checks that a file's built-ins, modules and scripts exist. Runs none of them. */
export async function checkHooks(file: HookFile, options: CheckOptions): Promise<CheckedFile> {
  const hooks = file.entries.map((entry) => ({ entry, onFailure: onFailure(file.dialect, entry) }));
  const issues: ConfigIssue[] = [];
  for (const { entry, message } of missingEvents(file.entries))
    issues.push({ ...entry.origin, path: entry.wireEvent, message });
  const { cwd, env } = options;
  const event = { type: 'before_tool_call', sessionId: '', cwd, fields: {} } as const;
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? '']));
  // Once for the file: a copy for each of its hooks takes most of the time.
  const variables = file.dialect.env(own, event);
  for (const entry of file.entries) {
    const wrong = await whatIsMissing(entry, file, options, variables);
    if (wrong !== undefined) issues.push({ ...entry.origin, path: entry.wireEvent, message: wrong });
  }
  return { hooks, issues, notices: issues.length > 0 ? [] : await noticesOf(file, options) };
}

async function noticesOf(
  { entries, dialect }: HookFile,
  { env, builtins = {} }: CheckOptions,
): Promise<readonly ConfigIssue[]> {
  const notices: ConfigIssue[] = [];
  const variables = new Set<string>();
  for (const entry of entries) {
    const { event, wireEvent, handler, origin } = entry;
    const unmatched = whyUnmatched(entry, dialect);
    if (unmatched !== undefined) notices.push({ ...origin, path: wireEvent, message: unmatched });
    if (handler.type === 'http')
      notices.push(...emptyIn(handler, env).map((message) => ({ ...origin, path: wireEvent, message })));
    if (handler.type !== 'builtin' && handler.type !== 'part') continue;
    const { name } = handler;
    const part = handler.type === 'part' ? PARTS[name] : undefined;
    for (const variable of variablesOf(entry)) {
      if (isSet(variable.name, env) || variables.has(variable.name)) continue;
      variables.add(variable.name);
      const message = `the environment variable ${variable.name} is not set here: there, ${part?.unset ?? 'the file does not load'}`;
      notices.push({ ...origin, path: `${part ? name : wireEvent}.${variable.field}`, message });
    }
    const forgotten = Object.hasOwn(builtins, name) ? undefined : whyForgotten(entry);
    if (forgotten !== undefined) notices.push({ ...origin, path: wireEvent, message: forgotten });
    if (part?.elsewhere !== undefined) notices.push({ ...origin, path: name, message: part.elsewhere });
    if (event !== 'before_tool_call' || name !== 'flow') continue;
    const { adviceOnFlow } = await import('../builtins/flow.ts');
    for (const { at, message } of await adviceOnFlow(handler.args))
      notices.push({ ...origin, path: `flow.${at}`, message });
  }
  return notices;
}

/** The variables of a hook's headers that are empty, so that a server sees no key. */
function emptyIn({ headers, allowedEnvVars }: HttpHandler, env: CheckOptions['env']): readonly string[] {
  const used = new Set(Object.values(headers).flatMap(variablesIn));
  return [...used].flatMap((name) => {
    if (!allowedEnvVars.includes(name))
      return [`its headers refer to $${name}, which allowed_env_vars does not list, so it is empty`];
    return isSet(name, env) ? [] : [`the environment variable ${name} is not set here: there, it is empty`];
  });
}

function onFailure(dialect: Dialect, entry: HookEntry): CheckedHook['onFailure'] {
  const { spec } = TOKENS[entry.event];
  if (!closes(dialect, entry, entry.event, 'closed')) return 'is passed over';
  if (spec.onFailure === 'withhold') return 'withholds the result';
  const blocks = entry.handler.onError === 'block' && spec.permits.includes('block');
  if (spec.onFailure === 'block' || blocks) return 'blocks';
  return spec.onFailure === 'ask' ? 'a person is asked' : 'is passed over';
}

async function whatIsMissing(
  entry: HookEntry,
  { entries, dialect }: HookFile,
  { cwd, env, builtins = {} }: CheckOptions,
  variables: Variables,
): Promise<string | undefined> {
  const { handler, origin } = entry;
  switch (handler.type) {
    case 'builtin':
    case 'part':
      return makeBuiltin(handler, cwd, {
        env,
        // The directory and keys of a part are the running program's.
        builtins: { ...builtins, ...(handler.type === 'part' && unrecorded) },
        onWarning: () => {},
      }).then(
        (provider) => whyIdle(provider, entry, entries),
        (error: unknown) => (isUnset(error) ? undefined : messageOf(error)),
      );
    case 'module': {
      const path = resolve(dirname(resolve(cwd, origin.file)), handler.path);
      return existsSync(path) ? undefined : `the module ${path} does not exist`;
    }
    case 'command':
      return missingScript(
        handler,
        commandFolder(resolve(cwd, origin.file), dialect, cwd),
        handler.env ? { ...variables, ...handler.env } : variables,
      );
    default:
      return undefined;
  }
}

/** A variable may be set where the program runs, so a notice says it. */
function isUnset(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof UnsetVariable;
}

type Variables = Readonly<Record<string, string>>;

/** Finds the script that a command begins with, as far as its line reveals without a shell. */
function missingScript(
  { command, workingDir = '.' }: CommandHandler,
  cwd: string,
  variables: Variables,
): string | undefined {
  const directory = resolve(cwd, workingDir);
  if (!existsSync(directory)) return `its working directory ${directory} does not exist`;
  const [program = '', ...args] = firstWords(command, variables);
  if (program.includes('/')) return missingFile(program, directory, constants.X_OK);
  if (typeof command !== 'string' && !isOnPath(program, variables))
    return `the program ${program} is not on the PATH`;
  const [script = '-'] = interpreters.test(program) ? args : [];
  const isPath = !script.startsWith('-') && /[./]/.test(script);
  return isPath ? missingFile(script, directory, constants.R_OK) : undefined;
}

const interpreters = /^(?:(?:ba|da|k|z)?sh|python[\d.]*|node|tsx|ruby|perl|php|pwsh)$/;

function missingFile(path: string, directory: string, mode: number): string | undefined {
  const file = resolve(directory, path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return `the script ${file} does not exist`;
  try {
    accessSync(file, mode);
    return undefined;
  } catch {
    return mode === constants.X_OK
      ? `the script ${file} cannot be run; make it executable: chmod +x`
      : `the script ${file} cannot be read`;
  }
}

function isOnPath(program: string, { PATH = '' }: Variables): boolean {
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** The words of the first command, up to one that only a shell can expand. */
function firstWords(command: string | readonly string[], variables: Variables): readonly string[] {
  if (typeof command !== 'string') {
    const [shell = '', flag, line] = command;
    return /^(?:ba)?sh$/.test(shell) && flag === '-c' && line !== undefined
      ? firstWords(line, variables)
      : command;
  }
  const words: string[] = [];
  const word = /\s*((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\;&|<>()`])+)/sy;
  for (let next = word.exec(command); next; next = word.exec(command)) {
    const plain = asPlainWord(next[1] ?? '', variables);
    if (plain === undefined) break;
    // Words before a command's name: `exec`, and variable assignments.
    const isPrefix = words.length === 0 && /^(?:exec$|\w+=)/.test(plain);
    if (!isPrefix) words.push(plain);
  }
  return words;
}

/** A word without its quotes and with its variables; undefined if one is unknown or may expand to several words. */
function asPlainWord(word: string, variables: Variables): string | undefined {
  let unknown = false;
  const expand = (text: string): string =>
    text.replaceAll(/\$\{?(\w*)(\}?)/g, (_, name: string) => {
      if (!Object.hasOwn(variables, name)) unknown = true;
      return variables[name] ?? '';
    });
  const plain = word
    .replace(/^~(?=\/)/, homedir())
    .replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)/gs,
      (_, single?: string, double?: string, escaped?: string, bare?: string) => {
        if (bare !== undefined && /[*?[\]{}]/.test(bare.replaceAll(/\$\{\w+\}/g, ''))) unknown = true;
        return single ?? escaped ?? expand(double ?? bare ?? '');
      },
    );
  return unknown || /[`]/.test(plain) ? undefined : plain;
}
