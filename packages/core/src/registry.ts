import { type AnyHandler, type Chain, compileChain, type Registration } from './chain.ts';
import { keepContributed } from './contributed.ts';
import { Deadlines } from './deadline.ts';
import { type HookDecision, proceed } from './decision.ts';
import { ask, type DispatchHost, type DispatchOptions } from './dispatch.ts';
import { HooksError } from './error.ts';
import type { EventPayload, EventSpec, Point, PointData } from './event.ts';
import { SessionEnd, SessionStart } from './events/session.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
} from './events/tool.ts';
import type {
  Answered,
  Ask,
  Attachment,
  HookInfo,
  HookOptions,
  Hooks,
  HooksInternal,
  HooksOptions,
  UnmatchedHook,
} from './hooks.ts';
import { canonicalName, describeMatcher, nearestNames } from './match.ts';
import type { HookProvider } from './provider.ts';
import { describe, makeRegistration } from './registration.ts';
import { type Session, type SessionEndReason, SessionState } from './session.ts';
import { type SessionOptions, SessionStore } from './session-store.ts';
import { after, isThenable } from './thenable.ts';
import type { HookVerb, TraceListener } from './trace.ts';

/** The events of which a tool call consists; where no hook concerns them, a tool may be called directly. */
const CALL_EVENTS: readonly PointData[] = [
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
  AfterToolCall,
  SessionStart,
  SessionEnd,
];

/**
 * Makes a registry of hooks.
 *
 * @example
 * ```ts
 * const hooks = createHooks();
 * hooks.guard(BeforeToolCall.matching('exec'), (call) =>
 *   String(call.input).includes('rm -rf') ? block('rm -rf is not allowed') : proceed(),
 * );
 * ```
 * @throws HooksError `CONFIG_INVALID` where an option has a wrong value
 */
export function createHooks(options: HooksOptions = {}): Hooks {
  return new Registry(options);
}

/** The one implementation of {@link Hooks}. Copy on write: a dispatch that runs keeps the hooks it began with. */
class Registry implements Hooks {
  readonly '~internal': HooksInternal;
  readonly #options: HooksOptions;
  readonly #store: SessionStore;
  readonly #host: { -readonly [K in keyof DispatchHost]: DispatchHost[K] };
  readonly #pending: Set<Promise<unknown>> = new Set();
  readonly #attachments: Map<string, Attachment> = new Map();
  readonly #warned: Set<string> = new Set();
  #registrations: readonly Registration[] = [];
  #chains: Map<string, Map<string | undefined, Chain>> = new Map();
  #concerned: Map<string, boolean> = new Map();
  #traceListeners: readonly TraceListener[] = [];
  #errorListeners: readonly ((error: HooksError) => void)[];
  #made = 0;

  constructor(options: HooksOptions) {
    this.#options = options;
    this.#errorListeners = options.onError === undefined ? [] : [options.onError];
    for (const name of ['timeoutMs', 'maxAttempts'] as const) {
      if (options[name] !== undefined && !(options[name] > 0)) {
        throw new HooksError(
          'CONFIG_INVALID',
          `createHooks: ${name} must be a number greater than 0, not ${String(options[name])}.`,
        );
      }
    }
    this.#host = {
      deadlines: new Deadlines(),
      traced: false,
      report: (error) => this.#emit(this.#errorListeners, error),
      trace: (trace) => this.#emit(this.#traceListeners, trace),
      pending: (promise) => this.#keep(promise),
    };
    this.#store = new SessionStore(options.sessions ?? {}, {
      start: (session) => this.#open(session),
      end: (session, reason) => this.#endSession(session, reason),
    });
    this['~internal'] = {
      options,
      host: this.#host,
      chain: (point, toolName) => this.#chain(point.spec, toolName),
      state: (session) => this.#state(session),
      warnOnce: (message) => this.#warnOnce(message),
    };
  }

  on(point: PointData, handler: AnyHandler, options?: HookOptions): Disposable {
    return this.#register('on', point, handler, options);
  }

  guard(point: PointData, handler: AnyHandler, options?: HookOptions): Disposable {
    return this.#register('guard', point, handler, options);
  }

  observe(point: PointData, handler: AnyHandler, options?: HookOptions): Disposable {
    return this.#register('observe', point, handler, options);
  }

  use(provider: HookProvider, options?: { readonly name?: string }): Disposable {
    const name = options?.name ?? provider.name;
    if (typeof name !== 'string' || name === '')
      throw new HooksError(
        'CONFIG_INVALID',
        'hooks.use: a provider needs a name, { name, register(hooks) }.',
      );
    if (this.#registrations.some((hook) => hook.provider === name)) {
      throw new HooksError(
        'DUPLICATE_HOOK',
        `Provider "${name}" is in use already; give the second one a name of its own: hooks.use(provider, { name: '…' }).`,
      );
    }
    const before = this.#registrations;
    const verb = (kind: HookVerb) => (point: PointData, handler: AnyHandler, hookOptions?: HookOptions) =>
      this.#register(kind, point, handler, hookOptions, name);
    try {
      provider.register({
        on: verb('on'),
        guard: verb('guard'),
        observe: verb('observe'),
        session: (id, sessionOptions) => this.session(id, sessionOptions),
        dispatch: (token, event, dispatchOptions) => this.dispatch(token, event, dispatchOptions),
      });
    } catch (error) {
      this.#replace(before);
      throw error;
    }
    const brought = new Set(this.#registrations.filter((hook) => !before.includes(hook)));
    return {
      [Symbol.dispose]: () => this.#replace(this.#registrations.filter((hook) => !brought.has(hook))),
    };
  }

  list(): readonly HookInfo[] {
    return this.#registrations.map(describe);
  }

  get(point: PointData, toolName?: string): readonly HookInfo[] {
    const chain = this.#chain(point.spec, toolName);
    return [...chain.interceptors, ...chain.guards, ...chain.observers].map(describe);
  }

  remove(id: string): boolean {
    const kept = this.#registrations.filter((hook) => hook.id !== id && hook.provider !== id);
    const found = kept.length < this.#registrations.length;
    if (found) this.#replace(kept);
    return found;
  }

  clear(): void {
    this.#replace([]);
  }

  unmatched(): readonly UnmatchedHook[] {
    const told = new Set([...this.#attachments.values()].flatMap(({ tools }) => tools ?? []));
    if (told.size === 0) return [];
    return this.#registrations.flatMap(({ id, matcher, meets }) => {
      if (matcher === undefined || meets === undefined || [...told].some(meets)) return [];
      const written = describeMatcher(matcher);
      return [{ id, matcher: written, nearest: nearestNames(written, told) }];
    });
  }

  dispatch<E extends EventPayload, Answer, G>(
    token: Point<E, Answer, G> & { readonly type: string },
    payload: Omit<E, 'type'> | E,
    options: DispatchOptions = NO_OPTIONS,
  ): Answered<Answer> | PromiseLike<Answered<Answer>> {
    const event = eventOf(token, payload);
    const session = this.#state(event.session);
    const chain = this.#chain(token.spec, 'toolName' in event ? String(event.toolName) : undefined);
    const opened = token.spec.type === SessionStart.type ? undefined : this.#open(session);
    const decision = after(opened, () =>
      after(ask(this.#host, chain, event, options), (settled) =>
        keepContributed(session, token.spec, event, settled),
      ),
    );
    // The token's types say what its hooks may answer, and the fold held them to it.
    return decision as Answered<Answer> | PromiseLike<Answered<Answer>>;
  }

  bind<E extends EventPayload, Answer, G>(
    token: Point<E, Answer, G> & { readonly type: string },
    toolName?: string,
  ): Ask<E, Answer> {
    let chains = this.#chains;
    let chain = this.#chain(token.spec, toolName);
    return (event, options = NO_OPTIONS) => {
      if (chains !== this.#chains) {
        chains = this.#chains;
        chain = this.#chain(token.spec, toolName);
      }
      if (chain.empty) return PROCEED as Answered<Answer>;
      const session = this.#state(event.session);
      if (session.state !== 'open') return this.dispatch(token, event, options);
      const decision = ask(this.#host, chain, event, options);
      if (decision === PROCEED) return PROCEED as Answered<Answer>;
      return after(decision, (settled) => keepContributed(session, token.spec, event, settled)) as
        | Answered<Answer>
        | PromiseLike<Answered<Answer>>;
    };
  }

  session(id?: string, options: SessionOptions = {}): Session {
    if (id === '')
      throw new HooksError(
        'INVALID_INPUT',
        'hooks.session: an id must not be empty; leave it out to have one minted.',
      );
    return this.#store.open(id, options);
  }

  trace(listener: TraceListener): Disposable {
    this.#traceListeners = [...this.#traceListeners, listener];
    this.#host.traced = true;
    this.#concerned = new Map();
    return {
      [Symbol.dispose]: () => {
        this.#traceListeners = this.#traceListeners.filter((other) => other !== listener);
        this.#host.traced = this.#traceListeners.length > 0;
        this.#concerned = new Map();
      },
    };
  }

  onError(listener: (error: HooksError) => void): Disposable {
    this.#errorListeners = [...this.#errorListeners, listener];
    return {
      [Symbol.dispose]: () => {
        this.#errorListeners = this.#errorListeners.filter((other) => other !== listener);
      },
    };
  }

  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async close(): Promise<void> {
    await this.#store.close('other');
    await this.settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  attach(attachment: Attachment): void {
    for (const hook of this.#registrations) this.#checkSupport(hook, attachment);
    this.#attachments.set(attachment.supports.adapter, attachment);
  }

  concerns(toolName: string): boolean {
    let concerned = this.#concerned.get(toolName);
    if (concerned === undefined) {
      const canonical = canonicalName(toolName, this.#options);
      concerned = CALL_EVENTS.some((event) => !this.#chain(event.spec, canonical).empty);
      this.#concerned.set(toolName, concerned);
    }
    return concerned;
  }

  #register(
    verb: HookVerb,
    point: PointData,
    handler: AnyHandler,
    options: HookOptions = {},
    provider?: string,
  ): Disposable {
    const hook = makeRegistration(
      verb,
      point,
      handler,
      options,
      provider,
      this.#options,
      () => `${handler.name || point.spec.type}-${++this.#made}`,
    );
    if (this.#registrations.some(({ id }) => id === hook.id)) {
      throw new HooksError(
        'DUPLICATE_HOOK',
        `A hook with the id "${hook.id}" is registered already; ids are unique within a provider.`,
      );
    }
    for (const attachment of this.#attachments.values()) this.#checkSupport(hook, attachment);
    this.#replace([...this.#registrations, hook]);
    return { [Symbol.dispose]: () => this.#replace(this.#registrations.filter((other) => other !== hook)) };
  }

  #replace(registrations: readonly Registration[]): void {
    this.#registrations = registrations;
    this.#chains = new Map();
    this.#concerned = new Map();
  }

  #chain(spec: EventSpec, toolName: string | undefined): Chain {
    let byTool = this.#chains.get(spec.type);
    if (byTool === undefined) {
      byTool = new Map();
      this.#chains.set(spec.type, byTool);
    }
    let chain = byTool.get(toolName);
    if (chain === undefined) {
      chain = compileChain(this.#registrations, spec, toolName);
      byTool.set(toolName, chain);
    }
    return chain;
  }

  #checkSupport(hook: Registration, { supports, allowUnsupported }: Attachment): void {
    const { adapter, events } = supports;
    const { type, permits } = hook.spec;
    const fires = events[type]?.fires;
    if (fires?.level !== 'none') return; // a custom event, of which the table says nothing, is for who dispatches it
    const why = fires.note ?? 'the framework has no such point';
    const text = `${adapter} cannot honour the hook "${hook.id}" on ${type}: ${why}.`;
    const refuses =
      hook.verb === 'guard' || (hook.verb === 'on' && permits.some((decision) => decision !== 'modify'));
    if (!refuses || allowUnsupported?.includes(type)) this.#warnOnce(text);
    else throw new HooksError(
      'UNSUPPORTED_EVENT',
      `${text} It would never be obeyed; list "${type}" in allowUnsupported to register it all the same.`,
      { hook: hook.id, event: type },
    );
  }

  #state(session: Session): SessionState {
    // A session of another registry, or of another copy of core, is known here by its id.
    return session instanceof SessionState ? session : this.#store.open(session.id, {});
  }

  #open(session: SessionState): undefined | PromiseLike<undefined> {
    this.#store.touch(session);
    if (session.state !== 'new') return session.opening;
    session.state = 'opening';
    const started = this.dispatch(SessionStart, { session, source: session.source });
    const opened = after<unknown, undefined>(started, () => {
      if (session.state === 'opening') session.state = 'open';
      session.opening = undefined;
      return undefined;
    });
    session.opening = isThenable(opened) ? Promise.resolve(opened) : undefined;
    return session.opening;
  }

  async #endSession(session: SessionState, reason: SessionEndReason): Promise<void> {
    const chain = this.#chain(SessionEnd.spec, undefined);
    await ask(this.#host, chain, { type: SessionEnd.type, session, reason } as EventPayload, NO_OPTIONS);
    await this.settled();
  }

  #keep(promise: Promise<unknown>): void {
    this.#pending.add(promise);
    void promise.finally(() => this.#pending.delete(promise));
  }

  /** Listeners look; what they throw changes nothing. */
  #emit<T>(listeners: readonly ((value: T) => void)[], value: T): void {
    for (const listener of listeners) {
      try {
        listener(value);
      } catch {
        this.#warnOnce('A listener of hooks.trace or hooks.onError threw; it was ignored.');
      }
    }
  }

  #warnOnce(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    (this.#options.onWarning ?? console.warn)(message);
  }
}

const PROCEED = proceed();
const NO_OPTIONS: DispatchOptions = {};

function eventOf<E extends EventPayload>(
  token: PointData & { readonly type: string },
  payload: Omit<E, 'type'> | E,
): EventPayload {
  const given = payload as Partial<EventPayload>;
  if (given.session === undefined)
    throw new HooksError(
      'INVALID_INPUT',
      `hooks.dispatch: an event of ${token.type} needs a \`session\`: hooks.session(id).`,
    );
  if (given.type !== undefined && given.type !== token.type)
    throw new HooksError(
      'INVALID_INPUT',
      `hooks.dispatch: the event's type is "${given.type}", but the token's is "${token.type}".`,
    );
  return given.type === undefined
    ? { ...given, session: given.session, type: token.type }
    : (given as EventPayload);
}
