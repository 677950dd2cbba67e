import { PROCEED } from '../decision.ts';
import { Deadlines } from '../dispatch/deadline.ts';
import { ask, type DispatchOptions } from '../dispatch/dispatch.ts';
import type { Folded } from '../dispatch/fold.ts';
import type { HookVerb, TraceListener } from '../dispatch/trace.ts';
import { fail, type HooksError } from '../error.ts';
import { SessionStart } from '../event/catalogue/session.ts';
import type { EventPayload, PointData } from '../event/event.ts';
import { type Session, SessionState } from '../session/session.ts';
import { keepSessions } from '../session/store.ts';
import { after } from '../thenable.ts';
import { type AnyHandler, type Chain, compileChain, type Registration, toolNameOf } from './chain.ts';
import type { Answered, HookOptions, Hooks, HooksInternal, HooksOptions } from './hooks.ts';
import { makeRegistration } from './registration.ts';

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
  const { timeoutMs, maxAttempts, sessions = {} } = options;
  for (const [name, value] of Object.entries({ timeoutMs, maxAttempts, ...sessions })) {
    if (value !== undefined && !(value > 0))
      fail('CONFIG_INVALID', `createHooks: ${name} must be greater than 0`);
  }
  let registrations: readonly Registration[] = [];
  let compiled: Compiled = {};
  let made = 0;
  const pending = new Set<PromiseLike<unknown>>();
  const warned = new Set<string>();
  const traces = new Set<TraceListener>();
  const errors = new Set<(error: HooksError) => void>();
  if (options.onError) errors.add(options.onError);

  /** Listeners look; what they throw changes nothing. */
  const emit =
    <T>(listeners: Iterable<(value: T) => void>) =>
    (value: T): void => {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch {
          internal.warnOnce('A listener threw');
        }
      }
    };

  const replace = (next: readonly Registration[]): void => {
    registrations = next;
    compiled = {};
  };

  const removing = (gone: readonly Registration[]): Disposable =>
    disposable(() => replace(registrations.filter((hook) => !gone.includes(hook))));

  const chainOf = ({ spec }: PointData, toolName?: string): Chain => {
    const { type } = spec;
    compiled[type] ??= new Map();
    const byTool = compiled[type];
    const known = byTool.get(toolName);
    if (known) return known;
    const chain = compileChain(registrations, spec, toolName);
    byTool.set(toolName, chain);
    return chain;
  };

  /** The three verbs, for the hooks of a provider or those of none. */
  const verbs = (provider?: string): Pick<Hooks, HookVerb> => {
    const verb =
      (kind: HookVerb) =>
      (point: PointData, handler: AnyHandler, hookOptions: HookOptions = {}): Disposable => {
        const hook = makeRegistration(kind, options, point, handler, hookOptions, provider, ++made);
        const { id } = hook.info;
        if (registrations.some(({ info }) => info.id === id))
          fail('DUPLICATE_HOOK', `The hook id "${id}" is taken`);
        internal.adapters?.admit(hook);
        replace([...registrations, hook]);
        return removing([hook]);
      };
    return { on: verb('on'), guard: verb('guard'), observe: verb('observe') };
  };

  const store = keepSessions(sessions, {
    fire: (token, event) => ask(internal, chainOf(token), event),
    settled: () => (pending.size > 0 ? hooks.settled() : undefined),
  });

  /** A session of another registry, or of another copy of core, is known here by its id. */
  const stateOf = (session: Session): SessionState =>
    session instanceof SessionState ? session : store.open(session.id);

  /** Opens the session first, where it is not. */
  const askInSession = (chain: Chain, event: EventPayload, askOptions?: DispatchOptions): Folded =>
    event.session.state === 'open' || chain.spec.type === SessionStart.type
      ? ask(internal, chain, event, askOptions)
      : after(stateOf(event.session).open(), () => ask(internal, chain, event, askOptions));

  const internal: HooksInternal = {
    options,
    deadlines: new Deadlines(),
    traces,
    trace: emit(traces),
    report: emit(errors),
    pending: (promise) => {
      pending.add(promise);
      void promise.then(() => pending.delete(promise));
    },
    registrations: () => registrations,
    chain: chainOf,
    state: stateOf,
    warnOnce: (message) => {
      if (warned.has(message)) return;
      warned.add(message);
      (options.onWarning ?? console.warn)(message);
    },
  };

  const listen = <T>(listeners: Set<T>, listener: T): Disposable => {
    listeners.add(listener);
    return disposable(() => listeners.delete(listener));
  };

  const hooks: Hooks = {
    '~internal': internal,
    ...verbs(),
    use(provider, useOptions) {
      const name = useOptions?.name ?? provider.name;
      if (!name) fail('CONFIG_INVALID', 'A provider is { name, register(hooks) }');
      if (registrations.some(({ info }) => info.provider === name)) {
        if (provider.once) return removing([]);
        fail('DUPLICATE_HOOK', `Provider "${name}" is in use: give the second a { name }`);
      }
      const before = registrations;
      try {
        provider.register({ ...hooks, ...verbs(name) });
      } catch (error) {
        replace(before);
        throw error;
      }
      return removing(registrations.filter((hook) => !before.includes(hook)));
    },
    list: () => registrations.map(({ info }) => info),
    get(point, toolName) {
      const { deciders, observers } = chainOf(point, toolName);
      return [...deciders, ...observers].flatMap(({ info, meets }) => (meets(toolName) ? info : []));
    },
    remove(id) {
      const before = registrations;
      replace(before.filter(({ info }) => info.id !== id && info.provider !== id));
      return registrations.length < before.length;
    },
    clear: () => replace([]),
    unmatched: () => internal.adapters?.unmatched(registrations) ?? [],
    dispatch(token, payload, dispatchOptions) {
      const event = eventOf(token, payload);
      const chain = chainOf(token, toolNameOf(event));
      // The token's types say what its hooks may answer, and the fold holds them to it.
      return askInSession(chain, event, dispatchOptions) as Answered<never>;
    },
    bind(token, toolName) {
      let known: Compiled | undefined;
      let chain: Chain;
      return (event, dispatchOptions) => {
        if (known !== compiled) {
          known = compiled;
          chain = chainOf(token, toolName);
        }
        if (chain.empty) return PROCEED as Answered<never>;
        // Asked from here where nothing is to be opened first: a call less, of a dispatch that makes few.
        return (
          event.session.state === 'open'
            ? ask(internal, chain, event, dispatchOptions)
            : askInSession(chain, event, dispatchOptions)
        ) as Answered<never>;
      };
    },
    session(id, sessionOptions) {
      if (id === '') fail('INVALID_INPUT', 'A session id must not be empty');
      return store.open(id, sessionOptions);
    },
    trace: (listener) => listen(traces, listener),
    onError: (listener) => listen(errors, listener),
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
    async close() {
      await store.close();
      await hooks.settled();
    },
    [Symbol.asyncDispose]: () => hooks.close(),
  };
  return hooks;
}

/** The chains by event, then by tool; until a hook is registered or removed. */
interface Compiled {
  [type: string]: Map<string | undefined, Chain>;
}

function disposable(dispose: () => void): Disposable {
  return { [Symbol.dispose]: dispose };
}

function eventOf(
  { type }: { readonly type: string },
  payload: { readonly type?: string; readonly session?: unknown },
): EventPayload {
  const event = payload.type === undefined ? { ...payload, type } : payload;
  if (!event.session || event.type !== type)
    fail('INVALID_INPUT', `${type}: an event needs a \`session\`, and no other type`);
  return event as EventPayload;
}
