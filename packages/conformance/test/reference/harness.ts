import { randomUUID } from 'node:crypto';
import {
  type AgentRun,
  Attachment,
  BlockedError,
  blockReasonWith,
  isBlockedError,
  noteBlocked,
  type PendingApproval,
  type PromptPort,
  spreadParts,
} from '@hooks/core/adapter';
import type {
  AdapterHarness,
  AgentSpec,
  HarnessAgent,
  PersonAnswer,
  PostedMessage,
  RunOptions,
  RunResult,
  Seen,
} from '../../src/index.ts';
import { answerAll } from './approval.ts';
import type { Fault } from './faults.ts';
import { limitOf, loop } from './loop.ts';
import { connect } from './mcp.ts';
import type { Message } from './model.ts';
import { textOf } from './model-call.ts';
import { readPosted } from './posted.ts';
import {
  type Answered,
  attachAll,
  inCore,
  LimitReached,
  modelOf,
  open,
  Paused,
  type Registries,
  type Running,
  Stopped,
} from './run.ts';
import { Store, type Stored } from './store.ts';
import { supports } from './supports.ts';
import { messageOf } from './tool.ts';
import { executeTool, hookedCall, unwrap } from './tool-call.ts';
import { toolsOf } from './tools.ts';

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
    demandsTools: true,
    repeats: true,
    reportsUsage: true,
    posts: ['call', 'result', 'approval'],
    module: `${import.meta.url.split('?')[0]}?${query}`,
    // Without hooks there is no adapter and no fault.
    agent: (spec) => createAgent(spec, isHooked(spec) ? faults : new Set()),
    async callTool(tool, input, { hooks, attach, attachEach = [], signal, user }) {
      const faults = new Set(hooks.length > 0 ? broken : []);
      const spec = { name: 'bare', instructions: '', modelUrl: '', tools: [tool], hooks, attach, attachEach };
      const attached = attachAgent(spec, faults);
      const hooked = faults.has('leaves a bare tool unhooked') ? Attachment.none : attached;
      const run = open(inCore(hooked, faults), { signal, principal: attached.principal(user) }, faults);
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

/** What a run that a hook has ended throws, if it throws. */
function rejectionOf(attached: Registries, run: AgentRun, faults: ReadonlySet<Fault>): Error | undefined {
  if (faults.has('returns each refused run')) return undefined;
  if (faults.has('throws its own errors for refusals')) return refusal(run.stop?.reason ?? '');
  if (faults.has('throws each refused run') && run.stop !== undefined)
    return new BlockedError({ reason: run.stop.reason, stop: true });
  return attached.rejection(run);
}

function refusal(reason: string): Error {
  const error = new Error(`Refused: ${reason}`);
  noteBlocked(error, reason);
  return error;
}

function isHooked({ hooks, tools }: AgentSpec): boolean {
  return hooks.length > 0 || tools.some(({ hooks: own = [] }) => own.length > 0);
}

/** The sessions whose run somebody resumes at the moment, by where all agents of this process store them. */
const resumingByStorage = new Map<string, Set<string>>();

function resumingIn(storage: string | undefined): Set<string> {
  const resuming = (storage === undefined ? undefined : resumingByStorage.get(storage)) ?? new Set<string>();
  if (storage !== undefined) resumingByStorage.set(storage, resuming);
  return resuming;
}

async function createAgent(given: AgentSpec, faults: ReadonlySet<Fault>): Promise<HarnessAgent> {
  // A sub-agent is made with its agent, although it may never run.
  const spec = {
    ...given,
    subagents:
      given.subagents?.map((sub) => ({ ...sub, tools: sub.tools.map((tool) => ({ ...tool })) })) ?? [],
  };
  const store = new Store(spec.storage);
  const kept = new Map<string, Running>();
  const resuming = resumingIn(spec.storage);
  /** Whose runs wait, by session. */
  const owners = new Map<string, string | undefined>();
  const attached = attachAgent(spec, faults);
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
      (options.stream && faults.has('runs no hooks in a stream')) ||
      (faults.has('runs without hooks to the end if none is registered at the start') &&
        attached.hooks.every((each) => each.list().length === 0));
    const keeps = resumes && faults.has('keeps a pause that was answered');
    const known = keeps && kept.get(session)?.run.over ? undefined : kept.get(session);
    const restores =
      faults.has('loses the pending calls') ||
      faults.has('resumes a pause with each answer that arrives at once');
    const before = resumes && !deaf && !restores ? known : undefined;
    const running: Running = {
      ...(before ?? runningOf(spec, options, faults, paused)),
      options,
      run:
        before?.run ??
        open(
          deaf ? [] : inCore(attached, faults),
          runOptions(spec, attached, options, paused, faults),
          faults,
        ),
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
      return { text, result, usage: running.spent, seen };
    } catch (error) {
      if (error instanceof Paused) {
        kept.set(session, running);
        owners.set(session, options.user);
        const pending = pendingOf(running);
        store.save(session, { history: running.history, paused: pausedOf(running, pending) });
        return { text: '', result: { pending }, seen };
      }
      await run.end(endOf(running, error), { keep });
      if (!(error instanceof Stopped)) return { text: '', error, seen };
      const rejection = rejectionOf(attached, run, faults);
      if (rejection !== undefined) return { text: '', error: rejection, seen };
      const text = faults.has('leaves the text of a refused run empty') ? '' : error.message;
      running.show('answer', text);
      const result = { pending: [] };
      noteBlocked(result, error.message);
      return { text, result, usage: running.spent, seen };
    } finally {
      if (run.over && !keeps) store.save(session, { history: running.history });
    }
  };
  return {
    run: (prompt, { history = [], behind = [], ...options }) =>
      play(options, false, (running) =>
        submit(running, [...history, { role: 'user', content: prompt }, ...behind], options),
      ).catch((error: unknown) => ({ text: '', error, seen: [] })),
    resume: async (answers, options) => {
      const { user, session, pausedIn = session } = options;
      const careless = faults.has('resumes the pause of anybody');
      if (!careless && owners.has(session) && owners.get(session) !== user)
        return refused(`The pause of ${session} is not that of ${user ?? 'nobody'}.`);
      const at = careless ? pausedIn : session;
      if (resuming.has(at)) return refused(`The run of ${at} is being resumed.`);
      const shares =
        faults.has('keeps a pause that was answered') ||
        faults.has('resumes a pause with each answer that arrives at once');
      if (!shares) resuming.add(at);
      try {
        return await play(
          { ...options, session: at },
          true,
          (running) => resumeAll(running, store.load(at)),
          answers,
        );
      } finally {
        resuming.delete(at);
      }
    },
    paused: async (session) => store.load(session).paused,
    stored: async (session) => store.load(session),
    close: async () => {
      await Promise.all(servers.map(({ close }) => close()));
    },
  };
}

/** Attaches the adapter to the registries of an agent and of its tools. */
function attachAgent(spec: AgentSpec, faults: ReadonlySet<Fault>): Registries {
  const { hooks, tools } = spec;
  const late = faults.has('ignores hooks registered after attaching');
  const concerned = hooks.filter((each) => !late || each.list().length > 0);
  const names = tools.map(({ name }) => name);
  for (const { name, hooks: own = [], ...tool } of tools)
    attachAll(own, [name], { attach: tool.attach ?? spec.attach, attachEach: tool.attachEach ?? [] }, faults);
  return attachAll(concerned, names, spec, faults);
}

function runOptions(
  { name }: AgentSpec,
  attached: Registries,
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
  const maxContinuations = faults.has('ignores maxContinuations') ? undefined : attached.maxContinuations;
  return {
    id: paused?.run,
    sessionId: anew ? randomUUID() : named,
    agent: faults.has('does not report the agent') ? undefined : name,
    signal,
    principal: attached.principal(user),
    maxContinuations: faults.has('never stops a Retry') ? 5 : maxContinuations,
    ...(resumed && { source: 'resume' as const }),
    ...(!faults.has('does not recognize a run that a tool starts') && {
      parent: outer?.running.run,
      parentCallId: outer?.callId,
    }),
  };
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
    ...{
      show: () => {},
      history: [],
      mcpTools: [],
      answers: new Map(),
      waiting: new Map(),
      spent: { inputTokens: 0, outputTokens: 0 },
      decided: new Set(),
    },
    results: new Map(paused?.results),
  };
}

function answersOf(
  answers: readonly PersonAnswer[],
  paused: Stored['paused'],
): readonly (readonly [string, Answered])[] {
  const hashes = new Map(paused?.pending.map(({ callId, hash }) => [callId, hash]));
  return answers.map(({ callId, ...answer }) => [callId, { ...answer, hash: hashes.get(callId) }]);
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

function refused(message: string): RunResult {
  return { text: '', error: new Error(message), seen: [] };
}

/** Passes a person's answers to the paused run. */
async function resumeAll(running: Running, { paused }: Stored): Promise<void> {
  const [tool] = toolsOf(running);
  if (paused === undefined && tool && running.faults.has('runs a call that nobody has paused'))
    await executeTool(running, tool, { city: 'Rome' }, 'c1');
  await answerAll(running);
}

function lastUser(history: Stored['history']): string | undefined {
  const content = history.findLast(({ role }) => role === 'user')?.content;
  return typeof content === 'string' ? content : undefined;
}

/** Runs the hooks on the user's messages and the run, and adds the input as hooks left it to the history. */
async function submit(
  running: Running,
  posted: readonly PostedMessage[],
  options: RunOptions,
): Promise<void> {
  const { run, history, faults } = running;
  const input = withImage(await readPosted(running, posted), options);
  const blind = faults.has('looks for prompts behind the last answer only');
  const since = blind ? input.findLastIndex(({ role }) => role === 'assistant') + 1 : 0;
  const moves = faults.has('puts a changed prompt before its image');
  const port = faults.has('asks again about a posted history') ? FORGETFUL : moves ? MOVING : PORT;
  const submitted = await run.submitInput(input.slice(since), port, modelOf(run));
  const prompt = lastUser(input) ?? '';
  if (faults.has('stores the original of a rewritten prompt'))
    history.push({ role: 'system', content: prompt });
  if (submitted.kind === 'submitted') {
    history.push(...input.slice(0, since), ...submitted.messages);
    return;
  }
  if (faults.has('stores what stands before a blocked prompt')) history.push(...input.slice(0, submitted.at));
  if (faults.has('stores a blocked prompt')) history.push({ role: 'user', content: prompt });
  if (!faults.has('sends a blocked prompt to the model')) throw new Stopped(submitted.stop.reason);
  run.stop = undefined;
  history.push(...input);
}

/** The messages, the last of the user's with its image. */
function withImage(messages: readonly Message[], { image: url, caption }: RunOptions): readonly Message[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, at) => {
    if (url === undefined || at !== last) return message;
    const content = [
      { type: 'text' as const, text: String(message.content) },
      { type: 'image_url' as const, image_url: { url } },
      ...(caption === undefined ? [] : [{ type: 'text' as const, text: caption }]),
    ];
    return { ...message, content } as Message;
  });
}

const PORT: PromptPort<Message> = {
  read: (message) => (message.role === 'user' ? { text: textOf(message) } : 'answer'),
  write(message, text) {
    const { content } = message;
    const changed = Array.isArray(content) ? spreadParts<ContentPart>(content, text, '') : text;
    return { ...message, content: changed } as Message;
  },
};

type ContentPart = Extract<Message['content'], readonly object[]>[number];

/** Puts a changed text before the image. */
const MOVING: PromptPort<Message> = {
  ...PORT,
  write(message, text) {
    const parts: readonly ContentPart[] = Array.isArray(message.content) ? message.content : [];
    const others = parts.filter((part) => !('text' in part));
    return { ...message, content: [{ type: 'text', text }, ...others] } as Message;
  },
};

/** Hides the answers, so that each prompt is new. */
const FORGETFUL: PromptPort<Message> = {
  ...PORT,
  read: (message) => (message.role === 'user' ? PORT.read(message) : undefined),
};

/** The end of a run whose loop threw an error. */
function endOf(running: Running, error: unknown): Parameters<Running['run']['end']>[0] {
  if (error instanceof Stopped) return { kind: 'done' };
  if (running.options.signal?.aborted) return { kind: 'canceled' };
  if (error instanceof LimitReached && !running.faults.has('reports the iteration limit as an error'))
    return { kind: 'limit', maxIterations: limitOf(running), message: messageOf(error) };
  return { kind: 'error', error };
}
