import { type HookDecision, PROCEED } from '../decision.ts';
import { type Chain, mergeChains } from '../dispatch/chain.ts';
import { ask, type DispatchOptions, thawDecision } from '../dispatch/dispatch.ts';
import { checkPayload } from '../dispatch/payload.ts';
import { sealEvent } from '../dispatch/seal.ts';
import { fail } from '../error.ts';
import type { ModelSettings } from '../event/catalogue/model.ts';
import type { EventPayload, Point, PointData } from '../event/event.ts';
import type { Principal } from '../principal.ts';
import type { Answered } from '../registry/hooks.ts';
import { forgetRun, takeContributed } from '../session/context.ts';
import type { Session, SessionSource } from '../session/session.ts';
import { after } from '../thenable.ts';
import { type Member, membersOf } from '../tool-call/active-call.ts';
import type { Attached } from '../tool-call/types.ts';

/** How a run is opened. */
export interface RunOptions {
  /** The run's id. Default: minted. */
  readonly id?: string | undefined;
  /** The id of its session: the framework's thread. Without one it gets a session of its own, which closes with it. */
  readonly sessionId?: string | undefined;
  /** Closes an identified session with the run, too: the thread of a sub-agent is made for one task. */
  readonly ownsSession?: boolean;
  /** `resume` where the framework restored the session's state. */
  readonly source?: SessionSource;
  readonly agent?: string | undefined;
  /** For whom it is. Default: the parent's principal, or the session's,. */
  readonly principal?: Principal | undefined;
  /** The run that started this one: it is a sub-agent's. */
  readonly parent?: RunState | undefined;
  /** The tool call that started it. */
  readonly parentCallId?: string | undefined;
  /** Fires when the run is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Why a hook ended a run. */
export interface RunStop {
  readonly reason: string;
  /** The hook's id. */
  readonly by?: string;
}

/** What every event of a run says beside its session. */
type Place = 'type' | 'session' | 'run' | 'agent' | 'turn' | 'principal';

/** What is known of a run, and the way to its hooks: those of all its registries, in one chain. */
export class RunState {
  readonly id: string;
  #session: Session;
  /** Outermost first. */
  readonly registries: readonly Attached[];
  readonly parent: RunState | undefined;
  readonly parentCallId: string | undefined;
  readonly ownsSession: boolean;
  readonly principal: Principal | undefined;
  /** The agent that has control. */
  agent: string | undefined;
  signal: AbortSignal | undefined;
  /** How many model calls it has made. */
  iteration = 0;
  /** The turn that is open: one model call with its tools. */
  turn: string | undefined;
  /** What the user, or a Stop hook in the user's place, said last. */
  lastUserMessage: string | undefined;
  /** How often in a row Stop hooks have made it go on. */
  continuations = 0;
  /** Why a hook ended it. */
  stop: RunStop | undefined;
  /** What `BeforeRun` hooks want of the model. */
  model: string | undefined;
  settings: ModelSettings | undefined;
  /** It has ended. What it left behind (a timer, a connection) may still act in its name. */
  over = false;
  #members: readonly Member[];
  /** The sessions of registries that hook only some of its tools. */
  readonly #further: Set<Session> = new Set();

  constructor(registries: readonly Attached[], options: RunOptions) {
    const { sessionId, source, parent } = options;
    const [outermost] = registries;
    if (outermost === undefined) fail('INVALID_INPUT', 'a run needs at least one registry');
    this.principal = options.principal ?? parent?.principal;
    this.ownsSession = options.ownsSession ?? sessionId === undefined;
    this.#session = outermost.hooks.session(sessionId, {
      ...(source && { source }),
      ...(parent && { parent: parent.session }),
      // The next run of an identified session may be for somebody else.
      ...(this.ownsSession && { principal: this.principal }),
    });
    this.#members = membersOf(registries, this.session);
    this.registries = registries;
    this.id = options.id ?? (sessionId === undefined ? this.session.id : `run-${crypto.randomUUID()}`);
    this.parent = parent;
    this.parentCallId = options.parentCallId;
    this.agent = options.agent;
    this.signal = options.signal;
  }

  /** The session of the outermost registry; the others have one of the same id. */
  get session(): Session {
    return this.#session;
  }

  /** Whether any hook would be asked or shown the event. */
  hears(point: PointData): boolean {
    return !this.#chain(point).empty;
  }

  /** Whether any hook may change or refuse what the event is about. */
  decides(point: PointData): boolean {
    return this.#chain(point).deciders.length > 0;
  }

  /** Opens the run's session in each registry. */
  open(): undefined | PromiseLike<undefined> {
    const opening = this.#members
      .map(({ session }) => session.open(this.principal))
      .filter((one) => one !== undefined);
    return opening.length === 0 ? undefined : Promise.all(opening).then(() => undefined);
  }

  /**
   * Asks the hooks about an event of this run. Adapters need it only for events of their own: those of the catalogue have
   * methods. Synchronous where the hooks are.
   */
  ask<E extends EventPayload, Answer, G>(
    point: Point<E, Answer, G> & PointData & { readonly type: string },
    fields: Omit<E, Place>,
    options?: DispatchOptions,
  ): Answered<Answer> | PromiseLike<Answered<Answer>> {
    checkPayload(point.spec, fields);
    const chain = this.#chain(point);
    // The token's types say what its hooks may answer, and the fold holds them to it.
    return this.#askChain(point.type, chain, fields, options) as Answered<Answer>;
  }

  #askChain(
    type: string,
    chain: Chain,
    fields: object,
    options?: DispatchOptions,
  ): HookDecision | PromiseLike<HookDecision> {
    const { session, signal } = this;
    if (chain.empty && session.state === 'open') return PROCEED;
    // The event is made before anything is waited for: it tells what was so now.
    const event: EventPayload = sealEvent({ type, session, ...this.#place, ...fields });
    const asking = after(this.open(), () => ask(chain, event, { signal, ...options }));
    return after(asking, thawDecision);
  }

  /** What every event of the run says beside its session. */
  get #place(): Partial<Pick<EventPayload, 'run' | 'agent' | 'turn' | 'principal'>> {
    const { id: run, agent, turn, principal } = this;
    return {
      run,
      ...(agent !== undefined && { agent }),
      ...(turn !== undefined && { turn }),
      ...(principal && { principal }),
    };
  }

  #chain(point: PointData): Chain {
    const [first, ...others] = this.#members as readonly [Member, ...Member[]];
    const chain = first.internal.chain(point);
    if (others.length === 0) return chain;
    return mergeChains(point.spec, [chain, ...others.map(({ internal }) => internal.chain(point))]);
  }

  /** How often something is done at most when hooks answer Retry. */
  get maxAttempts(): number {
    const limits = this.#members.flatMap(({ internal }) => internal.options.maxAttempts ?? []);
    return limits.length > 0 ? Math.min(...limits) : 3;
  }

  /**
   * The context for the next model call, which the adapter sends as a system message and stores nowhere: that of the session,
   * of the run, and of this one call. The last is handed out once.
   */
  takeContext(): readonly string[] {
    return this.#members.flatMap(({ session }) => {
      session.idle = 0;
      return takeContributed(session, this.id);
    });
  }

  /** A hook ends the run: the first that does counts. */
  endBy({ reason, by }: RunStop): RunStop {
    this.stop ??= { reason, ...(by !== undefined && { by }) };
    return this.stop;
  }

  /** Tells the developer something, once for each message. */
  warnOnce(message: string): void {
    this.#members[0]?.internal.warnOnce(message);
  }

  /** The registries of a call whose tool was hooked with some of its own, which are further in. */
  protected withInner(inner: readonly Attached[]): readonly Attached[] {
    if (inner.length === 0) return this.registries;
    for (const { session } of membersOf(inner, this.session)) this.#further.add(session);
    return [...this.registries, ...inner];
  }

  /** Opens new sessions of the same id where one has been closed; whether that was so. */
  protected reopen(): boolean {
    if (this.#sessions.every(({ state }) => state !== 'closed')) return false;
    const { id, parent, principal } = this.session;
    const { hooks } = this.registries[0] as Attached;
    this.#session = hooks.session(id, { source: 'resume', principal, ...(parent && { parent }) });
    this.#members = membersOf(this.registries, this.session);
    this.#further.clear();
    return true;
  }

  /** Forgets the run's context and metadata, and closes a session of its own, in all registries. */
  async close(): Promise<void> {
    const sessions = this.#sessions;
    for (const session of sessions) forgetRun(session, this.id);
    if (this.ownsSession) await Promise.all(sessions.map((session) => session.close()));
  }

  get #sessions(): readonly Session[] {
    return [...new Set([...this.#members.map(({ session }) => session), ...this.#further])];
  }
}

/** Waits for the answer of hooks. Throws the signal's reason where it fired meanwhile: a hook that fails then has refused nothing. */
export async function unlessAborted<T>(
  signal: AbortSignal | undefined,
  asked: T | PromiseLike<T>,
): Promise<T> {
  const answer = await asked;
  signal?.throwIfAborted();
  return answer;
}
