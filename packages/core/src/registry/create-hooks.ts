import { PROCEED } from '../decision.ts';
import {
  type AnyHandler,
  type Chain,
  compileChain,
  type Registration,
  toolNameOf,
} from '../dispatch/chain.ts';
import { Deadlines } from '../dispatch/deadline.ts';
import { ask, type DispatchOptions, type Settling, thawDecision } from '../dispatch/dispatch.ts';
import { checkPayload } from '../dispatch/payload.ts';
import { sealEvent } from '../dispatch/seal.ts';
import type { HookVerb, TraceListener } from '../dispatch/trace.ts';
import { fail, type HooksError } from '../error.ts';
import { SessionStart } from '../event/catalogue/session.ts';
import type { EventPayload, PointData } from '../event/event.ts';
import { keepSessions } from '../session/store.ts';
import { after } from '../thenable.ts';
import type { Answered, HookOptions, HookProvider, HookRegistrar, Hooks, HooksOptions } from './hooks.ts';
import type { HooksInternal } from './internal.ts';
import { makeRegistration, type ProviderName } from './registration.ts';

/**
 * Creates a registry of hooks. Registering or removing a hook does not affect a dispatch that is already running.
 *
 * @throws HooksError `CONFIG_INVALID` if an option has an invalid value
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

  /** Listeners only watch. Their errors change nothing. */
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
    internal.known.clear();
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

  /** The three verbs, for the hooks of a provider or without one. */
  const verbs = (provider?: ProviderName): Pick<Hooks, HookVerb> => {
    const verb =
      (kind: HookVerb) =>
      (point: PointData, handler: AnyHandler, hookOptions: HookOptions = {}): Disposable => {
        const hook = makeRegistration(kind, internal, point, handler, hookOptions, provider, ++made);
        const { id } = hook.info;
        if (registrations.some(({ info }) => info.id === id))
          fail('DUPLICATE_HOOK', `The hook id "${id}" is taken`);
        internal.adapters?.admit(hook);
        replace([...registrations, hook]);
        return removing([hook]);
      };
    return { on: verb('on'), guard: verb('guard'), observe: verb('observe') };
  };

  /** Registers all hooks of a provider, or none if one of them is invalid. */
  const use = (
    provider: HookProvider,
    useOptions: { readonly name?: string } | undefined,
    within?: ProviderName,
  ): Disposable => {
    const own = useOptions?.name ?? provider.name;
    if (!own) fail('CONFIG_INVALID', 'A provider is { name, register(hooks) }');
    const name = within === undefined ? own : `${within.name}/${own}`;
    const named: ProviderName = {
      name,
      // It may change what it has registered.
      get version() {
        return provider.version ?? within?.version;
      },
    };
    if (registrations.some(({ info }) => isOf(info, name))) {
      if (provider.once) return removing([]);
      fail('DUPLICATE_HOOK', `Provider "${name}" is in use: give the second a { name }`);
    }
    const before = registrations;
    const listeners: Disposable[] = [];
    const registrar: HookRegistrar = {
      ...hooks,
      ...verbs(named),
      use: (inner, innerOptions) => use(inner, innerOptions, named),
      trace: (listener) => {
        const listening = hooks.trace(listener);
        listeners.push(listening);
        return listening;
      },
    };
    const silence = (): void => {
      for (const listening of listeners) listening[Symbol.dispose]();
    };
    try {
      provider.register(registrar);
    } catch (error) {
      replace(before);
      silence();
      throw error;
    }
    const added = removing(registrations.filter((hook) => !before.includes(hook)));
    return disposable(() => {
      added[Symbol.dispose]();
      silence();
    });
  };

  const store = keepSessions(sessions, {
    fire: (token, event) => {
      const chain = chainOf(token);
      return chain.empty ? PROCEED : ask(chain, sealEvent(event));
    },
    settled: () => (pending.size > 0 ? hooks.settled() : undefined),
  });

  /** Opens the session first, if it is not open. */
  const askInSession = (chain: Chain, event: EventPayload, askOptions?: DispatchOptions): Settling => {
    if (chain.empty && event.session.state === 'open') return PROCEED;
    const asked = (): Settling => ask(chain, sealEvent(event), askOptions);
    const asking =
      event.session.state === 'open' || chain.spec.type === SessionStart.type
        ? asked()
        : after(store.own(event.session).open(event.principal), asked);
    return after(asking, thawDecision);
  };

  const internal: HooksInternal = {
    options,
    deadlines: new Deadlines(),
    traces,
    trace: emit(traces),
    report: emit(errors),
    keep: (promise) => {
      pending.add(promise);
      void promise.then(() => pending.delete(promise));
    },
    registrations: () => registrations,
    known: new Map(),
    chain: chainOf,
    state: store.own,
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
    use: (provider, useOptions) => use(provider, useOptions),
    list: () => registrations.map(({ info }) => info),
    get(point, toolName) {
      const { deciders, observers } = chainOf(point, toolName);
      return [...deciders, ...observers].flatMap(({ info, meets }) => (meets(toolName) ? info : []));
    },
    remove(id) {
      const before = registrations;
      replace(before.filter(({ info }) => info.id !== id && !isOf(info, id)));
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
        checkPayload(token.spec, event);
        return askInSession(chain, event, dispatchOptions) as Answered<never>;
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

/** The chains by event, then by tool, until a hook is registered or removed. */
interface Compiled {
  [type: string]: Map<string | undefined, Chain>;
}

function disposable(dispose: () => void): Disposable {
  return { [Symbol.dispose]: dispose };
}

function eventOf(
  { type, spec }: PointData & { readonly type: string },
  payload: { readonly type?: string; readonly session?: unknown },
): EventPayload {
  const event = payload.type === undefined ? { ...payload, type } : payload;
  if (!event.session || event.type !== type)
    fail('INVALID_INPUT', `${type}: an event needs a \`session\`, and its \`type\` must be its own`);
  checkPayload(spec, event as EventPayload);
  return event as EventPayload;
}

/** Whether a hook belongs to a provider, or to one that it uses. */
function isOf({ provider = '' }: { readonly provider?: string }, name: string): boolean {
  return provider === name || provider.startsWith(`${name}/`);
}
