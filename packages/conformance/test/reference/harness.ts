import { randomUUID } from 'node:crypto';
import type { Attached, Hooks, Principal } from '@hooks/core';
import {
  attachAdapter,
  blockReasonWith,
  isBlockedError,
  noteBlocked,
  type PendingApproval,
} from '@hooks/core/adapter';
import type {
  AdapterHarness,
  AgentSpec,
  HarnessAgent,
  PersonAnswer,
  RunOptions,
  RunResult,
  Seen,
} from '../../src/index.ts';
import { answerAll } from './approval.ts';
import type { Fault } from './faults.ts';
import { limitOf, loop } from './loop.ts';
import { connect } from './mcp.ts';
import {
  type Answered,
  attachedOf,
  LimitReached,
  modelOf,
  open,
  Paused,
  type Running,
  Stopped,
} from './run.ts';
import { Store, type Stored } from './store.ts';
import { supports } from './supports.ts';
import { messageOf } from './tool.ts';
import { hookedCall, unwrap } from './tool-call.ts';

/** A source of pending approvals: a result, or the stored state of a paused run. */
interface Pending {
  readonly pending: readonly PendingApproval[];
}

function pendingIn({ pending }: Pending, faults: ReadonlySet<Fault>): Promise<readonly PendingApproval[]> {
  // JavaScript adapters have no compiler to stop them.
  if (faults.has('returns pending approvals synchronously')) return pending as never;
  return Promise.resolve(pending);
}

/** The harness of the reference adapter, correct or with faults. */
export function referenceHarness(...broken: readonly Fault[]): AdapterHarness {
  const faults: ReadonlySet<Fault> = new Set(broken);
  const query = new URLSearchParams(broken.map((fault): [string, string] => ['fault', fault]));
  return {
    supports,
    blockReason: blockReasonWith(() => undefined),
    pendingApprovals: (resultOrState) => pendingIn(resultOrState as Pending, faults),
    displacements: ['hooks'],
    editsInputs: true,
    module: `${import.meta.url.split('?')[0]}?${query}`,
    // Without hooks there is no adapter and no fault.
    agent: (spec) => createAgent(spec, isHooked(spec) ? faults : new Set()),
    async callTool(tool, input, { hooks, attach, signal, user }) {
      const faults = new Set(hooks.length > 0 ? broken : []);
      const spec = { name: 'bare', instructions: '', modelUrl: '', tools: [tool], hooks, attach };
      const attached = attachAll(spec, faults);
      const registries = faults.has('leaves a bare tool unhooked') ? [] : attached;
      const run = open(registries, { signal, principal: principalOf(user, faults) }, faults);
      const options = { stream: false, ...(signal && { signal }) };
      const running = { ...runningOf(spec, options, faults), run };
      await run.begin();
      try {
        const outcome = await hookedCall(running, { kind: 'function', ...tool, hooks: [] }, input, undefined);
        return { output: unwrap(outcome) };
      } catch (error) {
        return {
          error:
            isBlockedError(error) && faults.has('throws its own errors for refusals')
              ? refusal(error.reason)
              : error,
        };
      } finally {
        await run.end({ kind: 'done' }, { keep: faults.has('never ends a session') });
      }
    },
  };
}

/**
 * The harness that another process imports. The query of this module's URL has the faults.
 *
 * @public
 */
export const harness: AdapterHarness = referenceHarness(
  ...(new URL(import.meta.url).searchParams.getAll('fault') as Fault[]),
);

function refusal(reason: string): Error {
  const error = new Error(`Refused: ${reason}`);
  noteBlocked(error, reason);
  return error;
}

function isHooked({ hooks, tools }: AgentSpec): boolean {
  return hooks.length > 0 || tools.some(({ hooks: own = [] }) => own.length > 0);
}

async function createAgent(spec: AgentSpec, faults: ReadonlySet<Fault>): Promise<HarnessAgent> {
  const store = new Store(spec.storage);
  const kept = new Map<string, Running>();
  const registries = attachAll(spec, faults);
  const servers = await Promise.all((spec.mcpServers ?? []).map(connect));

  const play = async (
    options: RunOptions,
    resumes: boolean,
    start: (running: Running) => Promise<void>,
    answers: readonly PersonAnswer[] = [],
  ): Promise<RunResult> => {
    const session = options.session ?? randomUUID();
    const { history, paused } = store.load(session);
    const seen: Seen[] = [];
    const deaf =
      (options.displace !== undefined && faults.has('lets a run option displace the hooks')) ||
      (resumes && faults.has('resumes a run unhooked')) ||
      (options.stream && faults.has('runs no hooks in a stream'));
    const before = resumes && !deaf && !faults.has('loses the pending calls') ? kept.get(session) : undefined;
    const running: Running = {
      ...(before ?? runningOf(spec, options, faults, paused)),
      options,
      run: before?.run ?? open(deaf ? [] : registries, runOptions(spec, options, paused, faults), faults),
      history: [...history],
      show: (kind, value) => void seen.push({ kind, value }),
      mcpTools: servers.flatMap(({ tools }) => tools),
      answers: new Map([...(paused?.answers ?? []), ...answersOf(answers, paused)]),
    };
    const { run } = running;
    if (before === undefined) {
      run.iteration = paused?.iteration ?? 0;
      run.lastUserMessage = lastUser(history);
      await run.begin();
    } else run.resume(options.signal);
    if (faults.has('adds an event where no hook is registered') && spec.hooks.length > 0)
      running.show('hooked', {});
    const keep = faults.has('never ends a session');
    try {
      await start(running);
      const text = await loop(running);
      await run.end({ kind: 'done', response: text }, { keep });
      const result = { text, pending: [] };
      const last = running.history.at(-2);
      if (faults.has('reports every Block as the reason of the run') && last?.role === 'tool')
        noteBlocked(result, String(last.content));
      return { text, result, seen };
    } catch (error) {
      if (error instanceof Paused) {
        kept.set(session, running);
        const pending = pendingOf(running);
        store.save(session, { history: running.history, paused: pausedOf(running, pending) });
        return { text: '', result: { pending }, seen };
      }
      await run.end(endOf(running, error), { keep });
      if (!(error instanceof Stopped)) return { text: '', error, seen };
      if (faults.has('throws its own errors for refusals'))
        return { text: '', error: refusal(error.message), seen };
      const result = { pending: [] };
      noteBlocked(result, error.message);
      return { text: '', result, seen };
    } finally {
      if (run.over) store.save(session, { history: running.history });
    }
  };
  return {
    run: (prompt, options) => play(options, false, (running) => submit(running, prompt, options)),
    resume: (answers, options) => play(options, true, answerAll, answers),
    paused: async (session) => store.load(session).paused,
    stored: async (session) => store.load(session),
    close: async () => {
      await Promise.all(servers.map(({ close }) => close()));
    },
  };
}

/** Attaches the adapter to the registries of an agent and of its tools. */
function attachAll({ hooks, tools, attach }: AgentSpec, faults: ReadonlySet<Fault>): readonly Attached[] {
  const { allowUnsupported = [] } = attach;
  const tell = (those: readonly Hooks[], names: readonly string[]): void => {
    for (const each of those)
      attachAdapter(each, {
        supports,
        tools: faults.has('does not report its tools') ? [] : names,
        allowUnsupported,
      });
  };
  const late = faults.has('ignores hooks registered after attaching');
  const concerned = hooks.filter((each) => !late || each.list().length > 0);
  tell(
    concerned,
    tools.map(({ name }) => name),
  );
  for (const { name, hooks: own = [] } of tools) tell(own, [name]);
  return attachedOf(concerned, attach, faults);
}

function runOptions(
  { name, attach }: AgentSpec,
  { session, signal, inside, user }: RunOptions,
  paused: Stored['paused'],
  faults: ReadonlySet<Fault>,
) {
  const resumed = paused !== undefined;
  const named = faults.has('shares context between sessions') ? 'shared' : session;
  const anew =
    faults.has('starts a session for each run') || (resumed && faults.has('loses the pending calls'));
  // The context that the reference framework passes to a tool's function.
  const outer = inside as { readonly running: Running; readonly callId: string } | undefined;
  const { maxContinuations } = faults.has('ignores maxContinuations') ? {} : attach;
  return {
    id: paused?.run,
    sessionId: anew ? randomUUID() : named,
    agent: faults.has('does not report the agent') ? undefined : name,
    signal,
    principal: principalOf(user, faults),
    maxContinuations: faults.has('never stops a Retry') ? 5 : maxContinuations,
    ...(resumed && { source: 'resume' as const }),
    ...(!faults.has('does not recognize a run that a tool starts') && {
      parent: outer?.running.run,
      parentCallId: outer?.callId,
    }),
  };
}

/** The principal of a run. The reference framework's context is a user id. */
function principalOf(user: string | undefined, faults: ReadonlySet<Fault>): Principal | undefined {
  if (user === undefined || faults.has('does not report the principal')) return undefined;
  return { id: faults.has('gives all runs the same principal') ? 'ann' : user };
}

/** The framework's part of a run, without core's run. */
function runningOf(
  spec: AgentSpec,
  options: RunOptions,
  faults: ReadonlySet<Fault>,
  paused?: Stored['paused'],
): Omit<Running, 'run'> {
  return {
    spec,
    options,
    faults,
    loop,
    ...{ show: () => {}, history: [], mcpTools: [], answers: new Map(), waiting: new Map() },
    results: new Map(paused?.results),
  };
}

function answersOf(
  answers: readonly PersonAnswer[],
  paused: Stored['paused'],
): readonly (readonly [string, Answered])[] {
  const hashes = new Map(paused?.pending.map(({ callId, hash }) => [callId, hash]));
  return answers.map((answer) => [answer.callId, { ...answer, hash: hashes.get(answer.callId) }]);
}

function pendingOf({ run, faults }: Running): readonly PendingApproval[] {
  const waiting = run.tree.flatMap(({ pending }) => pending.waiting);
  const sent = faults.has('shows a person the original input');
  return sent ? waiting.map((call) => ({ ...call, input: { city: 'Rome' } })) : waiting;
}

function pausedOf(
  { run, answers, results }: Running,
  pending: readonly PendingApproval[],
): NonNullable<Stored['paused']> {
  const { id, iteration } = run;
  return { run: id, iteration, pending, answers: [...answers], results: [...results] };
}

function lastUser(history: Stored['history']): string | undefined {
  const content = history.findLast(({ role }) => role === 'user')?.content;
  return typeof content === 'string' ? content : undefined;
}

/** Runs the hooks on the prompt and the run, and adds the resulting prompt to the history. */
async function submit(
  { run, history, faults }: Running,
  prompt: string,
  { image }: RunOptions,
): Promise<void> {
  const submitted = await run.submit([{ text: prompt }], modelOf(run));
  if (faults.has('stores the original of a rewritten prompt'))
    history.push({ role: 'system', content: prompt });
  let [message = prompt] = submitted.kind === 'submitted' ? submitted.prompts : [];
  if (submitted.kind === 'blocked') {
    if (faults.has('stores a blocked prompt')) history.push({ role: 'user', content: prompt });
    if (!faults.has('sends a blocked prompt to the model')) throw new Stopped(submitted.stop.reason);
    run.stop = undefined;
    message = prompt;
  }
  history.push({ role: 'user', content: image === undefined ? message : withImage(message, image) });
}

function withImage(text: string, url: string) {
  return [
    { type: 'text' as const, text },
    { type: 'image_url' as const, image_url: { url } },
  ];
}

/** The end of a run whose loop threw an error. */
function endOf(running: Running, error: unknown): Parameters<Running['run']['end']>[0] {
  if (error instanceof Stopped) return { kind: 'done' };
  if (running.options.signal?.aborted) return { kind: 'canceled' };
  if (error instanceof LimitReached && !running.faults.has('reports the iteration limit as an error'))
    return { kind: 'limit', maxIterations: limitOf(running), message: messageOf(error) };
  return { kind: 'error', error };
}
