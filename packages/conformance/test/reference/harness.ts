import { randomUUID } from 'node:crypto';
import {
  AgentError,
  BeforeRun,
  type Hooks,
  MaxIterations,
  Notification,
  type Session,
  UserPromptSubmit,
} from '@hooks/core';
import { attachAdapter, forgetRun } from '@hooks/core/adapter';
import type {
  AdapterHarness,
  AgentSpec,
  AttachSpec,
  HarnessAgent,
  PersonAnswer,
  RunOptions,
  RunResult,
  Seen,
} from '../../src/index.ts';
import { dispatch, endFailed, patchOf } from './events.ts';
import type { Fault } from './faults.ts';
import { hookedCall, Refused, unwrap } from './hooked-call.ts';
import { loop } from './loop.ts';
import { connect } from './mcp.ts';
import { type Answered, LimitReached, modelOf, outermostFirst, Paused, type Run, Stopped } from './run.ts';
import { Store } from './store.ts';
import { supports } from './supports.ts';
import type { Tool } from './tool.ts';

/** The harness of the reference adapter, whole or with faults. */
export function referenceHarness(...broken: readonly Fault[]): AdapterHarness {
  const faults = new Set(broken);
  const query = new URLSearchParams(broken.map((fault): [string, string] => ['fault', fault]));
  return {
    supports,
    displacements: ['hooks'],
    editsInputs: true,
    module: `${import.meta.url.split('?')[0]}?${query}`,
    agent: (spec) => createAgent(spec, faults),
    callTool: async (tool, input, { hooks, attach, signal }) => {
      const attached = faults.has('leaves a bare tool unhooked') ? [] : outermostFirst(hooks, faults);
      attachAll(attached, [tool.name], attach, faults);
      const id = randomUUID();
      const spec = { name: 'bare', instructions: '', modelUrl: '', tools: [tool], hooks, attach };
      const run = await openRun(spec, id, { stream: false, ...(signal && { signal }) }, attached, faults);
      try {
        const bare: Tool = { kind: 'function', ...tool, hooks: [] };
        return {
          output: unwrap(run, await hookedCall(run, run.gates, bare, input, undefined)),
          blockReason: undefined,
        };
      } catch (error) {
        return { error, blockReason: error instanceof Refused ? error.message : undefined };
      } finally {
        await closeRun(run, true);
      }
    },
  };
}

/**
 * As another process imports it: the faults stand behind the address of this module.
 *
 * @public
 */
export const harness: AdapterHarness = referenceHarness(
  ...(new URL(import.meta.url).searchParams.getAll('fault') as Fault[]),
);

async function createAgent(spec: AgentSpec, faults: ReadonlySet<Fault>): Promise<HarnessAgent> {
  const store = new Store(spec.storage);
  const concerned = spec.hooks.filter(
    (hooks) => !faults.has('ignores hooks that come after attaching') || hooks.list().length > 0,
  );
  const attached = outermostFirst(concerned, faults);
  const names = spec.tools.map(({ name }) => name);
  attachAll(attached, names, spec.attach, faults);
  for (const { name, hooks = [] } of spec.tools) attachAll(hooks, [name], spec.attach, faults);
  const servers = await Promise.all((spec.mcpServers ?? []).map(connect));
  const mcpTools = servers.flatMap(({ tools }) => tools);

  /** Runs on a prompt, or goes on with answers. */
  const play = async (input: string | readonly PersonAnswer[], options: RunOptions): Promise<RunResult> => {
    const fresh = randomUUID();
    const session = options.session ?? fresh;
    const seen: Seen[] = [];
    const displaced = options.displace !== undefined && faults.has('lets a run option displace the hooks');
    const unhooked = typeof input !== 'string' && faults.has('takes up a run unhooked');
    const deaf = displaced || unhooked || (options.stream && faults.has('asks no hooks in a stream'));
    const { history, paused } = store.load(session);
    const id = (typeof input !== 'string' && paused?.run) || fresh;
    let waits = false;
    const hashes = new Map(paused?.pending.map(({ callId, hash }) => [callId, hash]));
    const answers = typeof input === 'string' ? [] : input;
    const forgotten = typeof input !== 'string' && faults.has('forgets what paused');
    const run = await openRun(spec, forgotten ? id : session, options, deaf ? [] : attached, faults, {
      id,
      history: [...history],
      show: (kind, value) => void seen.push({ kind, value }),
      mcpTools,
      answers: new Map(
        answers.map((one): [string, Answered] => [one.callId, { ...one, hash: hashes.get(one.callId) }]),
      ),
      given: typeof input === 'string' ? [] : [...(paused?.given ?? [])],
      done: new Map(paused?.done),
    });
    const { pending } = run;
    const ended = { pending, seen, text: '', blockReason: undefined };
    if (faults.has('adds an event where no hook is registered') && attached.length > 0)
      run.show('hooked', {});
    try {
      if (typeof input === 'string') await submit(run, input);
      const text = await loop(run);
      store.save(session, { history: run.history });
      const last = run.history.at(-2);
      const blocked = faults.has('takes every block for the result') && last?.role === 'tool';
      return { ...ended, text, blockReason: blocked ? String(last.content) : undefined };
    } catch (error) {
      if (error instanceof Paused) {
        waits = true;
        store.save(session, {
          history: run.history,
          paused: { run: id, pending, done: [...run.done], given: [...run.given, ...run.answers] },
        });
        return ended;
      }
      if (error instanceof Stopped) {
        store.save(session, { history: run.history });
        return { ...ended, blockReason: error.reason };
      }
      await tellOf(run, error);
      return { ...ended, error };
    } finally {
      if (!waits) await closeRun(run, options.session === undefined);
    }
  };
  return {
    run: play,
    resume: (answers, options) => play(answers, options),
    pending: async (session) => store.load(session).paused?.pending ?? [],
    stored: async (session) => store.load(session),
    close: async () => {
      await Promise.all(servers.map(({ close }) => close()));
    },
  };
}

/** Asks about the prompt and about the run, and puts what is left of the prompt into the history. */
async function submit(run: Run, prompt: string): Promise<void> {
  const { history, faults, spec } = run;
  const decision = await dispatch(run, UserPromptSubmit, { prompt, ...modelOf(run) });
  if (faults.has('keeps the original of a rewritten prompt'))
    history.push({ role: 'system', content: prompt });
  if (decision.kind === 'block' && !faults.has('asks the model about a blocked prompt')) {
    if (faults.has('keeps a blocked prompt')) history.push({ role: 'user', content: prompt });
    throw new Stopped(decision.reason);
  }
  const { prompt: message = prompt } = patchOf<UserPromptSubmit>(decision);
  const metadata = faults.has('forgets a run’s metadata') ? {} : run.gates[0]?.session.run(run.id).metadata;
  const begun = await dispatch(run, BeforeRun, { message, metadata: metadata ?? {}, ...modelOf(run) });
  if (begun.kind === 'block') throw new Stopped(begun.reason);
  const { model = run.model, settings = {} } = patchOf<BeforeRun>(begun);
  Object.assign(run, { model, settings, spec });
  history.push({ role: 'user', content: message });
}

/** Tells hooks why a run failed, unless its user ended it. */
async function tellOf(run: Run, error: unknown): Promise<void> {
  if (run.options.signal?.aborted) return;
  const message = error instanceof Error ? error.message : String(error);
  const { maxIterations = 20 } = run.spec;
  const limited = error instanceof LimitReached;
  if (limited) await dispatch(run, MaxIterations, { maxIterations, message });
  else await dispatch(run, AgentError, { error, message });
  const level = limited && !run.faults.has('takes the limit for an error') ? 'warning' : 'error';
  await dispatch(run, Notification, { level, message });
  await endFailed(run, error);
}

function attachAll(
  attached: readonly Hooks[],
  tools: readonly string[],
  { allowUnsupported = [] }: AttachSpec,
  faults: ReadonlySet<Fault>,
): void {
  const told = faults.has('tells no tools') ? [] : tools;
  for (const hooks of attached) attachAdapter(hooks, { supports, tools: told, allowUnsupported });
}

async function openRun(
  spec: AgentSpec,
  sessionId: string,
  options: RunOptions,
  attached: readonly Hooks[],
  faults: ReadonlySet<Fault>,
  given: Partial<Pick<Run, 'id' | 'show' | 'history' | 'mcpTools' | 'answers' | 'given' | 'done'>> = {},
): Promise<Run> {
  const run = {
    ...{ id: sessionId, show: () => {}, history: [], mcpTools: [], answers: new Map() },
    ...{ given: [], done: new Map() },
    ...{
      spec,
      options,
      faults,
      turn: undefined,
      iteration: 0,
      model: 'scripted',
      settings: {},
      pending: [],
      loop,
    },
    ...given,
  };
  const named = faults.has('shares one context among sessions') ? 'shared' : sessionId;
  const own = faults.has('starts a session for each run') ? run.id : named;
  const session = (hooks: Hooks) =>
    faults.has('goes on in a session that is over') ? known(hooks, own) : hooks.session(own);
  const gates = attached.map((hooks) => ({ hooks, session: session(hooks) }));
  for (const { session } of gates) await session.open();
  return { ...run, gates };
}

const sessions = new WeakMap<Hooks, Map<string, Session>>();

/** The session of that id, open or not. */
function known(hooks: Hooks, id: string): Session {
  const all = sessions.get(hooks) ?? new Map<string, Session>();
  sessions.set(hooks, all.set(id, all.get(id) ?? hooks.session(id)));
  return all.get(id) ?? hooks.session(id);
}

async function closeRun(run: Run, minted: boolean): Promise<void> {
  const close = ({ session }: { readonly session: Session }) => {
    forgetRun(session, run.id);
    return minted && !run.faults.has('never ends a session') ? session.close() : undefined;
  };
  await Promise.all(run.gates.map(close));
}
