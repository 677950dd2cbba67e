import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadHooks } from '@hooks/config/load';
import { dispatchEvent, expandFamilies, importModule } from '@hooks/config/protocol';
import {
  createHooks,
  type HookDecision,
  type HookProvider,
  type HookRegistrar,
  type Hooks,
  type PointData,
} from '@hooks/core';
import type { Agent, AgentEvent, Outcome, Reply } from '../agents/agent.ts';
import { AGENTS } from '../agents/all.ts';
import { messageOf, type Program } from '../program.ts';
import { shareCore } from '../shared-core.ts';

/** What a hook needs of its process: the event is all of stdin. */
export interface HookProgram extends Program {
  readStdin(): Promise<string>;
}

/** What a hook says, and what is left to do when it has said it. */
export interface Answered {
  readonly reply: Reply;
  /** The policy has not answered: the reply is what a failure comes to. */
  readonly failed?: true;
  /** Resolves when the observers have settled. */
  finish(): Promise<void>;
}

/** What a failure comes to. */
export type Close = (reason: string) => Reply;

/**
 * Is the hook of a command-line agent: its event on stdin, its answer on stdout and by exit code. Whatever goes wrong,
 * a gate stays closed.
 *
 * @param closeWith is told how to close once the event is known, for failures that are not heard of here
 */
export async function runAsHook(
  args: readonly string[],
  program: HookProgram,
  closeWith: (close: Close) => void = () => {},
): Promise<Answered> {
  let policy: OpenPolicy | undefined;
  const reading = answerEvent(await program.readStdin(), args, closeWith, async (values) => {
    policy = await openPolicy(values, program);
    return policy;
  });
  const finish = async (): Promise<void> => {
    await policy?.hooks.settled();
    policy?.[Symbol.dispose]();
  };
  return { ...(await reading), finish };
}

/**
 * What an agent is answered on the event that it has told of.
 *
 * @param open gives the policy, once the event is known to be one that it may answer
 */
export async function answerEvent(
  stdin: string,
  args: readonly string[],
  closeWith: (close: Close) => void,
  open: (values: PolicyOptions) => OpenPolicy | Promise<OpenPolicy>,
): Promise<Omit<Answered, 'finish'>> {
  let close: Close = (reason) => ({ exitCode: 2, stderr: reason });
  try {
    const values = readOptions(args);
    const agent = agentOf(values.as);
    const event = agent.read(parse(stdin));
    if (event === undefined) return { reply: { exitCode: 0 } };
    if (typeof event === 'string') return { reply: { exitCode: 0, stderr: event } };
    close = (reason) => closed(agent, event, reason);
    closeWith(close);
    const { hooks } = await open(values);
    return { reply: agent.write(event, await ask(hooks, event)) };
  } catch (error) {
    return { reply: close(`hooks run failed: ${messageOf(error)}`), failed: true };
  }
}

/** On a gate, the agent's own refusal. Exit code 1 is told of, and changes nothing. */
function closed(agent: Agent, event: AgentEvent, reason: string): Reply {
  if (!event.gate) return { exitCode: 1, stderr: reason };
  const refusal = agent.write(event, { block: { reason, stop: false }, patch: {} });
  return { ...refusal, stderr: reason };
}

/** What the parser says repeats a part of the text, which may be a secret. */
function parse(stdin: string): unknown {
  try {
    return JSON.parse(stdin);
  } catch {
    throw new Error('what stands on stdin is not JSON');
  }
}

const options = {
  as: { type: 'string' },
  'answer-fd': { type: 'string' },
  file: { type: 'string' },
  policy: { type: 'string' },
  warm: { type: 'string' },
} as const;

/** Where a policy stands. */
export interface PolicyOptions {
  readonly file?: string | undefined;
  readonly policy?: string | undefined;
}

/** The options of `hooks run`. `--answer-fd` and `--warm` are between `hook.sh` and it. */
export function readOptions(
  args: readonly string[],
): PolicyOptions & { readonly as?: string | undefined; readonly warm?: string | undefined } {
  return parseArgs({ args: [...args], options }).values;
}

function agentOf(name: string | undefined): Agent {
  const agent = name !== undefined && Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;
  if (!agent) throw new Error(`--as ${name ?? ''}: expected one of: ${Object.keys(AGENTS).join(', ')}`);
  return agent;
}

/** A policy that is ready to be asked. */
export interface OpenPolicy extends Disposable {
  readonly hooks: Hooks;
}

/** Loads it, into a registry of its own. */
export async function openPolicy(options: PolicyOptions, program: Program): Promise<OpenPolicy> {
  const { providers, [Symbol.dispose]: dispose } = await loadPolicy(options, program);
  const hooks = createHooks();
  for (const provider of providers) hooks.use(provider);
  return { hooks, [Symbol.dispose]: dispose };
}

/** A policy that is loaded. */
export interface LoadedPolicy extends Disposable {
  readonly providers: readonly HookProvider[];
}

/** Loads it. One that is named on the command line is the user's own; a file of a workspace has to be trusted. */
export async function loadPolicy({ file, policy }: PolicyOptions, program: Program): Promise<LoadedPolicy> {
  const providers: HookProvider[] = [];
  if (policy !== undefined) {
    shareCore();
    providers.push(withFamilies(await providerAt(resolve(program.cwd(), policy))));
  }
  if (policy !== undefined && file === undefined) return { providers, [Symbol.dispose]: () => {} };
  const { cwd, env } = program;
  const loaded = await loadHooks(file ?? '.', { cwd: cwd(), env, cache: true, onWarning: () => {} });
  return {
    providers: [...providers, withFamilies(loaded)],
    [Symbol.dispose]: () => loaded[Symbol.dispose](),
  };
}

async function providerAt(path: string): Promise<HookProvider> {
  const { default: provider } = await importModule(pathToFileURL(path).href);
  if (isProvider(provider)) return provider;
  throw new Error(`${path}: its default export is no provider`);
}

function isProvider(value: unknown): value is HookProvider {
  return typeof Object(value).register === 'function';
}

/** The provider, in whose matchers `shell` and the other families of tools stand for the agent's own names. */
function withFamilies(provider: HookProvider): HookProvider {
  const widened = <P extends PointData>(point: P): P => {
    const pattern = point.tools?.pattern;
    if (typeof pattern !== 'string') return point;
    return { ...point, tools: { ...point.tools, pattern: expandFamilies(pattern) } };
  };
  const register = (hooks: HookRegistrar): void =>
    provider.register({
      session: hooks.session,
      dispatch: hooks.dispatch,
      list: hooks.list,
      trace: hooks.trace,
      use: (inner, options) => hooks.use(withFamilies(inner), options),
      on: (point, handler, options) => hooks.on(widened(point), handler, options),
      guard: (point, handler, options) => hooks.guard(widened(point), handler, options),
      observe: (point, handler, options) => hooks.observe(widened(point), handler, options),
    });
  const { name, once = false, version } = provider;
  return { name, once, ...(version !== undefined && { version }), register };
}

/** Asks the policy about each event that the agent's stands for; what one changes, the next sees. */
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
      patch = { ...patch, ...decision.patch };
      fields = { ...fields, ...decision.patch };
    }
  }
  return { patch };
}

function fieldsFor(type: string, fields: AgentEvent['data']['fields']): AgentEvent['data']['fields'] {
  return type === 'before_run' ? { message: fields['prompt'], metadata: fields['metadata'] ?? {} } : fields;
}
