import { type AnyHandler, type Chain, compileChain, type Registration, toolNameOf } from './chain.ts';
import { keepContributed } from './contributed.ts';
import { Deadlines } from './deadline.ts';
import { type HookDecision, proceed } from './decision.ts';
import { ask, type DispatchOptions } from './dispatch.ts';
import { fail, type HooksError } from './error.ts';
import type { EventPayload, EventSpec, PointData } from './event.ts';
import { SessionEnd, SessionStart } from './events/session.ts';
import type { Answered, Attachment, HookOptions, Hooks, HooksInternal, HooksOptions } from './hooks.ts';
import { canonicalName, describeMatcher, nearestNames } from './match.ts';
import { describe, makeRegistration } from './registration.ts';
import { type Session, SessionState } from './session.ts';
import { SessionStore } from './session-store.ts';
import { checkSupport } from './support.ts';
import { after, isThenable } from './thenable.ts';
import type { CallChains } from './tool-call/chains.ts';
import type { HookVerb, TraceListener } from './trace.ts';

const PROCEED = proceed();
const NO_OPTIONS: DispatchOptions = {};

/**
 * Makes a registry of hooks. Copy on write: a dispatch that runs keeps the hooks that it began with.
 *
 * @throws HooksError `CONFIG_INVALID` where an option has a wrong value
 * @example
 * ```ts
 * const hooks = createHooks();
 * hooks.guard(BeforeToolCall.matching('exec'), (call) =>
 *   String(call.input).includes('rm -rf') ? block('rm -rf is not allowed') : proceed(),
 * );
 * ```
 */
export function createHooks(options: HooksOptions = {}): Hooks {
  const { timeoutMs, maxAttempts, sessions } = options;
  for (const [name, value] of Object.entries({ timeoutMs, maxAttempts, ...sessions })) {
    if (value !== undefined && !(value > 0))
      fail('CONFIG_INVALID', `createHooks: ${name} must be greater than 0`);
  }
  let registrations: readonly Registration[] = [];
  let chains = new Map<string, Map<string | undefined, Chain>>();
  let concerned = new Map<string, boolean>();
  let compiledCalls = new Map<string, CallChains>();
  let made = 0;
  const attachments = new Map<string, Attachment>();
  const pending = new Set<Promise<unknown>>();
  const warned = new Set<string>();
  const traceListeners = new Set<TraceListener>();
  const errorListeners = new Set<(error: HooksError) => void>();
  if (options.onError !== undefined) errorListeners.add(options.onError);

  const warnOnce = (message: string): void => {
    if (warned.has(message)) return;
    warned.add(message);
    (options.onWarning ?? console.warn)(message);
  };

  /** Listeners look; what they throw changes nothing. */
  const emit = <T>(listeners: Iterable<(value: T) => void>, value: T): void => {
    for (const listener of listeners) {
      try {
        listener(value);
      } catch {
        warnOnce('A listener of hooks.trace or hooks.onError threw; it was ignored.');
      }
    }
  };

  const host = {
    deadlines: new Deadlines(),
    traced: false,
    report: (error: HooksError) => emit(errorListeners, error),
    trace: (trace: Parameters<TraceListener>[0]) => emit(traceListeners, trace),
    pending: (promise: Promise<unknown>) => {
      pending.add(promise);
      void promise.then(() => pending.delete(promise));
    },
  };

  const replace = (next: readonly Registration[]): void => {
    registrations = next;
    chains = new Map();
    concerned = new Map();
    compiledCalls = new Map();
  };

  const chainOf = (spec: EventSpec, toolName: string | undefined): Chain => {
    const known = chains.get(spec.type)?.get(toolName);
    if (known !== undefined) return known;
    const chain = compileChain(registrations, spec, toolName);
    chains.set(spec.type, (chains.get(spec.type) ?? new Map()).set(toolName, chain));
    return chain;
  };

  const verb =
    (kind: HookVerb, provider?: string) =>
    (point: PointData, handler: AnyHandler, hookOptions: HookOptions = {}): Disposable => {
      const hook = makeRegistration(kind, point, handler, hookOptions, provider, options, ++made);
      if (registrations.some(({ id }) => id === hook.id))
        fail('DUPLICATE_HOOK', `The hook id "${hook.id}" is taken`);
      for (const attachment of attachments.values()) checkSupport(hook, attachment, warnOnce);
      replace([...registrations, hook]);
      return { [Symbol.dispose]: () => replace(registrations.filter((other) => other !== hook)) };
    };

  const store = new SessionStore(sessions ?? {}, {
    start: (session) => {
      if (session.state !== 'new') return session.opening;
      session.state = 'opening';
      const opened = after<unknown, undefined>(
        hooks.dispatch(SessionStart, { session, source: session.source }),
        (): undefined => {
          if (session.state === 'opening') session.state = 'open';
          session.opening = undefined;
        },
      );
      session.opening = isThenable(opened) ? opened : undefined;
      return session.opening;
    },
    end: async (session, reason) => {
      await ask(
        host,
        chainOf(SessionEnd.spec, undefined),
        { type: SessionEnd.type, session, reason } as EventPayload,
        NO_OPTIONS,
      );
      await hooks.settled();
    },
  });

  /** A session of another registry, or of another copy of core, is known here by its id. */
  const stateOf = (session: Session): SessionState =>
    session instanceof SessionState ? session : store.open(session.id, {});

  /** Asks the hooks of a chain, in a session that is open, and keeps what they contribute. */
  const askInSession = (
    chain: Chain,
    event: EventPayload,
    askOptions: DispatchOptions,
  ): HookDecision | PromiseLike<HookDecision> => {
    const { session } = event;
    if (session.state === 'open' || chain.spec.type === SessionStart.type) {
      const decision = ask(host, chain, event, askOptions);
      return decision === PROCEED
        ? PROCEED
        : after(decision, (settled) => keepContributed(session, chain.spec, event, settled));
    }
    return after(stateOf(session).open(), () =>
      after(ask(host, chain, event, askOptions), (settled) =>
        keepContributed(session, chain.spec, event, settled),
      ),
    );
  };

  const internal: HooksInternal = {
    options,
    host,
    chain: (point, toolName) => chainOf(point.spec, toolName),
    callChains: () => compiledCalls,
    state: stateOf,
    warnOnce,
  };

  const listen = <T>(listeners: Set<T>, listener: T): Disposable => {
    const changed = (): void => {
      host.traced = traceListeners.size > 0;
    };
    listeners.add(listener);
    changed();
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        changed();
      },
    };
  };

  const hooks: Hooks = {
    '~internal': internal,
    on: verb('on'),
    guard: verb('guard'),
    observe: verb('observe'),
    use(provider, useOptions) {
      const name = useOptions?.name ?? provider.name;
      if (!name) fail('CONFIG_INVALID', 'hooks.use: a provider is { name, register(hooks) }');
      const inUse = registrations.some((hook) => hook.provider === name);
      if (inUse && provider.once) return { [Symbol.dispose]: () => {} };
      if (inUse)
        fail(
          'DUPLICATE_HOOK',
          `Provider "${name}" is in use; give the second one a name: hooks.use(provider, { name })`,
        );
      const before = registrations;
      try {
        provider.register({
          ...hooks,
          on: verb('on', name),
          guard: verb('guard', name),
          observe: verb('observe', name),
        });
      } catch (error) {
        replace(before);
        throw error;
      }
      const brought = new Set(registrations.filter((hook) => !before.includes(hook)));
      return { [Symbol.dispose]: () => replace(registrations.filter((hook) => !brought.has(hook))) };
    },
    list: () => registrations.map(describe),
    get({ spec }, toolName) {
      const { interceptors, guards, observers } = chainOf(spec, toolName);
      return [...interceptors, ...guards, ...observers].map(describe);
    },
    remove(id) {
      const kept = registrations.filter((hook) => hook.id !== id && hook.provider !== id);
      const found = kept.length < registrations.length;
      if (found) replace(kept);
      return found;
    },
    clear: () => replace([]),
    unmatched() {
      const told = [...attachments.values()].flatMap(({ tools }) => tools ?? []);
      return registrations.flatMap(({ id, matcher, meets }) => {
        if (matcher === undefined || told.length === 0 || told.some(meets)) return [];
        const written = describeMatcher(matcher);
        return [{ id, matcher: written, nearest: nearestNames(written, told) }];
      });
    },
    dispatch(token, payload, dispatchOptions = NO_OPTIONS) {
      const event = eventOf(token, payload);
      const chain = chainOf(token.spec, toolNameOf(event));
      // The token's types say what its hooks may answer, and the fold holds them to it.
      return askInSession(chain, event, dispatchOptions) as Answered<never>;
    },
    bind(token, toolName) {
      let known = chains;
      let chain = chainOf(token.spec, toolName);
      return (event, dispatchOptions = NO_OPTIONS) => {
        if (known !== chains) {
          known = chains;
          chain = chainOf(token.spec, toolName);
        }
        return (chain.empty ? PROCEED : askInSession(chain, event, dispatchOptions)) as Answered<never>;
      };
    },
    session(id, sessionOptions = {}) {
      if (id === '')
        fail('INVALID_INPUT', 'hooks.session: an id must not be empty; leave it out to have one minted');
      return store.open(id, sessionOptions);
    },
    trace: (listener) => listen(traceListeners, listener),
    onError: (listener) => listen(errorListeners, listener),
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
    async close() {
      await store.close('other');
      await hooks.settled();
    },
    [Symbol.asyncDispose]: () => hooks.close(),
    attach(attachment) {
      for (const hook of registrations) checkSupport(hook, attachment, warnOnce);
      attachments.set(attachment.supports.adapter, attachment);
    },
    concerns(toolName) {
      const known = concerned.get(toolName);
      if (known !== undefined) return known;
      const canonical = canonicalName(toolName, options);
      const concerns = registrations.some(
        ({ spec, matcher, meets }) =>
          // Of a tool call's own events, or of the session that it opens; hooks on `hook_event` see those too.
          spec.lineage.some(
            (type) => type === 'tool_event' || type === 'session_event' || spec.type === 'hook_event',
          ) &&
          (matcher?.kind !== 'name' || meets(canonical)),
      );
      concerned.set(toolName, concerns);
      return concerns;
    },
  };
  return hooks;
}

function eventOf(token: PointData & { readonly type: string }, payload: object): EventPayload {
  const { session, type = token.type } = payload as Partial<EventPayload>;
  if (session === undefined || type !== token.type)
    return fail(
      'INVALID_INPUT',
      `hooks.dispatch(${token.type}): the event needs a \`session\`, and that type or none`,
    );
  return 'type' in payload ? (payload as EventPayload) : { ...payload, type, session };
}
