import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { Builtin, HookEntry, LoadedHooks } from '@hooks/config';
import { loadHooks, userDirectory } from '@hooks/config/load';
import {
  type DescribeTool,
  DIALECTS,
  dispatchEvent,
  expandPoint,
  importModule,
  isTrusted,
  readText,
  trustedPath,
  variablesOf,
} from '@hooks/config/protocol';
import {
  createHooks,
  type HookDecision,
  type HookProvider,
  type HookRegistrar,
  type Hooks,
  isHooksError,
  type PointData,
} from '@hooks/core';
import { type Agent, type AgentEvent, describeByPrefix, type Outcome, type Reply } from '../agents/agent.ts';
import { AGENTS } from '../agents/all.ts';
import { CANARY_REASON, isCanary } from '../drive/canary.ts';
import { existing, HOOK_FILE } from '../paths.ts';
import { isSystemError, optionName, problemOf } from '../problem.ts';
import { messageOf, type Program, UserError } from '../program.ts';
import { shareCore } from '../shared-core.ts';
import { setByWorkspace } from '../workspace-variables.ts';

/** The process of a hook. The event is all of stdin. */
export interface HookProgram extends Program {
  readStdin(): Promise<string>;
}

/** A hook's reply, and the work after it. */
export interface Answered {
  readonly reply: Reply;
  /** The policy has failed, and the reply is the closed answer. */
  readonly failed?: true;
  /** The policy reads the user from this process's environment, or its session is its group's, which a worker for others does not have. */
  readonly cold?: true;
  /** Resolves when the observers have settled. */
  finish(): Promise<void>;
}

/** Makes the reply for a failure. */
export type Close = (reason: string) => Reply;

/**
 * Runs a policy as the hook of a command-line agent: reads the event from stdin, and answers on stdout and by exit code.
 * Whatever goes wrong, a gate stays closed.
 *
 * @param closeWith gets the function that closes the gate, once the event is known, for failures outside of this call
 */
export async function runAsHook(
  args: readonly string[],
  program: HookProgram,
  closeWith: (close: Close) => void = () => {},
): Promise<Answered> {
  let policy: OpenPolicy | undefined;
  const reading = answerEvent(await program.readStdin(), args, closeWith, async (values) => {
    policy = await openForEvent(values, program);
    return policy;
  });
  const finish = async (): Promise<void> => {
    await policy?.hooks.settled();
    await policy?.[Symbol.asyncDispose]();
  };
  const answered = await reading;
  const readsUser = policy?.files.some(({ entries }) => entries.some(saysWhoTheUserIs)) ?? false;
  const isCold = readsUser || needsOwnProcess(args);
  return { ...answered, ...(isCold && { cold: true }), finish };
}

/** Whether the agent's session is that of this process's group, which a worker for others is not in. */
function needsOwnProcess(args: readonly string[]): boolean {
  return args[args.indexOf('--as') + 1] === 'ai4j' || args.includes('--as=ai4j');
}

/** Whether an entry of a file finds the user in the environment. */
function saysWhoTheUserIs({ handler }: HookEntry): boolean {
  return handler.type === 'part' && handler.name === 'principal';
}

/**
 * Returns the reply to an agent's event.
 *
 * @param open opens the policy. Called only for an event that a policy may answer
 */
export async function answerEvent(
  stdin: string,
  args: readonly string[],
  closeWith: (close: Close) => void,
  open: (values: PolicyOptions) => OpenPolicy | Promise<OpenPolicy>,
): Promise<Omit<Answered, 'finish' | 'cold'>> {
  let close: Close = (reason) => ({ exitCode: 2, stderr: reason });
  try {
    const values = readOptions(args);
    const agent = agentOf(values.as);
    const event = agent.read(parse(stdin));
    if (event === undefined) return { reply: { exitCode: 0 } };
    if (typeof event === 'string') return { reply: { exitCode: 0, stderr: event } };
    close = (reason) => closed(agent, event, reason);
    closeWith(close);
    const { hooks, files } = await open(values);
    refuseUnfired(agent, files);
    refuseForged(agent, values.as, event, files);
    const principal = files.map((file) => file.principal).find((one) => one !== undefined);
    hooks.session(event.data.sessionId, { principal });
    const outcome = await ask(hooks, event);
    const refused = outcome.block === undefined && isCanary(event.data.fields['input']);
    return { reply: agent.write(event, refused ? CANARY_REFUSAL : outcome) };
  } catch (error) {
    return { reply: close(`hooks run failed: ${problemOf(error)}`), failed: true };
  }
}

const CANARY_REFUSAL: Outcome = { block: { reason: CANARY_REASON, stop: false }, patch: {} };

/** A gate under an event that the agent never reports would never close. */
function refuseUnfired({ title, events }: Agent, files: readonly LoadedHooks[]): void {
  const [lost] = files.flatMap((file) => file.unfired(events));
  if (!lost) return;
  const { name, handler, wireEvent } = lost;
  const { file, line } = lost.origin;
  const hook = name ?? (handler.type === 'builtin' ? handler.name : handler.type);
  throw new UserError(
    `${file}:${line}: ${title} never reports ${wireEvent}, so its hook "${hook}" would never refuse anything; move it to another event, or keep it in a file of its own`,
  );
}

/** A workspace that sets the variables of a policy would say itself who the user is, or with which key the journal is signed. */
function refuseForged(
  { title }: Agent,
  as: string | undefined,
  { data }: AgentEvent,
  files: readonly LoadedHooks[],
): void {
  const folders = [data.cwd, process.cwd()];
  for (const entry of files.flatMap((file) => file.entries))
    for (const { field, name } of variablesOf(entry)) {
      const file = setByWorkspace(name, as ?? '', folders);
      if (file === undefined) continue;
      throw new UserError(
        `${file} sets ${name}, or cannot be read, and ${entry.origin.file} reads ${entry.label}.${field} from it; remove it there, and set it where ${title} is started`,
      );
    }
}

/** The reply for a failure: the agent's own refusal on a gate, else exit code 1, which only shows the reason. */
function closed(agent: Agent, event: AgentEvent, reason: string): Reply {
  if (!event.gate) return { exitCode: 1, stderr: reason };
  const refusal = agent.write(event, { block: { reason, stop: false }, patch: {} });
  return { ...refusal, stderr: reason };
}

/** Parses JSON. Drops the parser's message, because it repeats a part of the text, which may be a secret. */
function parse(stdin: string): unknown {
  try {
    return JSON.parse(stdin);
  } catch {
    throw new UserError('stdin is not JSON');
  }
}

const options = {
  as: { type: 'string' },
  'answer-fd': { type: 'string' },
  'error-fd': { type: 'string' },
  file: { type: 'string', multiple: true },
  limit: { type: 'string' },
  policy: { type: 'string', multiple: true },
  warm: { type: 'string' },
} as const;

/** The paths of policies. All of them apply: modules first, then files, each in the given order. */
export interface PolicyOptions {
  readonly file?: readonly string[] | undefined;
  readonly policy?: readonly string[] | undefined;
  /** The agent whose tools the names in matchers mean. */
  readonly as?: string | undefined;
}

/** The options of `hooks run`. `--answer-fd`, `--error-fd` and `--warm` are between `hook.sh` and it. */
export function readOptions(args: readonly string[]): PolicyOptions & { readonly warm?: string | undefined } {
  checkArguments(args);
  const { values, tokens } = parseArgs({ args: [...args], options, tokens: true });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option' || token.name === 'file' || token.name === 'policy') continue;
    if (given.has(token.name)) throw new UserError(`--${token.name} is given twice: give it once`);
    given.add(token.name);
  }
  const { limit } = values;
  if (limit !== undefined && !isLimit(limit))
    throw new UserError(`--limit: expected a number of seconds, up to ${MAX_LIMIT_SECONDS}`);
  return values;
}

/** Refuses what Node's parser would refuse, in words that do not repeat a value. */
function checkArguments(args: readonly string[]): void {
  const known = Object.keys(options);
  const { tokens } = parseArgs({ args: [...args], options, tokens: true, strict: false });
  for (const token of tokens) {
    if (token.kind === 'positional')
      throw new UserError(`argument ${token.index + 1} belongs to no option; ${EXPECTED}`);
    if (token.kind !== 'option') continue;
    if (!known.includes(token.name))
      throw new UserError(`unknown option${optionName(token.rawName)}; ${EXPECTED}`);
    const { value, inlineValue } = token;
    if (!value || (value.startsWith('-') && !inlineValue))
      throw new UserError(
        `--${token.name}: needs a value; one that begins with - is written --${token.name}=-…`,
      );
  }
}

const EXPECTED = 'expected --as, --file, --policy and --limit, each with a value';

/** A longer timer would be over at once. */
const MAX_LIMIT_SECONDS = 2_000_000;

/** Whether a value of `--limit` is one. */
export function isLimit(text: string | undefined): text is string {
  const seconds = Number(text);
  return seconds > 0 && seconds <= MAX_LIMIT_SECONDS;
}

function agentOf(name: string | undefined): Agent {
  const agent = name !== undefined && Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (!agent) {
    const known = Object.keys(AGENTS).join(', ');
    throw new UserError(
      `--as: expected one of: ${known}; hooks of Factory, Grok and Windsurf cannot run it, so put their MCP servers behind "hooks mcp"`,
    );
  }
  return agent;
}

/** A policy in its own registry. */
export interface OpenPolicy extends AsyncDisposable {
  readonly hooks: Hooks;
  /** Its files. */
  readonly files: readonly LoadedHooks[];
}

/** Loads a policy into a new registry, for one event: a limit that counted in such a process would be none. */
export async function openForEvent(options: PolicyOptions, program: Program): Promise<OpenPolicy> {
  const policy = await openPolicy(options, program, join(userDirectory(), 'counters.db'));
  const forgetful = policy.hooks.list().find(({ inMemory }) => inMemory !== undefined);
  if (forgetful === undefined) return policy;
  await policy[Symbol.asyncDispose]();
  throw new UserError(
    `under "hooks run" each event is a process, and hook "${forgetful.id}" has no effect: ${forgetful.inMemory}`,
  );
}

/** Loads a policy into a new registry. */
export async function openPolicy(
  options: PolicyOptions,
  program: Program,
  counters?: string,
): Promise<OpenPolicy> {
  const {
    providers,
    files,
    [Symbol.asyncDispose]: dispose,
  } = await loadPolicy(options, program, {}, counters);
  const hooks = createHooks();
  for (const provider of providers) hooks.use(provider);
  return { hooks, files, [Symbol.asyncDispose]: dispose };
}

/** A loaded policy. */
export interface LoadedPolicy extends AsyncDisposable {
  readonly providers: readonly HookProvider[];
  readonly files: readonly LoadedHooks[];
}

/** Loads a policy. Its files and modules must be trusted, because the workspace may have put others in their place. */
export async function loadPolicy(
  { file, policy = [], as = '' }: PolicyOptions,
  program: Program,
  builtins: Readonly<Record<string, Builtin>> = {},
  counters?: string,
): Promise<LoadedPolicy> {
  const { cwd, env } = program;
  const agent = Object.hasOwn(AGENTS, as) ? AGENTS[as] : undefined;
  const describe = agent?.describe ?? describeByPrefix;
  const providers: HookProvider[] = [];
  const loaded: LoadedHooks[] = [];
  const dispose = async (): Promise<void> => {
    await Promise.all(loaded.map((one) => one[Symbol.asyncDispose]()));
  };
  try {
    if (policy.length > 0) shareCore();
    for (const path of policy)
      providers.push(
        withNames(
          await providerAt(existing('--policy', path, program, 'a module that exports a provider')),
          describe,
          agent,
        ),
      );
    for (const path of filesOf({ file, policy })) {
      const options = {
        cwd: cwd(),
        env,
        cache: true,
        builtins,
        ...(counters !== undefined && { counters }),
        onWarning: () => {},
      };
      const one = await loadHooks(existing('--file', path, program, HOOK_FILE), options);
      loaded.push(one);
      providers.push(withNames(one, describe));
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return { providers: distinct(providers), files: loaded, [Symbol.asyncDispose]: dispose };
}

/** The providers with a name each: two policies may both be a `hooks.yaml`. */
function distinct(providers: readonly HookProvider[]): readonly HookProvider[] {
  const names = new Set<string>();
  return providers.map((provider) => {
    let { name } = provider;
    for (let number = 2; names.has(name); number++) name = `${provider.name} (${number})`;
    names.add(name);
    return name === provider.name ? provider : { ...provider, name };
  });
}

/** The files of a policy. Without any, and without a module, those of the current folder. */
export function filesOf({ file = [], policy = [] }: PolicyOptions): readonly string[] {
  return file.length === 0 && policy.length === 0 ? ['.'] : [...new Set(file)];
}

async function providerAt(path: string): Promise<HookProvider> {
  const text = readText(path);
  if (!(await isTrusted(trustedPath(path), text, {})))
    throw new UserError(
      `${path} is not trusted, so it is not loaded; review it and run "npx --no-install hooks trust ${path}"`,
    );
  const { default: provider } = await importUnchanged(path, text);
  if (isProvider(provider)) return provider;
  throw new UserError(`${path}: its default export is not a provider`);
}

/** Imports a module unless its file has changed since this text was read and found to be trusted. */
async function importUnchanged(path: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  let isFirst = true;
  const check = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      // The module itself. Its imports follow, which trust does not cover.
      if (!isFirst) return loaded;
      isFirst = false;
      // Node may leave it to a later step to read a CommonJS module.
      const { source = text } = loaded;
      if (textOf(source ?? text) !== text) throw new UserError(`${path} changed while it was loaded`);
      return { ...loaded, source: text };
    },
  });
  try {
    return await importModule(pathToFileURL(path).href);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const where =
      error instanceof SyntaxError
        ? `, in it or in a module that it imports: "node ${path}" shows where`
        : '';
    throw new UserError(`${path}: ${problemOf(error)}${where}`);
  } finally {
    check.deregister();
  }
}

function textOf(source: string | ArrayBuffer | NodeJS.TypedArray): string {
  return typeof source === 'string' ? source : new TextDecoder('utf-8', { ignoreBOM: true }).decode(source);
}

function isProvider(value: unknown): value is HookProvider {
  return typeof Object(value).register === 'function';
}

/**
 * Wraps a provider so that a tool that its matchers name by any agent's name is that of the agent that calls.
 *
 * @param agent refuses hooks that decide where this agent reports nothing
 */
function withNames(provider: HookProvider, describe: DescribeTool, agent?: Agent): HookProvider {
  const expanded = (hooks: HookRegistrar): void =>
    provider.register({
      session: hooks.session,
      dispatch: hooks.dispatch,
      list: hooks.list,
      trace: hooks.trace,
      use: (inner, options) => hooks.use(withNames(inner, describe, agent), options),
      on: (point, handler, options) => {
        refuseUnreported(provider, point, options, agent);
        return hooks.on(expandPoint(point, describe), handler, options);
      },
      guard: (point, handler, options) => {
        refuseUnreported(provider, point, options, agent);
        return hooks.guard(expandPoint(point, describe), handler, options);
      },
      observe: (point, handler, options) => hooks.observe(expandPoint(point, describe), handler, options),
    });
  const { name, once = false, version } = provider;
  const register = (hooks: HookRegistrar): void => {
    try {
      expanded(hooks);
    } catch (error) {
      if (isHooksError(error) || error instanceof UserError) throw error;
      // Its own words are for its author.
      throw new UserError(`policy "${name}": ${isSystemError(error) ? problemOf(error) : messageOf(error)}`);
    }
  };
  return { name, once, ...(version !== undefined && { version }), register };
}

/** The same of a module: a hook that decides on what the agent never reports would never decide. */
function refuseUnreported(
  { name }: HookProvider,
  { spec: { type, permits } }: PointData,
  { optional = false }: { readonly optional?: boolean } = {},
  agent?: Agent,
): void {
  // Before a call, its BeforeExecute hooks are asked, too, so that event is always there.
  const isOfCore = Object.hasOwn(DIALECTS.hooks.events, type);
  if (agent === undefined || !isOfCore || optional || [...agent.events].some((event) => event === type))
    return;
  if (permits.some((kind) => kind !== 'modify'))
    throw new UserError(
      `policy "${name}": ${agent.title} never reports ${type}, so its hook there would never decide; give it { optional: true }, or keep it out of this policy`,
    );
}

/** Dispatches each event of core for the agent's event. Each sees the changes of the ones before. */
async function ask(hooks: Hooks, { data, as }: AgentEvent): Promise<Outcome> {
  let { fields } = data;
  let patch = {};
  for (const type of as) {
    const decision: HookDecision = await dispatchEvent(
      hooks,
      { ...data, fields: fieldsFor(type, fields) },
      type,
    );
    if (decision.kind === 'block')
      return { block: { reason: decision.reason, stop: decision.stop ?? false }, patch };
    if (decision.kind === 'retry') return { retry: decision.reason, patch };
    if (decision.kind === 'modify') {
      const changed = changedBy(decision.patch, fields);
      patch = { ...patch, ...changed };
      fields = { ...fields, ...changed };
    }
  }
  return { patch };
}

/** A hook may repeat a value, which no agent has to carry out. */
function changedBy(patch: object, fields: AgentEvent['data']['fields']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(patch).filter(([field, value]) => !isDeepStrictEqual(value, fields[field])),
  );
}

function fieldsFor(type: string, fields: AgentEvent['data']['fields']): AgentEvent['data']['fields'] {
  return type === 'before_run' ? { message: fields['prompt'], metadata: fields['metadata'] ?? {} } : fields;
}
