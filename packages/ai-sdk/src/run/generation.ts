import type { FindTarget } from '@hooks/core';
import { noteBlocked, type ResumeOwner, type RunEnd } from '@hooks/core/adapter';
import { lostSetting } from '@hooks/language-model';
import type { LanguageModel, ModelMessage, Experimental_Steering as Steering, ToolSet } from 'ai';
import { boundSecret, checkSecret, mayAsk, maySign, ownOf } from '../approval/approval.ts';
import { Approvals } from '../approval/approvals.ts';
import { answeredIn, pausedRuns, responsesIn } from '../approval/pending.ts';
import type { ChunkTimeouts } from '../model/chunk-timeouts.ts';
import { hookedStandalone, standaloneModel } from '../model/hook-model.ts';
import { namedModel, noteStep, otherModel, wrapModel } from '../model/hooked-model.ts';
import type { NativeRun, Registries } from '../options.ts';
import type { ApprovalAnswer, ApprovalOptions, CallSettings, SdkTool, Step, ToolOptions } from '../sdk.ts';
import {
  callTool,
  checkOf,
  describe,
  descriptorOf,
  type Hooked,
  isParsedFrom,
  type NativeToolCall,
  parsedInput,
  refuseRepeated,
  settled,
} from '../tool/call.ts';
import { decideResults } from '../tool/client-results.ts';
import { enteringTool, hookedToolOf, withBoundTool } from '../tool/hooked-tool.ts';
import { type MadeCall, rememberAll, resultsOf } from '../tool/known-results.ts';
import { drained, unlessHeld } from '../tool/parts.ts';
import { plainOutput } from '../tool/replaced-output.ts';
import { type BegunWith, noteMessages, noteRefused } from './conversation.ts';
import { currentPlace, HookedRun, inPlace, inPlaceUntilRead, type SentCall } from './hooked-run.ts';
import { lastPrompt, messagesOf, type RefusedMessages, submitted, UNREAD } from './prompts.ts';

/** The context of an SDK call besides its settings. */
export interface GenerationOptions {
  readonly agent: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly steering: Steering;
  /** Measures the chunks of streamed answers, if their time is limited. */
  readonly timeouts?: ChunkTimeouts | undefined;
}

/** Who makes a call of the SDK. */
interface Requester extends ResumeOwner {
  readonly parent: HookedRun | undefined;
  readonly registries: Registries;
}

/** One call of an agent, `generateText` or `streamText`: reports what the SDK does to a run. */
export class Generation {
  readonly steering: Steering;
  /** The last reason of a `Stop` hook, which comes back as a user message. */
  #said: string | undefined;
  /** The stream that its user holds. */
  result: object | undefined;
  /** The number of steps after which the limit was reached. */
  limit: number | undefined;
  /** Whether the model was or is being called. What the SDK runs before that was approved by a person. */
  stepping = false;
  /** Whether hooks have seen its prompts. */
  submitted = false;
  /** Whether hooks refused a message of the user's, so that the next step answers with the reason. */
  refused = false;
  /** Whether a step has begun and not ended. The SDK reports a step's error when it ends. */
  inStep = false;
  readonly #registries: Registries;
  readonly #options: GenerationOptions;
  #run: HookedRun | undefined;
  #opening: Promise<HookedRun> | undefined;
  #settings: CallSettings = { model: '' };
  #native: NativeRun = { runtimeContext: undefined, options: undefined };
  /** The initial messages, if hooks changed any. */
  #messages: BegunWith | undefined;
  /** It resumes after a pause in the same process. */
  #resumes = false;
  #tools: ReadonlyMap<string, Hooked> = new Map();
  #approvals: Approvals | undefined;

  constructor(registries: Registries, options: GenerationOptions) {
    this.#registries = registries;
    this.#options = options;
    this.steering = options.steering;
  }

  /** Stores the arguments of the SDK call. */
  begin(settings: CallSettings, native: NativeRun): void {
    const { tools = {}, experimental_toolApprovalSecret: secret } = settings;
    checkSecret(secret, this.#registries.isNative);
    this.#settings = settings;
    this.#native = native;
    this.#tools = new Map(Object.entries(tools).map(([name, tool]) => [name, hookedToolOf(name, tool)]));
  }

  /** Whether its client runs a tool, or the SDK itself asks about one. */
  get #hasWaitingTools(): boolean {
    return [...this.#tools].some(
      ([name, { tool }]) => tool.execute === undefined || maySign(this.#settings, name),
    );
  }

  /** The run, opened or resumed at the first event. */
  open(messages: readonly ModelMessage[]): Promise<HookedRun> {
    this.#opening ??= this.#open(messages);
    return this.#opening;
  }

  /**
   * The secret that signs this run's approval requests and verifies the answers, for its session and user only.
   * Undefined without one.
   */
  get secret(): string | Uint8Array | undefined {
    const { experimental_toolApprovalSecret: secret } = this.#settings;
    if (secret === undefined) return undefined;
    const { sessionId, principal } = this.#requester();
    const paused = pausedRuns.find(this.#approvalIds, this.#requester());
    return boundSecret(secret, sessionId, paused?.principal ?? principal);
  }

  get #approvalIds(): readonly string[] {
    return responsesIn(messagesOf(this.#settings)).map(({ approvalId }) => approvalId);
  }

  /** Whose call of the SDK this is, as the options tell. */
  #requester(): Requester {
    const native = this.#native;
    const place = currentPlace();
    const parent = place?.run.over === false ? place.run : undefined;
    const registries = parent?.hookedBy.around(this.#registries) ?? this.#registries;
    return {
      parent,
      registries,
      sessionId: parent ? undefined : sessionOf(registries, native),
      principal: registries.principal(native, parent),
    };
  }

  async #open(messages: readonly ModelMessage[]): Promise<HookedRun> {
    const { signal, agent } = this.#options;
    const requester = this.#requester();
    const { parent, registries, sessionId, principal } = requester;
    const answered = answeredIn(messagesOf(this.#settings));
    const { experimental_toolApprovalSecret: secret } = this.#settings;
    const { run: resumed } = pausedRuns.resume(this.#approvalIds, {
      ...requester,
      hookedBy: registries,
      signal,
    });
    this.#resumes = resumed !== undefined;
    const run =
      resumed ??
      new HookedRun(registries, {
        parent,
        parentCallId: parent && currentPlace()?.callId,
        signal,
        agent,
        source: answered.some(({ approved }) => approved) && secret !== undefined ? 'resume' : 'startup',
        sessionId,
        principal,
        maxContinuations: registries.maxContinuations,
      });
    this.#run = run;
    run.asksPeople = run.pauses || this.#hasWaitingTools;
    this.#approvals = new Approvals(run, this.#settings, this.#tools, {
      rename: (callId) => this.#finder(run, callId, () => run.calling.get(callId)),
      isRewritten: (name) => this.#isRewritten(name),
      answered,
    });
    run.lastUserMessage ??= lastPrompt(messages);
    if (resumed === undefined) await run.begin();
    return run;
  }

  /**
   * Submits the prompts, reports the calls that people refused, and has hooks decide on the results that the messages
   * bring.
   *
   * @param brought how many of the messages the SDK was called with. It has added the results of approved calls
   */
  async submit(run: HookedRun, all: ModelMessage[], brought: number = all.length): Promise<ModelMessage[]> {
    this.submitted = true;
    const messages = all.slice(0, brought);
    const added = all.slice(brought);
    const refused = (await this.#approvals?.settleRefusals()) ?? new Map();
    const decided = await decideResults(run, withReasons(messages, refused), {
      tools: this.#tools,
      settled: refused,
      approve: async (call) => this.#approvals?.ofResult(call),
    });
    const left = await this.#submitPrompts(run, decided);
    if ('kept' in left) {
      this.#messages = { messages: left.kept, approved: [] };
      this.refused = true;
      return UNREAD;
    }
    const approved = withReasons(added, refused);
    if (approved === added && left.every((message, at) => message === messages[at])) return all;
    this.#messages = { messages: left, approved: approved === added ? undefined : approved };
    return [...left, ...approved];
  }

  #submitPrompts(run: HookedRun, messages: ModelMessage[]): Promise<ModelMessage[] | RefusedMessages> {
    const { model } = this.#settings;
    return submitted(run, messages, {
      ...namedModel(model),
      // Before the run paused, `BeforeRun` fired.
      ...(this.#resumes && { delivery: 'followup' }),
      refuse: (decision) => {
        const lost = lostSetting(decision);
        if (lost !== undefined) return lost;
        const wanted = decision.kind === 'modify' ? Reflect.get(decision.patch, 'model') : undefined;
        if (wanted === undefined || otherModel(standaloneModel(model).bare, String(wanted))) return undefined;
        return 'the model is no object of a provider of the AI SDK that can be had under another id';
      },
    });
  }

  /** Messages that the user, not a `Stop` hook, added during the run. */
  async steered(
    run: HookedRun,
    messages: ModelMessage[],
    added: readonly ModelMessage[],
  ): Promise<ModelMessage[]> {
    const options = { ...namedModel(this.#settings.model), delivery: 'steering' } as const;
    const left = await submitted(
      run,
      messages,
      options,
      (message) => added.includes(message) && message.content !== this.#said,
    );
    if (!('kept' in left)) return left;
    this.refused = true;
    return UNREAD;
  }

  /** Starts a turn. */
  startTurn(run: HookedRun): PromiseLike<unknown> | object | undefined {
    this.stepping = true;
    run.forgetCalls();
    this.#approvals?.nextStep();
    return run.startTurn();
  }

  /** The hooked model of a step. */
  model(model: LanguageModel): LanguageModel {
    const { bare, own } = standaloneModel(model);
    const run = this.#run;
    const named = run?.model === undefined ? bare : (otherModel(bare, run.model) ?? bare);
    const chosen = this.#options.timeouts?.measured(named) ?? named;
    const further = own.without(run?.hookedBy ?? this.#registries);
    const inner = !further.isEmpty ? hookedStandalone({ bare: chosen, own: further }) : chosen;
    return wrapModel(inner, async (params, act) => {
      const opened = await this.open([]);
      noteStep(params);
      this.inStep = true;
      // It ends with the whole call, unless the reader stops early.
      return act(opened, async (end) => (end.kind === 'canceled' ? this.end(end) : undefined));
    });
  }

  /** The tools, under hooks. */
  tools(tools: ToolSet): ToolSet {
    return Object.fromEntries(
      Object.entries(tools).map(([name, tool]) => [
        name,
        this.#tool(this.#tools.get(name) ?? hookedToolOf(name, tool)),
      ]),
    );
  }

  #tool(hooked: Hooked): SdkTool {
    const copy = enteringTool(hooked, (input, options) => this.#enter(hooked, input, options));
    return withBoundTool(copy, (bound) => this.#tool({ ...hooked, tool: bound }));
  }

  #enter(hooked: Hooked, given: unknown, options: ToolOptions): unknown {
    const { tool, name } = hooked;
    const { toolCallId: callId } = options;
    const run = this.#run;
    if (run === undefined)
      return this.open(options.messages).then((opened) => this.#call(opened, hooked, given, options));
    const registries = run.registriesOf(hooked);
    if (!registries.concerns(name))
      return inPlaceUntilRead({ run, callId }, () => tool.execute?.(given, options));
    const place = currentPlace();
    // Code of a tool calls another one with the options that it was given.
    if (place?.run === run && place.callId === callId)
      return callTool(run, { hooked, sent: given, given, options, parentCallId: callId });
    return unlessHeld(hooked, registries, (passed) => this.#call(run, hooked, given, options, passed));
  }

  async #call(
    run: HookedRun,
    hooked: Hooked,
    given: unknown,
    options: ToolOptions,
    passed?: (part: unknown) => void,
  ): Promise<unknown> {
    const { toolCallId: callId } = options;
    if (run.isRepeated(callId))
      return settled(await refuseRepeated(run, { hooked, sent: given, callId, context: options.context }));
    const place = currentPlace();
    const known = run.sent.find((call) => call.toolCallId === callId && call.toolName === hooked.name);
    // Code of a tool may call another one with an id of its own, which may be one that the model has written.
    const inside = place?.run === run && !(await isMade(hooked, given, known));
    const sent = inside || known === undefined || this.#isRewritten(hooked.name) ? given : known.input;
    if (!inside) run.calling.set(callId, options);
    try {
      return await callTool(run, {
        hooked,
        sent,
        given,
        options,
        callId,
        parentCallId: inside ? place.callId : undefined,
        rename: this.#finder(run, callId, () => options),
        refine: this.#refinerOf(hooked.name),
        passed,
      });
    } finally {
      if (!inside) run.calling.delete(callId);
    }
  }

  /** Whether options of the SDK change what a model sent, so that hooks are shown what came of it. */
  #isRewritten(name: string): boolean {
    const { repairToolCall, experimental_repairToolCall: repair = repairToolCall } = this.#settings;
    return repair !== undefined || this.#refinerOf(name) !== undefined;
  }

  #refinerOf(name: string): ((input: unknown) => unknown) | undefined {
    const { experimental_refineToolInput: refine = {} } = this.#settings;
    // Its input is what the tool's own schema gives.
    return Object.hasOwn(refine, name) ? (refine[name] as (input: unknown) => unknown) : undefined;
  }

  /** @param given what the SDK passes to the tool of the call, once it runs */
  #finder(run: HookedRun, callId: string, given: () => ToolOptions | undefined): FindTarget {
    return (name) => {
      const target = this.#tools.get(name);
      if (target?.tool.execute === undefined) return `the agent has no tool "${name}" that runs here`;
      const { tool } = target;
      const native: NativeToolCall = { tool, options: given() };
      return {
        name,
        tool: descriptorOf(tool),
        native,
        registries: run.registriesOf(target).attached(),
        unenforced: this.#unenforced(name, tool),
        check: checkOf(target, undefined, undefined),
        execute: async (input) => {
          const options = given();
          if (options === undefined) throw new Error(`call ${callId} does not run`);
          const used = await parsedInput(tool, input);
          const refined = await (this.#refinerOf(name)?.(used) ?? used);
          // The context is that of the called tool.
          const passed = { ...options, context: undefined };
          return inPlace({ run, callId }, () => drained(tool.execute?.(refined, passed)));
        },
      };
    };
  }

  /** What the SDK would do with a tool that the model calls, and does not where a hook puts it in another's place. */
  #unenforced(name: string, { toModelOutput, contextSchema }: SdkTool): string | undefined {
    if (mayAsk(this.#settings, name)) return 'may ask for approval, which the SDK would not do';
    if (toModelOutput !== undefined) return 'has toModelOutput, which the SDK would not call';
    const { timeout }: { readonly timeout?: unknown } = Object(this.#settings);
    if (ownOf(Object(Object(timeout).tools), `${name}Ms`) !== undefined)
      return 'has a timeout of its own, which the SDK would not enforce';
    const hasContext = contextSchema !== undefined || ownOf(this.#settings.toolsContext, name) !== undefined;
    return hasContext ? 'has a context of its own, which the SDK would not pass' : undefined;
  }

  /** Whether a call may run. */
  async approve(about: ApprovalOptions): Promise<ApprovalAnswer> {
    await this.open(about.messages);
    const approvals = this.#approvals;
    if (approvals === undefined) return { type: 'denied', reason: 'The run is over.' };
    return this.stepping ? approvals.ofStep(about) : approvals.ofResumed(about);
  }

  /** A step has ended: the run pauses, is over, or goes on. */
  async stepEnded(step: Step): Promise<void> {
    this.inStep = false;
    const run = this.#run;
    if (run === undefined) return;
    if (this.#messages) noteMessages(step, this.#messages);
    if (step.toolCalls.some(({ invalid }) => invalid)) await this.#tellInvalid(run, step);
    await this.#rememberResults(run, step);
    if (run.stop !== undefined) noteBlocked(step, run.stop.reason);
    if (this.refused) noteRefused(step);
    const requests = step.content.filter(
      ({ type, isAutomatic }) => type === 'tool-approval-request' && !isAutomatic,
    );
    if (requests.length > 0) {
      run.requests.clear();
      for (const { approvalId, toolCall } of requests)
        if (approvalId !== undefined && toolCall !== undefined)
          run.requests.set(approvalId, toolCall.toolCallId);
      pausedRuns.keep(run, [...run.requests.keys()]);
      return run.pause(requests.map(({ reason = 'A tool requires approval.' }) => ({ reason })));
    }
    const calls = step.toolCalls.filter(({ providerExecuted }) => !providerExecuted);
    const open = calls.filter(
      ({ toolName, invalid }) => !invalid && this.#tools.get(toolName)?.tool.execute === undefined,
    );
    if (open.length > 0) return run.pause([]);
    if (calls.length > 0 || run.stop !== undefined || step.finishReason === 'error') return;
    const after = await run.finished(step.text, step);
    if (after.kind === 'blocked') noteBlocked(step, after.stop.reason);
    if (after.kind !== 'continue') return;
    this.#said = after.prompt;
    void this.steering.steer(after.prompt);
  }

  /** Results of approved calls, which the SDK ran before the first step. */
  async resumed(run: HookedRun, responses: readonly ModelMessage[]): Promise<void> {
    if (responses.length === 0) return;
    const calls = new Map<string, MadeCall>();
    for (const { callId, toolName, input } of answeredIn(messagesOf(this.#settings)))
      calls.set(callId, { toolName, input });
    await rememberAll(run, this.#tools, responses, calls);
  }

  /** Hooks have decided on the results of a step: the next run need not ask them again. */
  async #rememberResults(run: HookedRun, { content, response: { messages } }: Step): Promise<void> {
    await rememberAll(run, this.#tools, messages);
    for (const { type, toolCallId, toolName = '', input, output } of content) {
      if (type !== 'tool-result' || toolCallId === undefined) continue;
      // A page keeps what the tool gave, and makes the message of it without the tool's own `toModelOutput`.
      const hooked = this.#tools.get(toolName);
      if (hooked?.tool.toModelOutput === undefined || !run.registriesOf(hooked).decidesResult(toolName))
        continue;
      const result = { type, toolCallId, toolName, output: plainOutput(output) } as const;
      await resultsOf(run, this.#tools, { toolName, input }).remember(result, toolName);
    }
  }

  /** Of calls that do not fit the schema the SDK tells nobody else. */
  async #tellInvalid(run: HookedRun, { toolCalls, toolsContext }: Step): Promise<void> {
    for (const [at, call] of toolCalls.entries()) {
      const { toolCallId: callId, toolName, input, invalid, error } = call;
      const hooked = this.#tools.get(toolName);
      if (!invalid || hooked === undefined || typeof input !== 'object') continue;
      // `generateText` shows a call in the place of another one with its id, which hooks know of.
      if (toolCalls.indexOf(call) < at && run.hasRefused(callId)) continue;
      const message = error instanceof Error ? error.message : 'the input does not fit the schema';
      const context = ownOf(toolsContext, toolName);
      await run.callTool(describe(run, { hooked, sent: input, callId, context }), () => undefined, {
        inner: hooked.own.attached(),
        check: () => ({ message, error }),
      });
    }
  }

  /** Throws if a hook has ended the run, and `refused` is `throw`. */
  checkRefused(): void {
    if (this.#run !== undefined) this.#run.hookedBy.throwRejection(this.#run);
  }

  async endIfAborted(): Promise<void> {
    if (this.#options.signal?.aborted) await this.end({ kind: 'canceled' });
  }

  /** The call of the SDK has come to an end; `told` are what says so to its user. */
  async end(end: RunEnd, ...told: readonly unknown[]): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    if (run.stop !== undefined)
      for (const one of [...told, this.result]) if (one instanceof Object) noteBlocked(one, run.stop.reason);
    if (run.paused && end.kind === 'done') return this.#shrink(run);
    const { limit } = this;
    const message = `The run has reached its limit of ${limit} steps.`;
    await run.end(
      limit !== undefined && end.kind === 'done' ? { kind: 'limit', maxIterations: limit, message } : end,
    );
    this.#shrink(run);
  }

  /**
   * Frees what a run that waits, or calls that wait for their client, do not need: conversations are long, and people are
   * slow.
   */
  #shrink(run: HookedRun): void {
    run.shrink();
    const { messages: _, prompt: _prompt, ...settings } = this.#settings;
    this.#settings = settings;
    this.#messages = undefined;
    this.#approvals = undefined;
    this.result = undefined;
  }
}

/** The session of a run, as the outermost registry that knows one names it. */
function sessionOf(registries: Registries, native: NativeRun): string | undefined {
  for (const session of registries.options('session')) {
    const id = session?.(native);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Whether a call is the one that the model has made. What cannot be compared has no JSON form. */
function isMade({ tool }: Hooked, given: unknown, known: SentCall | undefined): Promise<boolean> {
  if (known === undefined) return Promise.resolve(false);
  return isParsedFrom(tool, given, known.input).catch(() => false);
}

/** The messages, with what the model reads of refused calls: the SDK writes the person's own reason. */
function withReasons(
  messages: ModelMessage[],
  reasons: ReadonlyMap<string, string | undefined>,
): ModelMessage[] {
  const last = messages.at(-1);
  if (reasons.size === 0 || last?.role !== 'tool') return messages;
  const ids = new Map(answeredIn(messages).map(({ approvalId, callId }) => [approvalId, callId] as const));
  const content = last.content.map((part) => {
    if (part.type === 'tool-approval-response') {
      const callId = ids.get(part.approvalId);
      const reason = callId === undefined ? undefined : reasons.get(callId);
      return reason === undefined ? part : { ...part, reason };
    }
    const { output, toolCallId } = part;
    if (output.type !== 'execution-denied' || !reasons.has(toolCallId)) return part;
    const { reason: _, ...denied } = output;
    const reason = reasons.get(toolCallId);
    return { ...part, output: { ...denied, ...(reason !== undefined && { reason }) } };
  });
  return [...messages.slice(0, -1), { ...last, content }];
}
