import { type HookDecision, patchOf } from '../decision.ts';
import { defined } from '../defined.ts';
import { delay } from '../delay.ts';
import {
  AfterModelCall,
  BeforeModelCall,
  type ModelMessage,
  type ModelResponse,
} from '../event/catalogue/model.ts';
import type { NamedModel } from './prompt.ts';
import { refusedSetting } from './settings.ts';
import { type RunState, type RunStop, unlessAborted } from './state.ts';

/** A model request, as hooks see it. */
export type ModelRequest = Pick<
  BeforeModelCall,
  'instructions' | 'messages' | 'tools' | 'settings' | 'native'
>;

/** The changes of hooks to a request. */
export type RequestPatch = Partial<Omit<ModelRequest, 'native'>>;

/** What to do with a request: send it with these changes and a system message of `context`, or do not send it. */
export type Prepared =
  | { readonly kind: 'send'; readonly patch: RequestPatch; readonly context: readonly string[] }
  | { readonly kind: 'blocked'; readonly stop: RunStop };

/** What to do with an answer. For `retry`, the delay is already over. */
export type Judged =
  | { readonly kind: 'stands' }
  | { readonly kind: 'replaced'; readonly response: ModelResponse }
  | { readonly kind: 'retry' }
  | { readonly kind: 'blocked'; readonly stop: RunStop };

/** The answer that counts: the framework's own, or a hook's. */
export type ModelAnswer<A> = {
  readonly answer: A;
  /** The answers for which hooks retried the call. A framework that counts usage counts theirs, too. */
  readonly retried: readonly A[];
} & Exclude<Judged, { readonly kind: 'retry' }>;

/** The context of a model call besides its request. */
export interface ModelCallOptions {
  /** The call's own signal. Default: the run's. */
  readonly signal?: AbortSignal | undefined;
  /** Why a decision about the request or the answer cannot be honored. */
  refuse?(decision: HookDecision, event: 'request' | 'answer'): string | undefined;
}

/** How to read and write the chunks of a framework's stream. */
export interface Streaming<Chunk, A> {
  /** Calls the model. Called again on Retry. */
  open(): AsyncIterable<Chunk> | PromiseLike<AsyncIterable<Chunk>>;
  /** The answer in the chunks; undefined if they are incomplete, so that there is nothing to decide about. */
  whole(chunks: readonly Chunk[]): A | undefined;
  read(answer: A): ModelResponse;
  /** Takes the answers that hooks retried before the model failed and the framework repeated its request. They were paid, too. */
  retried?(answers: readonly A[]): void;
  /** The chunks for a hook's answer. */
  write(response: ModelResponse, chunks: readonly Chunk[]): Iterable<Chunk>;
  /** The chunks for the reason of a Block. */
  refuse(stop: RunStop, chunks: readonly Chunk[]): Iterable<Chunk>;
  /**
   * Passes chunks on before hooks have decided (`holdStream: false`), so the user may see what hooks then change or
   * refuse.
   */
  readonly pass?: boolean;
  /** Whether a chunk ends the answer. It is always held back until hooks have decided. */
  isEnd?(chunk: Chunk): boolean;
  /**
   * Whether a chunk goes to the framework although hooks have not decided: frameworks decide by what they have seen
   * whether to retry, and what to do on an abort. The adapter then keeps it from the user until `shown` tells whether
   * the user may see it, unless it holds no content. `shown` never rejects.
   */
  isHeldLater?(chunk: Chunk, shown: Promise<boolean>): boolean;
}

/** A model call of a run. */
export class ModelCall {
  readonly #run: RunState;
  readonly #model: NamedModel;
  readonly #options: ModelCallOptions;
  readonly #signal: AbortSignal | undefined;
  #attempt = 0;

  constructor(run: RunState, model: NamedModel, options: ModelCallOptions) {
    this.#run = run;
    this.#model = model;
    this.#options = options;
    this.#signal = options.signal ?? run.signal;
  }

  /** Fires `BeforeModelCall` and takes the context from hooks, for one request. Synchronous if no hook runs. */
  prepare(describe: () => ModelRequest): Prepared | Promise<Prepared> {
    const run = this.#run;
    const { settings } = run;
    return run.hears(BeforeModelCall)
      ? this.#askAbout(describe)
      : { kind: 'send', patch: defined({ settings }), context: run.takeContext() };
  }

  async #askAbout(describe: () => ModelRequest): Promise<Prepared> {
    const run = this.#run;
    const { settings } = run;
    const request = describe();
    const event = {
      ...this.#model,
      ...request,
      ...(settings && { settings: { ...request.settings, ...settings } }),
      iteration: run.iteration,
    };
    const rules = this.#rules('request');
    const asked = run.ask(BeforeModelCall, event, {
      ...rules,
      refuse: (decision) =>
        refusedSetting(decision) ??
        addedTool(decision, request) ??
        renamedResult(decision, request) ??
        rules.refuse(decision),
    });
    const decision = await unlessAborted(this.#signal, asked);
    if (decision.kind === 'block') return { kind: 'blocked', stop: run.endBy(decision) };
    const { context = [], ...changes }: RequestPatch & { readonly context?: readonly string[] } =
      patchOf(decision);
    return {
      kind: 'send',
      patch: {
        ...changes,
        ...((settings || changes.settings) && { settings: { ...settings, ...changes.settings } }),
      },
      context: [...run.takeContext(), ...context],
    };
  }

  /**
   * Fires `AfterModelCall` for an answer, and waits for the delay of a Retry.
   * @param passed it has been streamed already, so it cannot be retried
   */
  async judge(
    response: ModelResponse,
    { passed = false, native }: { passed?: boolean; native?: unknown } = {},
  ): Promise<Judged> {
    const run = this.#run;
    this.#attempt++;
    if (!run.hears(AfterModelCall)) return { kind: 'stands' };
    const { iteration, lastUserMessage } = run;
    const event = {
      ...this.#model,
      iteration,
      response,
      attempt: this.#attempt,
      ...defined({ lastUserMessage, native }),
    };
    const rules = { ...this.#rules('answer', passed), last: this.#attempt >= run.maxAttempts };
    const decision = await unlessAborted(this.#signal, run.ask(AfterModelCall, event, rules));
    switch (decision.kind) {
      case 'proceed':
        return { kind: 'stands' };
      case 'modify': {
        const { response: replaced } = decision.patch;
        return replaced === undefined ? { kind: 'stands' } : { kind: 'replaced', response: replaced };
      }
      case 'block':
        return { kind: 'blocked', stop: run.endBy(decision) };
      case 'retry':
        if (decision.delayMs) await unlessAborted(this.#signal, delay(decision.delayMs, this.#signal));
        return { kind: 'retry' };
    }
  }

  /**
   * Calls the model until an answer is accepted. If the model fails after a Retry and the framework repeats the request, the
   * answers that hooks retried before count as retried here.
   */
  async answer<A>(
    send: () => A | PromiseLike<A>,
    read: (answer: A) => ModelResponse,
  ): Promise<ModelAnswer<A>> {
    const run = this.#run;
    const retried = this.#takeRetried<A>();
    try {
      for (;;) {
        const answer = await send();
        const judged = run.hears(AfterModelCall)
          ? await this.judge(read(answer), { native: answer })
          : ({ kind: 'stands' } as const);
        if (judged.kind !== 'retry') return { ...judged, answer, retried };
        retried.push(answer);
      }
    } catch (error) {
      this.#keepRetried(retried);
      throw error;
    }
  }

  /**
   * The same for a streamed answer. If hooks may change or refuse it, its chunks are held back until they have decided.
   */
  async *stream<Chunk, A>(streaming: Streaming<Chunk, A>): AsyncGenerator<Chunk> {
    const passes = streaming.pass === true || !this.#run.decides(AfterModelCall);
    const retried = this.#takeRetried<A>();
    if (retried.length > 0) streaming.retried?.(retried);
    for (;;) {
      const chunks: Chunk[] = [];
      const held: Chunk[] = [];
      const shown = Promise.withResolvers<boolean>();
      const passesOn = (chunk: Chunk): boolean =>
        streaming.isEnd?.(chunk) !== true &&
        (passes || streaming.isHeldLater?.(chunk, shown.promise) === true);
      try {
        for await (const chunk of await streaming.open()) {
          chunks.push(chunk);
          if (passesOn(chunk)) yield chunk;
          else held.push(chunk);
        }
        const whole = streaming.whole(chunks);
        // Without an end there is nothing to decide about: what was held back stays so.
        if (whole === undefined) return this.#keepRetried(retried);
        const judged = await this.judge(streaming.read(whole), { passed: passes, native: whole });
        if (judged.kind === 'retry') {
          retried.push(whole);
          continue;
        }
        shown.resolve(judged.kind === 'stands');
        if (judged.kind === 'blocked') yield* streaming.refuse(judged.stop, chunks);
        else if (judged.kind === 'replaced') yield* streaming.write(judged.response, chunks);
        else yield* held;
        return;
      } catch (error) {
        this.#keepRetried(retried);
        throw error;
      } finally {
        shown.resolve(false);
      }
    }
  }

  /** The answers that hooks retried in this turn before the model failed. */
  #takeRetried<A>(): A[] {
    const { failed, turn } = this.#run;
    this.#run.failed = undefined;
    // One adapter drives the run, so its answers are all of one type.
    return failed?.turn === turn ? ([...(failed?.answers ?? [])] as A[]) : [];
  }

  #keepRetried(answers: readonly unknown[]): void {
    const { turn } = this.#run;
    if (turn !== undefined && answers.length > 0) this.#run.failed = { turn, answers };
  }

  #rules(about: 'request' | 'answer', passed = false) {
    const { refuse } = this.#options;
    return {
      signal: this.#signal,
      refuse: (decision: HookDecision) =>
        passed && decision.kind === 'retry'
          ? 'the answer was streamed already (`holdStream: false`)'
          : refuse?.(decision, about),
    };
  }
}

/** Why a decision cannot be honored that names a tool which the agent does not have: nobody could run it. */
function addedTool(decision: HookDecision, { tools }: ModelRequest): string | undefined {
  const patch: RequestPatch = patchOf(decision);
  const added = patch.tools?.find(({ name }) => !tools.some((own) => own.name === name));
  return (
    added &&
    `the agent has no tool "${added.name}"; a hook can remove the tools of a request and change their descriptions, but not add any`
  );
}

/**
 * Why a decision cannot be honored that writes of which call a message is the result: the model would read another, and
 * later hooks would believe it.
 */
function renamedResult(decision: HookDecision, { messages }: ModelRequest): string | undefined {
  const patch: RequestPatch = patchOf(decision);
  const named = patch.messages?.filter(
    ({ toolName, callId }) => toolName !== undefined || callId !== undefined,
  );
  if (named === undefined || named.length === 0) return undefined;
  const known = new Set(messages.map(namesOf));
  // A call may get a result from a hook, so that one without any can be answered.
  for (const { calls = [] } of messages)
    for (const call of calls) known.add(namesOf({ role: 'tool', ...call }));
  const byNative = new Map<unknown, string>();
  for (const message of messages)
    if (message.native !== undefined) byNative.set(message.native, namesOf(message));
  // An adapter may make the `native` of a result anew for each request.
  const other = named.find((message) => {
    const names = namesOf(message);
    return !known.has(names) || (byNative.get(message.native) ?? names) !== names;
  });
  return (
    other &&
    `in the request, no ${other.role} message with this \`native\` has toolName ${JSON.stringify(other.toolName)} and callId ${JSON.stringify(other.callId)}; a hook can change the text of a result, but not say of which call it is`
  );
}

function namesOf({ role, toolName, callId }: Omit<ModelMessage, 'text'>): string {
  return JSON.stringify([role, toolName, callId]);
}
