import { type Session, type SessionKey, sessionKey } from '@hooks/core';
import { ambientConfig, type Whereabouts } from '../config.ts';
import {
  attemptOf,
  checkpointOf,
  hasCheckpointer,
  isControlFlow,
  resumedWith,
  scratchpadOf,
  takenOf,
  taskOf,
} from '../internals.ts';
import type { HookedRun } from '../run/run.ts';
import type { UsedAnswer } from './pending.ts';

/** By the object that LangGraph creates for each execution of a node. A retry policy's attempts share it. */
const NODES: WeakMap<object, NodeCalls> = new WeakMap();

/** The hooked calls of the running node; undefined if it cannot pause. */
export function nodeCalls(config: Whereabouts | undefined): NodeCalls | undefined {
  const scratchpad = scratchpadOf(config);
  if (scratchpad === undefined || !hasCheckpointer(config)) return undefined;
  const known = NODES.get(scratchpad);
  const attempt = attemptOf(config) ?? attemptOf(ambientConfig()) ?? known?.attempt ?? 1;
  if (known !== undefined && attempt <= known.attempt) return known;
  const calls = new NodeCalls(attempt);
  NODES.set(scratchpad, calls);
  return calls;
}

/**
 * The hooked calls of one execution of a node. LangGraph runs a node again from its start each time that it resumes. So no call
 * of a node runs before all calls that have begun are decided, and none runs once the node has paused.
 */
export class NodeCalls {
  readonly attempt: number;
  readonly #calls: NodeCall[] = [];
  #pause: { readonly error: unknown } | undefined;

  constructor(attempt: number) {
    this.attempt = attempt;
  }

  /** Begins a call. Calls that a node makes side by side begin before any of them is decided. */
  begin(about: Pick<NodeCall, 'callId' | 'parent' | 'mayPause'>): NodeCall {
    const call = new NodeCall(about, this);
    this.#calls.push(call);
    return call;
  }

  /** Notes the error that pauses the node. What has not run by now does not run in this execution. */
  paused(error: unknown): void {
    this.#pause ??= { error };
    this.settle();
  }

  /** Throws if the node has paused. */
  check(): void {
    if (this.#pause !== undefined) throw this.#pause.error;
  }

  /** Lets calls go on that wait for others. */
  settle(): void {
    const waiting = this.#calls.filter(({ waits }) => waits !== undefined);
    if (this.#pause !== undefined) for (const call of waiting) call.goOn(this.#pause);
    else if (this.#calls.every(({ state }) => state !== 'deciding')) {
      const asking = this.#calls.find(({ state }) => state === 'asking');
      // One after the other: LangGraph tells one interrupt of a node at a time.
      if (asking !== undefined) asking.goOn();
      else void this.#start(waiting.filter(({ isNext }) => !isNext));
    }
  }

  /**
   * Lets calls run, one after the other: LangGraph tells the answers to what tools ask by `interrupt()` apart by the order in which
   * they ask, in each execution of the node.
   */
  async #start(calls: readonly NodeCall[]): Promise<void> {
    for (const call of calls) call.isNext = true;
    for (const call of calls) {
      call.goOn();
      await call.ended;
    }
  }

  /** Whether a call that has begun may pause the node. */
  get mayPause(): boolean {
    return this.#calls.some(({ mayPause }) => mayPause);
  }

  /** The answers that calls of the node have, as one of them pauses it. */
  used(by: NodeCall): readonly UsedAnswer[] {
    const around = new Set<string>();
    for (let id = by.parent; id !== undefined && !around.has(id); ) {
      const outer = id;
      around.add(outer);
      id = this.#calls.find(({ callId }) => callId === outer)?.parent;
    }
    return this.#calls.flatMap(({ used, callId = '', state, hasRun }) => {
      // A tool that makes the pausing call goes on when the node does.
      const ran = hasRun || (state === 'running' && !around.has(callId));
      return ran ? used.map((one) => ({ ...one, ran })) : used;
    });
  }
}

/** A call of a node. */
export class NodeCall {
  readonly callId: string | undefined;
  /** The call whose tool makes it. */
  readonly parent: string | undefined;
  /** Whether it may need approval. */
  readonly mayPause: boolean;
  state: 'deciding' | 'asking' | 'ready' | 'running' | 'over' = 'deciding';
  /** Whether it has run in an execution of the node before this one. */
  hasRun = false;
  /** What people have answered. */
  used: readonly UsedAnswer[] = [];
  waits: PromiseWithResolvers<void> | undefined;
  /** Whether it goes on once the calls before it are over. */
  isNext = false;
  readonly #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly node: NodeCalls;
  #approved: ((used: readonly UsedAnswer[]) => void) | undefined;

  constructor(about: Pick<NodeCall, 'callId' | 'parent' | 'mayPause'>, node: NodeCalls) {
    this.callId = about.callId;
    this.parent = about.parent;
    this.mayPause = about.mayPause;
    this.node = node;
  }

  /** Waits until a person may be asked. Rejects with the pause if the node has paused for another call. */
  async asks(): Promise<void> {
    if (this.state === 'asking') return this.node.check();
    await this.#wait('asking');
  }

  /** Waits until the call may run. Rejects with the pause if the node has paused. */
  async ready(): Promise<void> {
    // The calls that begin side by side with this one have begun after it.
    await undefined;
    this.node.check();
    if (this.state === 'ready' || this.state === 'running') return this.waits?.promise;
    if (this.node.mayPause) await this.#wait('ready');
    else this.state = 'ready';
  }

  /** Calls a function when the tool runs, if a person has approved the call. */
  onRun(approved: (used: readonly UsedAnswer[]) => void): void {
    this.#approved = approved;
  }

  /** What came of the call before its node paused. Waits for its turn, and uses up the values of LangGraph's that its tool has used. */
  async again({ used, result, taken }: Ran, config: Whereabouts | undefined): Promise<unknown> {
    this.hasRun = true;
    this.used = used;
    await this.ready();
    const end = Math.min(taken(), resumedWith(config).length);
    for (let index = takenOf(config); index < end; index++) config?.interrupt?.(undefined);
    this.runs();
    return result;
  }

  /** Resolves when the call is over, or has paused the node. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The tool runs. Throws the pause if the node has paused before. */
  runs(): void {
    if (this.state === 'running') return;
    this.node.check();
    this.state = 'running';
    if (this.used.length > 0 && !this.hasRun) this.#approved?.(this.used);
    this.node.settle();
  }

  /** The call is over. */
  end(): void {
    this.#ended.resolve();
    if (this.state !== 'running') this.state = 'over';
    this.node.settle();
  }

  goOn(pause?: { readonly error: unknown }): void {
    const { waits } = this;
    this.waits = undefined;
    if (pause === undefined) waits?.resolve();
    else waits?.reject(pause.error);
  }

  #wait(state: 'asking' | 'ready'): Promise<void> {
    const waits = Promise.withResolvers<void>();
    this.state = state;
    this.waits = waits;
    this.isNext = false;
    this.node.settle();
    return waits.promise;
  }
}

/** What is remembered of a call until its node runs again. */
interface KnownCall {
  /** The run that it paused in, so that no hook is asked twice. */
  held: HookedRun | undefined;
  /** The answers with which its tool paused. The tool goes on with them, also where they have no hash any more. */
  used: readonly UsedAnswer[];
  /** What came of it after a person had approved it, in the order in which a node made it. */
  readonly results: Ran[];
  /** How often each execution of the node has made it. */
  readonly made: WeakMap<NodeCalls, number>;
}

interface Ran {
  readonly by: NodeCalls;
  readonly used: readonly UsedAnswer[];
  readonly result: Promise<unknown>;
  /** How many values of LangGraph's its node had used when it ended, or has by now if it still runs. */
  taken: () => number;
}

/** The calls of the last step of a thread. */
interface KnownCalls {
  readonly checkpoint: string | undefined;
  readonly calls: Map<string, KnownCall>;
}

const KNOWN: SessionKey<KnownCalls> = sessionKey('@hooks/langchain/node-calls');

/**
 * Remembers calls of a node in the session of its thread, until the thread makes another step. An approval is for one run,
 * however often LangGraph runs the node.
 */
export class CallMemory {
  readonly #node: NodeCalls;
  readonly #config: Whereabouts | undefined;
  readonly #known: KnownCall;
  readonly #nth: number;

  private constructor(node: NodeCalls, config: Whereabouts | undefined, known: KnownCall) {
    this.#node = node;
    this.#config = config;
    this.#known = known;
    this.#nth = known.made.get(node) ?? 0;
    known.made.set(node, this.#nth + 1);
  }

  /**
   * Opens the memory of a call. Forgets the calls of earlier steps.
   *
   * @param about what tells the call from others of the node
   */
  static async open(
    node: NodeCalls,
    session: Session,
    config: Whereabouts | undefined,
    about: readonly unknown[],
  ): Promise<CallMemory> {
    const checkpoint = checkpointOf(config);
    const before = session.get(KNOWN);
    const isSameStep = before?.checkpoint === checkpoint;
    const calls = (isSameStep ? before?.calls : undefined) ?? new Map<string, KnownCall>();
    session.set(KNOWN, { checkpoint, calls });
    const key = JSON.stringify([taskOf(config), ...about]);
    const known = calls.get(key) ?? {
      held: undefined,
      used: [],
      results: [],
      made: new WeakMap(),
    };
    calls.set(key, known);
    if (!isSameStep) for (const { held } of before?.calls.values() ?? []) await held?.close();
    return new CallMemory(node, config, known);
  }

  /** The run that the call paused in. */
  takeRun(): HookedRun | undefined {
    const { held } = this.#known;
    this.#known.held = undefined;
    return held?.session.state === 'closed' ? undefined : held;
  }

  /** Keeps the run of a call that has paused. */
  hold(run: HookedRun): void {
    this.#known.held = run;
  }

  /** The answers with which its tool paused. */
  get used(): readonly UsedAnswer[] {
    return this.#known.used;
  }

  /** What came of the call in an execution of the node before this one. */
  get before(): Ran | undefined {
    return this.#known.results.filter(({ by }) => by !== this.#node)[this.#nth];
  }

  /** Remembers what comes of an approved call. */
  note(result: Promise<unknown>, used: readonly UsedAnswer[]): void {
    const { results } = this.#known;
    // Without those that another call of the node waits for.
    const taken = (): number => Math.min(takenOf(this.#config), resumedWith(this.#config).length);
    const ran: Ran = { by: this.#node, used, result, taken };
    results.push(ran);
    const ended = (): void => {
      const last = taken();
      ran.taken = () => last;
    };
    result.then(ended, (error) => {
      ended();
      // A tool that has paused goes on.
      if (!isControlFlow(error)) return;
      results.splice(results.indexOf(ran), 1);
      this.#known.used = used;
    });
  }
}
