import type { RenameTarget } from '@hooks/core';
import {
  areSameRegistries,
  concernsTool,
  decidesResult,
  isNative,
  joinRegistries,
  noteBlocked,
  principalFor,
  type RunEnd,
  withoutRegistries,
} from '@hooks/core/adapter';
import type { LanguageModel, ModelMessage, Experimental_Steering as Steering, ToolSet } from 'ai';
import { mayAsk, withoutSecret } from '../approval/approval.ts';
import { Approvals } from '../approval/approvals.ts';
import { recall, remember, responsesIn } from '../approval/pending.ts';
import type { ChunkTimeouts } from '../model/chunk-timeouts.ts';
import { hookedStandalone, standaloneModel } from '../model/hook-model.ts';
import { namedModel, otherModel, wrapModel } from '../model/hooked-model.ts';
import type { NativeRun } from '../options.ts';
import { firstOf, type Registry } from '../registries.ts';
import type { ApprovalAnswer, ApprovalOptions, CallSettings, SdkTool, Step, ToolOptions } from '../sdk.ts';
import { callTool, checkOf, describe, type Hooked, parsedInput, type Renamer } from '../tool/call.ts';
import { decideClientResults } from '../tool/client-results.ts';
import { enteringTool, hookedToolOf, withBoundTool } from '../tool/hooked-tool.ts';
import { drained, isGenerator, passing } from '../tool/parts.ts';
import { noteMessages } from './conversation.ts';
import { currentPlace, HookedRun, inPlace } from './hooked-run.ts';
import { lastPrompt, messagesOf, submitted } from './prompts.ts';

/** The context of an SDK call besides its settings. */
export interface GenerationOptions {
  readonly agent: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly steering: Steering;
  /** Measures the chunks of streamed answers, if their time is limited. */
  readonly timeouts?: ChunkTimeouts | undefined;
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
  /** Whether a step has begun and not ended. The SDK reports a step's error when it ends. */
  inStep = false;
  readonly #registries: readonly Registry[];
  readonly #options: GenerationOptions;
  #run: HookedRun | undefined;
  #opening: Promise<HookedRun> | undefined;
  #settings: CallSettings = { model: '' };
  #native: NativeRun = { runtimeContext: undefined, options: undefined };
  /** The initial messages, if hooks changed any. */
  #messages: ModelMessage[] | undefined;
  /** It resumes after a pause in the same process, so hooks have seen its prompts. */
  #resumes = false;
  #tools: ReadonlyMap<string, Hooked> = new Map();
  #approvals: Approvals | undefined;

  constructor(registries: readonly Registry[], options: GenerationOptions) {
    this.#registries = registries;
    this.#options = options;
    this.steering = options.steering;
  }

  /** Stores the arguments of the SDK call. */
  begin(settings: CallSettings, native: NativeRun): void {
    const { tools = {}, experimental_toolApprovalSecret: secret } = settings;
    if (secret === undefined && this.#registries.some(isNative)) throw withoutSecret();
    this.#settings = settings;
    this.#native = native;
    this.#tools = new Map(Object.entries(tools).map(([name, tool]) => [name, hookedToolOf(name, tool)]));
    this.#run = undefined;
    this.#opening = undefined;
    this.limit = undefined;
    this.stepping = false;
    this.submitted = false;
  }

  /**
   * Whether calls of this run may wait, or have waited, for a person or for the client. Otherwise the SDK need not
   * ask.
   */
  get mayWait(): boolean {
    const settings = this.#settings;
    return (
      this.#registries.some(isNative) ||
      responsesIn(messagesOf(settings)).length > 0 ||
      [...this.#tools].some(([name, { tool }]) => tool.execute === undefined || mayAsk(settings, name))
    );
  }

  /** The run, opened or resumed at the first event. */
  open(messages: readonly ModelMessage[]): Promise<HookedRun> {
    this.#opening ??= this.#open(messages);
    return this.#opening;
  }

  async #open(messages: readonly ModelMessage[]): Promise<HookedRun> {
    const native = this.#native;
    const { signal, agent } = this.#options;
    const responses = responsesIn(messages);
    const place = currentPlace();
    const parent = place?.run.over === false ? place.run : undefined;
    const registries = joinRegistries(parent?.hookedBy ?? [], this.#registries);
    const known = recall(responses);
    const resumed =
      known?.session.state !== 'closed' && areSameRegistries(known?.hookedBy ?? [], registries)
        ? known
        : undefined;
    this.#resumes = resumed !== undefined;
    const run =
      resumed ??
      new HookedRun(registries, {
        parent,
        parentCallId: parent && place?.callId,
        signal,
        agent,
        source: responses.length > 0 ? 'resume' : 'startup',
        sessionId: parent ? undefined : firstOf(registries, ({ session }) => session?.(native)),
        principal: principalFor(
          registries.map(({ options }) => options),
          native,
          parent,
        ),
        maxContinuations: Math.max(...registries.map(({ options }) => options.maxContinuations ?? 3)),
      });
    this.#run = run;
    run.asksPeople = run.pauses || [...this.#tools.keys()].some((name) => mayAsk(this.#settings, name));
    this.#approvals = new Approvals(run, this.#settings, this.#tools, {
      rename: (callId) => this.#renamer(run, callId),
      isRewritten: (name) => this.#isRewritten(name),
    });
    run.lastUserMessage ??= lastPrompt(messages);
    if (resumed === undefined) await run.begin();
    else {
      run.resume(signal);
      run.paused = false;
    }
    return run;
  }

  /** Submits the prompts, and reports the calls that people refused. */
  async submit(run: HookedRun, messages: ModelMessage[]): Promise<ModelMessage[]> {
    this.submitted = true;
    const answered = (await this.#approvals?.settleRefusals(messages)) ?? messages;
    const settled = await decideClientResults(run, answered, this.#tools);
    if (this.#resumes) return this.#leave(messages, settled);
    const { model } = this.#settings;
    const left = await submitted(run, settled, {
      ...namedModel(model),
      refuse: (decision) => {
        const wanted = decision.kind === 'modify' ? Reflect.get(decision.patch, 'model') : undefined;
        if (wanted === undefined || otherModel(standaloneModel(model).bare, String(wanted))) return undefined;
        return 'the model is no object of a provider of the AI SDK that can be had under another id';
      },
    });
    return this.#leave(messages, left);
  }

  #leave(given: ModelMessage[], left: ModelMessage[]): ModelMessage[] {
    if (left !== given) this.#messages = left;
    return left;
  }

  /** Messages that the user, not a `Stop` hook, added during the run. */
  async steered(
    run: HookedRun,
    messages: ModelMessage[],
    added: readonly Extract<ModelMessage, { role: 'user' }>[],
  ): Promise<ModelMessage[]> {
    const prompts = added.filter(({ content }) => content !== this.#said);
    if (prompts.length === 0) return messages;
    return submitted(run, messages, { ...namedModel(this.#settings.model), delivery: 'steering' }, prompts);
  }

  /** Starts a turn. */
  startTurn(run: HookedRun): PromiseLike<unknown> | object | undefined {
    this.stepping = true;
    run.sent = [];
    this.#approvals?.nextStep();
    return run.startTurn();
  }

  /** The hooked model of a step. */
  model(model: LanguageModel): LanguageModel {
    const { bare, own } = standaloneModel(model);
    const run = this.#run;
    const named = run?.model === undefined ? bare : (otherModel(bare, run.model) ?? bare);
    const chosen = this.#options.timeouts?.measured(named) ?? named;
    const further = withoutRegistries(own, run?.hookedBy ?? this.#registries);
    const inner = further.length > 0 ? hookedStandalone({ bare: chosen, own: further }) : chosen;
    return wrapModel(inner, (_params, act) => {
      this.inStep = true;
      // It ends with the whole call, unless the reader stops early.
      return act(this.#run, async (end) => (end.kind === 'canceled' ? this.end(end) : undefined));
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
    const { tool, name, own } = hooked;
    const { toolCallId: callId } = options;
    const run = this.#run;
    if (run === undefined)
      return this.open(options.messages).then((opened) => this.#call(opened, hooked, given, options));
    if (!concernsTool(joinRegistries(run.hookedBy, own), name))
      return inPlace({ run, callId }, () => tool.execute?.(given, options));
    const place = currentPlace();
    // Code of a tool calls another one with the options that it was given.
    if (place?.run === run && place.callId === callId)
      return callTool(run, { hooked, sent: given, given, options, parentCallId: callId });
    const held =
      run.hookedBy.some(({ hooks }) => decidesResult(hooks, name)) ||
      own.some(({ hooks }) => decidesResult(hooks, name));
    if (held || !isGenerator(tool.execute)) return this.#call(run, hooked, given, options);
    return passing((passed) => this.#call(run, hooked, given, options, passed));
  }

  async #call(
    run: HookedRun,
    hooked: Hooked,
    given: unknown,
    options: ToolOptions,
    passed?: (part: unknown) => void,
  ): Promise<unknown> {
    const { toolCallId: callId } = options;
    const known = run.sent.find((call) => call.toolCallId === callId && call.toolName === hooked.name);
    const sent = known === undefined || this.#isRewritten(hooked.name) ? given : known.input;
    run.calling.set(callId, options);
    try {
      return await callTool(run, {
        hooked,
        sent,
        given,
        options,
        callId,
        rename: this.#renamer(run, callId),
        refine: this.#refinerOf(hooked.name),
        ...(passed && { passed }),
      });
    } finally {
      run.calling.delete(callId);
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

  #renamer(run: HookedRun, callId: string): Renamer {
    return (name): RenameTarget | string => {
      const target = this.#tools.get(name);
      const given = this.#settings.tools?.[name];
      if (target?.tool.execute === undefined || given === undefined)
        return `the agent has no tool "${name}" that runs here`;
      if (mayAsk(this.#settings, name)) return `"${name}" may ask for approval, which the SDK would not do`;
      return {
        execute: async (input) => {
          const options = run.calling.get(callId);
          if (options === undefined) throw new Error(`call ${callId} does not run`);
          const used = await parsedInput(target.tool, input);
          const refined = await (this.#refinerOf(name)?.(used) ?? used);
          return inPlace({ run, callId }, () => drained(given.execute?.(refined, options)));
        },
        check: checkOf(target, undefined, undefined),
      };
    };
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
    if (run.stop !== undefined) noteBlocked(step, run.stop.reason);
    const requests = step.content.filter(
      ({ type, isAutomatic }) => type === 'tool-approval-request' && !isAutomatic,
    );
    if (requests.length > 0) {
      run.paused = true;
      remember(
        run,
        requests.flatMap(({ approvalId }) => approvalId ?? []),
      );
      return run.pause(requests.map(({ reason = 'A tool asks for approval.' }) => ({ reason })));
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

  /** Of calls that do not fit the schema the SDK tells nobody else. */
  async #tellInvalid(run: HookedRun, { toolCalls }: Step): Promise<void> {
    for (const { toolCallId: callId, toolName, input, invalid, error } of toolCalls) {
      const hooked = this.#tools.get(toolName);
      if (!invalid || hooked === undefined || typeof input !== 'object') continue;
      const message = error instanceof Error ? error.message : 'the input does not fit the schema';
      await run.callTool(describe(run, { hooked, sent: input, callId }), () => undefined, {
        inner: run.inner(hooked.own),
        check: () => ({ message, error }),
      });
    }
  }

  /** The call of the SDK has come to an end; `told` are what says so to its user. */
  async end(end: RunEnd, ...told: readonly unknown[]): Promise<void> {
    const run = this.#run ?? (await this.#opening?.catch(() => undefined));
    if (run === undefined) return;
    if (run.stop !== undefined)
      for (const one of [...told, this.result]) if (one instanceof Object) noteBlocked(one, run.stop.reason);
    if (run.paused && end.kind === 'done') return;
    await run.pending.cancel('The run is over.');
    const { limit } = this;
    const message = `The run has reached its limit of ${limit} steps.`;
    await run.end(
      limit !== undefined && end.kind === 'done' ? { kind: 'limit', maxIterations: limit, message } : end,
    );
  }
}
