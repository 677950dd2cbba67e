import type { ApprovalAnswer } from '../approval/approval.ts';
import { defined } from '../defined.ts';
import type { DispatchOptions } from '../dispatch/dispatch.ts';
import { AgentSwitch, SubagentStart, SubagentStop } from '../event/catalogue/agent.ts';
import { AfterCompaction, BeforeCompaction, type CompactionPayload } from '../event/catalogue/compaction.ts';
import { Stop, type TurnEndReason } from '../event/catalogue/model.ts';
import { UserInputRequired, UserPromptSubmit } from '../event/catalogue/prompt.ts';
import type { Execute } from '../execute.ts';
import { isSamePrincipal, type Principal, principalFrom } from '../principal.ts';
import type { Hooks } from '../registry/hooks.ts';
import { internalOf } from '../registry/internal.ts';
import { after } from '../thenable.ts';
import { callTool } from '../tool-call/call.ts';
import { listOf } from '../tool-call/members.ts';
import { refusalText } from '../tool-call/refusal.ts';
import {
  abandonCall,
  answerToolCall,
  beginToolCall,
  endToolCall,
  unlessElsewhere,
} from '../tool-call/split.ts';
import type {
  Attached,
  BeginOptions,
  Begun,
  CallOptions,
  FindTarget,
  RunCall,
  ToolCall,
  ToolCallOutcome,
  ToolResult,
} from '../tool-call/types.ts';
import { type RunEnd, tellEnd, tellLimit } from './end.ts';
import { ModelCall, type ModelCallOptions } from './model-call.ts';
import { canceled, type PendingApproval, PendingCalls } from './pending-calls.ts';
import {
  type NamedModel,
  type Prompt,
  type PromptPort,
  rememberPrompt,
  type SubmitOptions,
  type Submitted,
  type SubmittedInput,
  submitInput,
  submitPrompts,
} from './prompt.ts';
import { type RunOptions, RunState, type RunStop, turnEndOf, unlessAborted } from './state.ts';

/** A tool call of a run. The run fills in session, run and turn, and by default agent, parent call and signal. */
export type RunToolCall = Omit<ToolCall, 'session' | 'run' | 'turn'>;

/** Registries that hook a call besides those of its run. */
export interface InnerRegistries {
  /** The registries that hook the tool itself, further in than those of the run. Outermost first. */
  readonly inner?: readonly Attached[];
}

/** What happens after a model's final answer. */
export type AfterAnswer =
  | { readonly kind: 'over' }
  /** The run continues with this as the next user message. */
  | { readonly kind: 'continue'; readonly prompt: string }
  | { readonly kind: 'blocked'; readonly stop: RunStop };

/** What a framework reports of a compaction. Default: 0, and the reason that fits the source. */
export type CompactionFigures = Pick<CompactionPayload, 'source'> &
  Partial<Omit<CompactionPayload, 'type' | 'session' | 'run' | 'agent' | 'turn' | 'principal'>>;

/** Whether the history is compacted, and how. */
export type CompactionAnswer =
  | { readonly kind: 'compact'; readonly summary?: string; readonly context: readonly string[] }
  | { readonly kind: 'vetoed'; readonly reason: string };

/** How to open a run, including the options of its adapter. */
export interface AgentRunOptions extends RunOptions {
  /** How often in a row Stop hooks may make the run continue. Default: 3. */
  readonly maxContinuations?: number | undefined;
}

/**
 * The life of a run, from a prompt to its answer. The adapter reports what its framework does, and dispatches no event
 * of the catalogue itself. Where possible, methods are synchronous if the hooks are.
 */
export class AgentRun extends RunState {
  /** Calls that have begun before they run, and pending approvals. */
  readonly pending: PendingCalls = new PendingCalls();
  /** The runs of its sub-agents that have not ended. */
  readonly children: Set<AgentRun> = new Set();
  /** Whether it waits for a person and may resume in this process: see {@link PausedRuns}. */
  paused = false;
  readonly #unawaited: PromiseLike<unknown>[] = [];
  /** The calls that are in the pipeline. */
  #offered: ReadonlySet<string> | undefined;
  readonly #calling: Set<Promise<unknown>> = new Set();
  #ending: Promise<void> | undefined;
  readonly #prompts: Map<string, string> = new Map();
  readonly #maxContinuations: number | undefined;
  #forgetInParent: () => void = () => {};

  constructor(registries: readonly Attached[], options: AgentRunOptions) {
    super(registries, options);
    this.#maxContinuations = options.maxContinuations;
    this.#warnOfTypos();
  }

  #warnOfTypos(): void {
    for (const { hooks } of this.registries) {
      const { adapters, registrations } = internalOf(hooks);
      adapters?.warnOfTypos(registrations());
    }
  }

  /**
   * Opens the session. For a sub-agent, it informs the parent first. Call it once, before anything else.
   *
   * @param agent the agent's name, if it was not known before
   */
  async begin(agent: string = this.agent ?? ''): Promise<void> {
    const { parent, session } = this;
    if (agent !== '') this.agent = agent;
    if (parent !== undefined)
      await parent.ask(SubagentStart, { subagent: agent, subagentSession: session.id });
    await this.open();
  }

  /**
   * Resumes after a pause in the same process, with a new signal and a new count of Stop hooks. If the session was
   * closed in between, the run gets a new one with the same id, and its calls begin again, as in another process
   * (`resumed`).
   */
  resume(signal: AbortSignal | undefined): void {
    if (this.reopen()) this.pending.forget();
    this.paused = false;
    // One that has ended goes on because its thread does.
    if (this.over) this.stop = undefined;
    this.signal = signal;
    this.over = false;
    this.continuations = 0;
  }

  /**
   * Submits the user's messages of an input, wherever they stand in it: an answer behind a message does not hide it.
   * Those that a run of this session has submitted, as in a history that a client posts again, run no hooks and get the
   * text that hooks left then; those behind the last answer are always new. Do not pass what the framework recalled
   * from its own memory.
   */
  submitInput<Message>(
    messages: readonly Message[],
    port: PromptPort<Message>,
    options: SubmitOptions = {},
  ): Promise<SubmittedInput<Message>> {
    return submitInput(messages, port, (prompts) => this.submit(prompts, options));
  }

  /** Fires `UserPromptSubmit` for the user's messages, then `BeforeRun`. */
  submit(prompts: readonly Prompt[], options: SubmitOptions = {}): Promise<Submitted> {
    return submitPrompts(this, this.#prompts, prompts, options);
  }

  /** Starts the turn of a model call, and ends the previous one. Returns the stop if a hook has ended the run. */
  startTurn(): RunStop | undefined | PromiseLike<RunStop | undefined> {
    // Some frameworks tell of an agent's tools only after its run has begun.
    this.#warnOfTypos();
    // The next answer may use their ids again.
    return after(this.pending.forgetDecided(), () => this.nextTurn());
  }

  /**
   * Ends the open turn, if there is one. Model calls and the end of the run do this themselves. If a hook has ended the
   * run, the turn ends for its reason.
   */
  endTurn(reason: TurnEndReason): undefined | PromiseLike<undefined> {
    return this.closeTurn(this.stop === undefined ? reason : turnEndOf(this.stop));
  }

  /** A model call of the open turn. */
  modelCall(model: NamedModel, options: ModelCallOptions = {}): ModelCall {
    return new ModelCall(this, model, options);
  }

  /**
   * Notes which tools a model call offers. Until the next one, hooks rename calls to no other tool: the framework has
   * narrowed them for this step, or a hook has. Calls that resume before a model was called are not limited.
   */
  offer(tools: Iterable<string>): void {
    this.#offered = new Set(tools);
  }

  /** With only those tools for renamed calls that the model was offered. */
  #offering<Options extends { readonly rename?: FindTarget | undefined }>(options: Options): Options {
    const { rename } = options;
    if (rename === undefined) return options;
    return {
      ...options,
      rename: (name: string) => {
        const target = rename(name);
        if (typeof target !== 'object' || this.#offered?.has(target.name) !== false) return target;
        return { ...target, unenforced: target.unenforced ?? 'was not offered to the model in this step' };
      },
    };
  }

  /**
   * The first half of a tool call, for frameworks with a separate callback before it: fires `BeforeToolCall` and asks
   * for approval, once. `callTool` continues with it.
   */
  async beginTool(
    call: RunToolCall & { readonly callId: string },
    { inner = [], capabilities, ...rest }: BeginOptions & InnerRegistries = {},
  ): Promise<Begun> {
    const options = { ...rest, ...(capabilities && { capabilities: this.#offering(capabilities) }) };
    const described = this.#describe(call);
    const begun = await this.pending.begin(call, () =>
      beginToolCall(this.withInner(inner), described, options),
    );
    if (begun.kind === 'done') this.#noteStop(begun.outcome);
    return begun;
  }

  /** Answers a pending approval, or asks the approvers: see {@link PendingCalls.answer}. What comes of it may end the run. */
  async answerTool(...[call, answer]: Parameters<PendingCalls['answer']>): Promise<Begun | undefined> {
    const begun = await this.pending.answer(call, answer);
    if (begun?.kind === 'done') this.#noteStop(begun.outcome);
    return begun;
  }

  /**
   * Ends a call that was denied or canceled, whether it waits in this process or began in another one.
   *
   * @returns what the model reads; undefined if neither a person nor a hook gave a reason, so that the framework words it
   */
  async denyTool(
    call: RunToolCall & { readonly callId: string },
    answer: ApprovalAnswer & { readonly decision: 'deny' | 'canceled' },
    options: BeginOptions & InnerRegistries = {},
  ): Promise<string | undefined> {
    const { reason } = answer;
    const { approvalId } = call;
    const resumed = { decision: 'deny', reason } as const;
    const begun = this.pending.get(call) ?? (await this.beginTool({ ...call, resumed }, options));
    // Its session may know the call as a pending one, also where the framework restored the run.
    const ended = begun.kind === 'ask' ? await this.answerTool(call, { ...answer, approvalId }) : begun;
    this.pending.forget(call);
    return ended?.kind === 'done' ? refusalText(ended.outcome, reason) : undefined;
  }

  /** Runs a tool call through the pipeline, continuing after `beginTool`. */
  async callTool(
    call: RunToolCall,
    execute: Execute,
    options: CallOptions & InnerRegistries = {},
  ): Promise<ToolCallOutcome> {
    const calling = this.#callTool(call, execute, options);
    this.#calling.add(calling);
    try {
      return await calling;
    } finally {
      this.#calling.delete(calling);
    }
  }

  async #callTool(
    call: RunToolCall,
    execute: Execute,
    { inner = [], ...options }: CallOptions & InnerRegistries,
  ): Promise<ToolCallOutcome> {
    const { callId } = call;
    const described = this.#describe(call);
    const taken = callId === undefined ? undefined : this.pending.take({ ...call, callId });
    const begun = options.begun ?? (await unlessForAnother(taken, described.principal));
    const run = () =>
      callTool(this.withInner(inner), described, execute, { ...this.#offering(options), begun });
    const ended = begun?.kind === 'ask' ? await unlessElsewhere(begun, run) : await run();
    const outcome = 'kind' in ended ? ended.outcome : ended;
    this.#noteStop(outcome);
    return outcome;
  }

  /**
   * Ends a tool call that ran elsewhere, such as in a client: transforms its result and fires `AfterToolCall`.
   *
   * @param begun what `beginTool` returned, if the call began in this process
   */
  async finishTool(
    call: RunToolCall & { readonly callId: string },
    result: ToolResult,
    { inner = [], begun }: InnerRegistries & { readonly begun?: RunCall | undefined } = {},
  ): Promise<ToolCallOutcome> {
    const outcome = await endToolCall(this.withInner(inner), this.#describe(call), result, begun);
    this.#noteStop(outcome);
    return outcome;
  }

  /** Fires `Stop` for the model's final answer. */
  async finished(response: string, native?: unknown): Promise<AfterAnswer> {
    if (this.stop !== undefined) return { kind: 'blocked', stop: this.stop };
    if (!this.hears(Stop)) return { kind: 'over' };
    const { lastUserMessage, continuations, signal } = this;
    const maxContinuations = this.#maxContinuations ?? 3;
    const last = continuations >= maxContinuations;
    const event = {
      response,
      continuations,
      ...defined({ last: last || undefined, lastUserMessage, native }),
    };
    const decision = await unlessAborted(signal, this.ask(Stop, event, { last }));
    if (decision.kind === 'block') return { kind: 'blocked', stop: this.endBy(decision) };
    if (decision.kind !== 'retry') return { kind: 'over' };
    this.continuations++;
    this.lastUserMessage = decision.reason;
    // It is a user message of the history from now on, but not a user's prompt.
    if (this.hears(UserPromptSubmit)) await rememberPrompt(this, decision.reason);
    return { kind: 'continue', prompt: decision.reason };
  }

  /** Opens the run of a sub-agent or of an agent as a tool, by default in its own session. */
  openChild(options: Omit<AgentRunOptions, 'parent'>): AgentRun {
    const { signal } = this;
    const inherited = { ownsSession: true, signal, maxContinuations: this.#maxContinuations };
    const child = new AgentRun(this.registries, { ...inherited, ...options, parent: this });
    this.children.add(child);
    child.#forgetInParent = () => this.children.delete(child);
    return child;
  }

  /** This run and those of its sub-agents that have not ended, at whatever depth. */
  get tree(): readonly AgentRun[] {
    return [this, ...[...this.children].flatMap((child) => child.tree)];
  }

  /** Makes the end of the run wait for work that the framework does not await. It must not reject. */
  waitFor(work: PromiseLike<unknown>): void {
    this.#unawaited.push(work);
  }

  /** Passes control to another agent; after a handoff it stays there. */
  async switchAgent(
    to: string,
    { from = this.agent ?? '', switchKind, models = [], native }: SwitchOptions,
  ): Promise<void> {
    await this.ask(AgentSwitch, { from, to, switchKind, models, ...defined({ native }) });
    if (switchKind === 'handoff') this.agent = to;
  }

  /**
   * Fires `BeforeCompaction`: may the history be compacted, and how?
   *
   * @param options.signal what may abort the compaction. Default: the run's; undefined for a compaction that the
   *   framework carries out after an abort, too
   */
  async compact(
    figures: CompactionFigures,
    options: Pick<DispatchOptions, 'refuse' | 'signal'> = {},
  ): Promise<CompactionAnswer> {
    const { signal } = { signal: this.signal, ...options };
    const asked = this.ask(BeforeCompaction, allFigures(figures), options);
    const decision = await unlessAborted(signal, asked);
    if (decision.kind === 'block') return { kind: 'vetoed', reason: decision.reason };
    const { summary, context = [] } = decision.kind === 'modify' ? decision.patch : {};
    return { kind: 'compact', context, ...defined({ summary }) };
  }

  /** Fires `AfterCompaction`. */
  async compacted(figures: CompactionFigures, summary: string): Promise<void> {
    await this.ask(AfterCompaction, { ...allFigures(figures), summary });
  }

  /** Fires `UserInputRequired`, once for each waiting call. The turn and the session stay open. */
  async pause(waiting: readonly Pick<PendingApproval, 'reason'>[] = this.pending.waiting): Promise<void> {
    for (const { reason } of waiting) await this.ask(UserInputRequired, { message: reason });
    // A tool waits for something of its own.
    if (waiting.length === 0) await this.ask(UserInputRequired, {});
  }

  /** Fires `MaxIterations` for a run that reached its limit but still ends with an answer. */
  reachLimit(maxIterations: number, message: string): Promise<void> {
    return tellLimit(this, maxIterations, message);
  }

  /**
   * Ends the run: reports an error or a limit, ends the turn, informs the parent of a sub-agent, and closes a session
   * without an id. To end a run that is ending waits for that, and has no other effect.
   *
   * A tool may work on after its run was aborted or has failed. Then the run ends once that call has, and the caller, who
   * must not hang on a tool, does not wait for it; `hooks.settled` does.
   *
   * @param options `keep` keeps its context and metadata, because the thread may continue the run
   */
  async end(end: RunEnd, options: { readonly keep?: boolean } = {}): Promise<void> {
    if (!this.over) {
      this.over = true;
      this.#forgetInParent();
      this.#ending = this.#endAfterCalls(end, options);
      this.keepEnd(this.#ending);
    }
    await this.#ending;
  }

  async #endAfterCalls(end: RunEnd, options: { readonly keep?: boolean }): Promise<void> {
    await Promise.all(this.#unawaited.splice(0));
    if (options.keep || this.#calling.size === 0) return this.#end(end, options);
    this.keepEnd(this.#called().then(() => this.#end(end, options)));
  }

  /** Resolves once no call is in the pipeline. */
  async #called(): Promise<void> {
    while (this.#calling.size > 0) await Promise.allSettled(this.#calling);
  }

  async #end(end: RunEnd, { keep = false }: { readonly keep?: boolean }): Promise<void> {
    if (!keep) await this.pending.end('The call did not run, because the run is over.');
    const reason = await tellEnd(this, end);
    await this.closeTurn(reason);
    const { parent, agent = '', session, lastUserMessage, stop } = this;
    const response = stop?.reason ?? (end.kind === 'done' ? (end.response ?? '') : '');
    if (parent !== undefined)
      await parent.ask(SubagentStop, {
        subagent: agent,
        subagentSession: session.id,
        response,
        ...defined({ lastUserMessage }),
      });
    if (!keep) await this.close();
  }

  #describe(call: RunToolCall): ToolCall {
    const { session, id, turn } = this;
    const {
      agent = this.agent,
      parentCallId = this.parentCallId,
      principal: ofCall,
      signal = this.signal,
    } = call;
    const principal = ofCall === undefined ? this.principal : principalFrom(ofCall, 'callTool');
    return { ...call, agent, parentCallId, principal, signal, session, run: id, turn };
  }

  #noteStop(outcome: ToolCallOutcome): void {
    if (outcome.stop) this.endBy(outcome);
  }
}

/** What has begun, unless hooks decided about it for another user: that call is over, and this one begins anew. */
async function unlessForAnother(
  begun: Begun | undefined,
  principal: Principal | undefined,
): Promise<Begun | undefined> {
  if (begun === undefined || begun.kind === 'done' || isSamePrincipal(begun.token.principal, principal))
    return begun;
  const reason = 'The call did not run, because it runs for another user than hooks were asked about.';
  if (begun.kind === 'run') await abandonCall(begun, reason);
  else await unlessElsewhere(begun, () => answerToolCall(begun.token, canceled(reason)));
  return undefined;
}

function allFigures(figures: CompactionFigures) {
  const reasons = {
    auto: 'threshold',
    manual: 'manual',
    overflow: 'overflow',
    tool_overflow: 'overflow',
  } as const;
  return { inputTokens: 0, outputTokens: 0, contextLimit: 0, reason: reasons[figures.source], ...figures };
}

/** How control passes. */
export interface SwitchOptions extends Pick<AgentSwitch, 'switchKind' | 'native'> {
  readonly models?: AgentSwitch['models'];
  /** The agent that had control. Default: the run's. */
  readonly from?: string;
}

/**
 * Opens a run. From now on the adapter reports what the framework is about to do, and obeys the answers.
 *
 * @param registries the registries that hook the agent, outermost first; duplicates count once
 * @throws HooksError `INVALID_INPUT` if there is none
 * @example
 * ```ts
 * const run = openRun([{ hooks }], { agent: 'assistant', sessionId: thread, signal });
 * await run.begin();
 * const submitted = await run.submit([{ text: prompt }], { model: 'gpt-5' });
 * ```
 */
export function openRun(registries: readonly Attached[] | Hooks, options: AgentRunOptions = {}): AgentRun {
  return new AgentRun(listOf(registries), options);
}
