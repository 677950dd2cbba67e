import { PROCEED } from '../decision.ts';
import { type AnyHandler, type Chain, toolNameOf } from '../dispatch/chain.ts';
import { ask, type DispatchOptions, type Settling, thawDecision } from '../dispatch/dispatch.ts';
import { checkPayload } from '../dispatch/payload.ts';
import { seal, sealEvent } from '../dispatch/seal.ts';
import type { DispatchTrace, HookVerb } from '../dispatch/trace.ts';
import { fail, type HooksError } from '../error.ts';
import { SessionStart } from '../event/catalogue/session.ts';
import type { EventPayload, PointData } from '../event/event.ts';
import {
  checkOptions,
  nestedOptions,
  type OptionCheck,
  type OptionChecks,
  oneOfWords,
  optionKinds,
} from '../options.ts';
import { isPlain, readAll } from '../plain.ts';
import { principalFrom } from '../principal.ts';
import { keepSessions, type SessionLimits, type SessionOptions } from '../session/store.ts';
import { after } from '../thenable.ts';
import type { DispatchDecision, HookOptions, Hooks, HooksOptions } from './hooks.ts';
import type { HooksInternal } from './internal.ts';
import { Listeners, tell } from './listeners.ts';
import { isOf, Providers, type Verbs } from './providers.ts';
import { makeRegistration, type ProviderName } from './registration.ts';
import { Registrations } from './registrations.ts';

/**
 * Creates a registry of hooks. Registering or removing a hook does not affect a dispatch that is already running.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or has an invalid value
 * @example
 * ```ts
 * const hooks = createHooks();
 * hooks.guard(BeforeToolCall.matching('exec'), (call) =>
 *   String(call.input).includes('rm -rf') ? block('rm -rf is not allowed') : proceed(),
 * );
 * ```
 */
export function createHooks(options: HooksOptions = {}): Hooks {
  options = checkOptions('createHooks', options, OPTIONS);
  const observing = new Set<PromiseLike<unknown>>();
  const ending = new Set<PromiseLike<unknown>>();
  const warnOnce = warner(options.onWarning ?? console.warn);
  const failed = (name: string) => () =>
    warnOnce(`A listener of ${name} failed, which changes nothing: catch its errors in the listener`);
  const traces = new Listeners<DispatchTrace>(failed('hooks.trace'));
  const errors = new Listeners<HooksError>(failed('onError'));
  if (options.onError) errors.add(options.onError);
  const registrations = new Registrations();

  const store = keepSessions(options.sessions ?? {}, {
    fire: (token, event) => {
      const chain = registrations.chain(token);
      return chain.empty ? PROCEED : ask(chain, sealEvent(event));
    },
    settled: () => (observing.size > 0 ? emptied(observing) : undefined),
  });

  const internal: HooksInternal = {
    options,
    traces: traces.all,
    trace: (dispatch) => traces.emit(dispatch),
    report: (error) => {
      errors.emit(error);
      if (errors.all.size === 0)
        warnOnce(
          `${error.message} (${error.code}). Set onError in createHooks to hear the cause. See ${error.docs}`,
        );
    },
    keep: (promise) => keepIn(observing, promise),
    keepEnd: (promise) => keepIn(ending, promise),
    registrations: () => registrations.all,
    chain: (point, toolName) => registrations.chain(point, toolName),
    state: store.own,
    warnOnce,
  };
  const verbs = verbsOf(internal, registrations);

  /** Opens the session first, if it is not open. */
  const askInSession = (chain: Chain, event: EventPayload, askOptions?: DispatchOptions): Settling => {
    if (chain.empty && event.session.state === 'open') return PROCEED;
    const opening =
      chain.spec.type === SessionStart.type ? undefined : store.own(event.session).open(event.principal);
    const asking = after(opening, () => ask(chain, sealEvent(event), askOptions));
    return after(asking, thawDecision);
  };

  const hooks: Hooks = {
    '~internal': internal,
    ...verbs(),
    use: (provider, useOptions) => providers.use(provider, useOptions),
    list: () => registrations.all.map(({ info }) => info),
    get(point, toolName, getOptions = {}) {
      const { agent } = checkOptions('hooks.get', getOptions, { agent: optionKinds.text });
      const { deciders, observers } = registrations.chain(point, toolName);
      return [...deciders, ...observers].flatMap(({ info, meets, ofAgent }) =>
        meets(toolName) && (agent === undefined || ofAgent(agent)) ? info : [],
      );
    },
    remove(id) {
      const { size } = registrations;
      registrations.remove(registrations.all.filter(({ info }) => info.id === id || isOf(info, id)));
      return registrations.size < size;
    },
    clear: () => registrations.remove(registrations.all),
    unmatched: () => internal.adapters?.unmatched(registrations.all) ?? [],
    dispatch(token, payload, dispatchOptions) {
      const event = eventOf(token, payload);
      const chain = registrations.chain(token, toolNameOf(event));
      // The token's types say what its hooks may answer, and the fold holds them to it.
      return askInSession(chain, event, dispatchOptions) as DispatchDecision<never>;
    },
    session(id, sessionOptions) {
      if (id === '') fail('INVALID_INPUT', 'A session id must not be empty');
      return store.open(
        id,
        sessionOptions === undefined ? {} : checkOptions('hooks.session', sessionOptions, SESSION),
      );
    },
    trace: (listener) => traces.add(listener),
    onError: (listener) => errors.add(listener),
    async settled() {
      await emptied(ending);
      await emptied(observing);
    },
    async close() {
      await store.close();
      await hooks.settled();
    },
    [Symbol.asyncDispose]: () => hooks.close(),
  };
  const providers = new Providers(hooks, registrations, verbs);
  return hooks;
}

const { callback, object, positive } = optionKinds;

/** Names that the registry looks up for as long as it exists. */
const names: OptionCheck = Object.assign((value: unknown, path: string) => object(value, path), {
  copy: (value: unknown) => seal(value),
});

const LIMITS: OptionChecks<SessionLimits> = {
  idleMs: positive,
  max: positive,
  historyLength: positive,
  historyBytes: positive,
};

const OPTIONS: OptionChecks<HooksOptions> = {
  timeoutMs: positive,
  maxAttempts: positive,
  sessions: nestedOptions(LIMITS),
  formatBlocked: callback,
  onError: callback,
  onWarning: callback,
  aliases: names,
  groups: names,
  knownTools: optionKinds.texts,
};

const SESSION: OptionChecks<SessionOptions> = {
  parent: object,
  source: oneOfWords('startup', 'resume', 'clear', 'compact'),
  // The session reads it.
  principal: () => undefined,
};

/** Passes each warning on once. */
function warner(warn: (message: string) => void): (message: string) => void {
  const warned = new Set<string>();
  return (message) => {
    if (warned.has(message)) return;
    warned.add(message);
    tell(warn, message);
  };
}

/** Makes the three verbs, for the hooks of a provider or without one. */
function verbsOf(internal: HooksInternal, registrations: Registrations): (provider?: ProviderName) => Verbs {
  let made = 0;
  return (provider) => {
    const registering =
      (verb: HookVerb) =>
      (point: PointData, handler: AnyHandler, options: HookOptions = {}): Disposable => {
        made++;
        const hook = makeRegistration({ verb, owner: internal, point, handler, options, provider, made });
        internal.adapters?.admit(hook);
        return registrations.add(hook);
      };
    return { on: registering('on'), guard: registering('guard'), observe: registering('observe') };
  };
}

/** Keeps a promise, which does not reject, until it is settled. */
function keepIn(pending: Set<PromiseLike<unknown>>, promise: PromiseLike<unknown>): void {
  pending.add(promise);
  void promise.then(() => pending.delete(promise));
}

async function emptied(pending: ReadonlySet<PromiseLike<unknown>>): Promise<void> {
  while (pending.size > 0) await Promise.all(pending);
}

function eventOf(
  { type, spec }: PointData & { readonly type: string },
  payload: { readonly type?: string; readonly session?: unknown },
): EventPayload {
  const given: { type?: string; session?: unknown; principal?: unknown } = isPlain(Object(payload))
    ? { ...payload }
    : readAll(payload);
  given.type ??= type;
  if (!given.session || given.type !== type)
    fail('INVALID_INPUT', `${type}: an event needs a \`session\`, and its \`type\` must be its own`);
  if (given.principal !== undefined) given.principal = principalFrom(given.principal, 'hooks.dispatch');
  const event = given as EventPayload;
  checkPayload(spec, event);
  return event;
}
