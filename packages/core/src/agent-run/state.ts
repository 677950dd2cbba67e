import { PROCEED } from '../decision.ts';
import { defined } from '../defined.ts';
import { type Chain, mergeChains } from '../dispatch/chain.ts';
import { ask, type DispatchOptions, thawDecision } from '../dispatch/dispatch.ts';
import { checkPayload } from '../dispatch/payload.ts';
import { sealEvent } from '../dispatch/seal.ts';
import { fail } from '../error.ts';
import { type ModelSettings, TurnEnd, type TurnEndReason, TurnStart } from '../event/catalogue/model.ts';
import { UserPromptSubmit } from '../event/catalogue/prompt.ts';
import type { EventPayload, Point, PointData } from '../event/event.ts';
import { isSamePrincipal, type Principal, principalFrom } from '../principal.ts';
import type { DispatchDecision } from '../registry/hooks.ts';
import { forgetRun, forgetTaken, takeForRun } from '../session/context.ts';
import { resumeValues } from '../session/runs.ts';
import type { Session, SessionSource } from '../session/session.ts';
import { after } from '../thenable.ts';
import { type Member, maxAttempts, membersOf } from '../tool-call/members.ts';
import { abandonPaused } from '../tool-call/split.ts';
import type { Attached, ToolCallOutcome } from '../tool-call/types.ts';
import { KNOWN_PROMPTS, type KnownPrompts, keepFor, noKnownPrompts, remember } from './known-prompts.ts';

/** How to open a run. */
export interface RunOptions {
  /** The run's id. Default: a generated one. */
  readonly id?: string | undefined;
  /** The id of its session: the framework's thread. Without it, the run has its own session, which closes with it. */
  readonly sessionId?: string | undefined;
  /** Also closes a session with an id at the end of the run, such as a sub-agent's thread for one task. */
  readonly ownsSession?: boolean;
  /** `resume` if the framework restored the session's state. */
  readonly source?: SessionSource;
  readonly agent?: string | undefined;
  /** The run's principal. Default: the parent's, else the session's. */
  readonly principal?: Principal | undefined;
  /** The run that started this one, if it is a sub-agent's. */
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
  readonly by?: string | undefined;
  readonly code?: ToolCallOutcome['code'];
}

/** The reason of the turn that a hook ended. */
export function turnEndOf({ code }: Pick<RunStop, 'code'>): TurnEndReason {
  return code === 'loop_detected' ? code : 'hook_blocked';
}

/** The fields that all events of a run share, besides the session. */
type Place = 'type' | 'session' | 'run' | 'agent' | 'turn' | 'principal';

/** The state of a run, and access to its hooks: those of all its registries, in one chain. */
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
  /** The number of its model calls. */
  iteration = 0;
  /** The open turn: one model call with its tools. */
  turn: string | undefined;
  /** The agent that had control when it began. A handoff may have changed it since. */
  #turnAgent: string | undefined;
  /** The last message of the user, or of a Stop hook in the user's place. */
  lastUserMessage: string | undefined;
  /** How often in a row Stop hooks have continued it. */
  continuations = 0;
  /** Why a hook ended it. */
  stop: RunStop | undefined;
  /** The answers that hooks retried before a model call failed. The framework may repeat its request in the same turn. */
  failed: { readonly turn: string; readonly answers: readonly unknown[] } | undefined;
  /** The changes of `BeforeRun` hooks to the model. */
  model: string | undefined;
  settings: ModelSettings | undefined;
  /** Whether it has ended. Its leftovers (a timer, a connection) may still call it. */
  over = false;
  #members: readonly [Member, ...Member[]];
  /** The sessions of registries that hook only some of its tools. */
  readonly #further: Set<Session> = new Set();

  constructor(registries: readonly Attached[], options: RunOptions) {
    const { sessionId, source, parent, principal } = options;
    const [outermost] = registries;
    if (outermost === undefined) fail('INVALID_INPUT', 'a run needs at least one registry');
    this.principal = principal === undefined ? parent?.principal : principalFrom(principal, 'openRun');
    this.ownsSession = options.ownsSession ?? sessionId === undefined;
    this.#session = outermost.hooks.session(sessionId, {
      ...defined({ source, parent: parent?.session }),
      // The next run of an identified session may be for somebody else.
      ...(this.ownsSession && { principal: this.principal }),
    });
    this.#members = membersOf(registries, this.session);
    this.registries = registries;
    this.id = options.id ?? (sessionId === undefined ? this.session.id : `run-${crypto.randomUUID()}`);
    for (const { session } of this.#members) resumeValues(session, this.id);
    this.parent = parent;
    this.parentCallId = options.parentCallId;
    this.agent = options.agent;
    this.signal = options.signal;
  }

  /** The session of the outermost registry. The others have the same id. */
  get session(): Session {
    return this.#session;
  }

  /** The id of its session. Undefined if the session is the run's own. */
  get sessionId(): string | undefined {
    return this.ownsSession ? undefined : this.#session.id;
  }

  /** Calls a function when the session closes. Returns how to forget it. */
  onClose(release: () => void): () => void {
    const { session } = this.#members[0];
    session.releases ??= new Set();
    session.releases.add(release);
    return () => void session.releases?.delete(release);
  }

  /**
   * Whether a request may resume the run. Only a request of the run's own principal may. A request without a principal has
   * that of its session, if the session has one.
   *
   * @param principal what the option `principal` returns for the request
   */
  isFor(principal: Principal | undefined): boolean {
    // A session of its own has the run's principal, whoever asks.
    const standing = this.ownsSession ? undefined : this.#session.principal;
    return isSamePrincipal(this.principal ?? standing, principal === undefined ? standing : principal);
  }

  /** Whether any hook would run for the event. */
  hears(point: PointData): boolean {
    return !this.#chain(point).empty;
  }

  /** Whether any hook may change or refuse the event. */
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
   * Runs the hooks on an event of this run. Adapters need it only for their own events: those of the catalogue have
   * methods. Synchronous if the hooks are.
   */
  ask<E extends EventPayload, Decision, G>(
    point: Point<E, Decision, G> & PointData & { readonly type: string },
    fields: Omit<E, Place>,
    options?: DispatchOptions,
  ): DispatchDecision<Decision> | PromiseLike<DispatchDecision<Decision>> {
    checkPayload(point.spec, fields);
    const { session, signal } = this;
    const chain = this.#chain(point);
    // The token's types say what its hooks may answer, and the fold holds them to it.
    type Answered = DispatchDecision<Decision>;
    if (chain.empty && session.state === 'open') return PROCEED as Answered;
    // The event is made before anything is waited for: it tells what was so now.
    const event: EventPayload = sealEvent({ type: point.type, session, ...this.#place, ...fields });
    const asking = after(this.open(), () => ask(chain, event, { signal, ...options }));
    return after(asking, thawDecision) as Answered;
  }

  /** The fields that all events of the run share, besides the session. */
  get #place(): Partial<Pick<EventPayload, 'run' | 'agent' | 'turn' | 'principal'>> {
    const { id: run, agent, turn, principal } = this;
    return defined({ run, agent, turn, principal });
  }

  #chain(point: PointData): Chain {
    return mergeChains(
      point.spec,
      this.#members.map(({ internal }) => internal.chain(point)),
    );
  }

  /** Ends the open turn and begins the next one, unless a hook has ended the run. */
  protected nextTurn(): RunStop | undefined | PromiseLike<RunStop | undefined> {
    const { stop } = this;
    if (stop !== undefined) return after(this.closeTurn(turnEndOf(stop)), () => stop);
    return after(this.closeTurn('continue'), () => {
      for (const { session } of this.#members) forgetTaken(session, this.id);
      this.iteration++;
      this.turn = `${this.id}:${this.iteration}`;
      this.#turnAgent = this.agent;
      return after(this.ask(TurnStart, { iteration: this.iteration }), () => undefined);
    });
  }

  /** Ends the open turn, if there is one. */
  protected closeTurn(reason: TurnEndReason): undefined | PromiseLike<undefined> {
    if (this.turn === undefined) return undefined;
    const { agent, iteration } = this;
    this.agent = this.#turnAgent;
    const told = this.ask(TurnEnd, { reason, iteration });
    this.agent = agent;
    this.turn = undefined;
    return after(told, () => undefined) as undefined | PromiseLike<undefined>;
  }

  /** The maximum number of attempts when hooks answer Retry. */
  get maxAttempts(): number {
    return maxAttempts(this.#members);
  }

  /**
   * The context for a request to the model, which the adapter sends as a system message without storing it: the session's,
   * the run's, and that of this turn's call, which a repeated request has, too.
   */
  takeContext(): readonly string[] {
    return this.#members.flatMap(({ session }) => {
      session.idle = 0;
      // Outside of a turn, nothing tells a repeated request from the next one.
      return takeForRun(session, this.id, this.turn !== undefined);
    });
  }

  /**
   * The text that hooks left of a prompt when it was submitted in this session for the nth time, counted from 0.
   * Undefined if it was not, or not to all hooks that decide on prompts now.
   */
  knownPrompt(key: string, nth: number, text: string): string | undefined {
    const lists = this.#knownPrompts.map(({ texts }) => texts.get(key) ?? []);
    return lists.every(({ length }) => nth < length) ? (lists[0]?.[nth] ?? text) : undefined;
  }

  /** Remembers in the sessions of all registries that a prompt was submitted. */
  rememberPrompt(key: string, left: string | undefined): void {
    for (const known of this.#knownPrompts) remember(known, key, left);
  }

  get #knownPrompts(): readonly KnownPrompts[] {
    return this.#members.map(({ session, internal }) =>
      keepFor(session.get(KNOWN_PROMPTS, noKnownPrompts), internal.chain(UserPromptSubmit).deciders),
    );
  }

  /** Ends the run because of a hook. The first one counts. */
  endBy({ reason = '', by, code }: Partial<RunStop>): RunStop {
    this.stop ??= { reason, ...defined({ by, code }) };
    return this.stop;
  }

  /** Warns the developer, once for each message. */
  warnOnce(message: string): void {
    this.#members[0].internal.warnOnce(message);
  }

  /** Makes `hooks.settled` wait for the end of the run. */
  protected keepEnd(end: Promise<unknown>): void {
    for (const { internal } of this.#members) internal.keepEnd(end.catch(() => {}));
  }

  /** The registries of a call whose tool is hooked by further registries, which are further in. */
  protected withInner(inner: readonly Attached[]): readonly Attached[] {
    if (inner.length === 0) return this.registries;
    for (const { session } of membersOf(inner, this.session)) {
      if (!this.#further.has(session)) resumeValues(session, this.id);
      this.#further.add(session);
    }
    return [...this.registries, ...inner];
  }

  /**
   * Opens new sessions with the same id if one was closed. Returns whether that was the case. Otherwise, they are those of the
   * run's parent again: another one may have used them.
   */
  protected reopen(): boolean {
    const { id, principal } = this.session;
    const parent = this.parent?.session ?? this.session.parent;
    const { hooks } = this.registries[0] as Attached;
    const isClosed = this.#sessions.some(({ state }) => state === 'closed');
    const own = principal === this.session.parent?.principal ? undefined : principal;
    this.#session = hooks.session(id, {
      ...(isClosed && { source: 'resume' }),
      ...defined({ parent, principal: own }),
    });
    this.#members = membersOf(this.registries, this.session);
    if (isClosed) this.#further.clear();
    return isClosed;
  }

  /** Forgets the run's context, metadata and values, in all registries. */
  forget(): void {
    for (const session of this.#sessions) forgetRun(session, this.id);
  }

  /** Forgets the run, and closes a session of its own, in all registries. */
  async close(): Promise<void> {
    const sessions = this.#sessions;
    this.forget();
    for (const { session } of this.#members)
      await abandonPaused(session, { run: this.id }, 'The call was not finished, because the run is over.');
    if (this.ownsSession) await Promise.all(sessions.map((session) => session.close()));
  }

  get #sessions(): readonly Session[] {
    return [...new Set([...this.#members.map(({ session }) => session), ...this.#further])];
  }
}

/**
 * Waits for the hooks' answer. Throws the signal's reason if it fired meanwhile: a hook that fails because of an abort
 * has refused nothing.
 */
export async function unlessAborted<T>(
  signal: AbortSignal | undefined,
  asked: T | PromiseLike<T>,
): Promise<T> {
  const answer = await asked;
  signal?.throwIfAborted();
  return answer;
}
