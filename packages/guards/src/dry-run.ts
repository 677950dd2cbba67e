import {
  type HookDecision,
  type HookOptions,
  type HookProvider,
  type HookRegistrar,
  type Interceptor,
  isDecision,
  proceed,
} from '@hooks/core';
import { callback, checkArgument, having } from './options.ts';
import { versionOf } from './version.ts';

/** What a hook would have done: answered `decision`, failed with `error`, or fired `event`. */
export interface DryRunReport {
  /** The provider's name. */
  readonly provider: string;
  /** The event as the hook saw it, or the event that it would have fired. */
  readonly event: unknown;
  /** The hook's decision. Not set if it failed or fired an event. */
  readonly decision?: HookDecision;
  /** The error that it threw. */
  readonly error?: unknown;
}

/**
 * Reports what a provider would do, without doing it. Its hooks, and those of providers that it uses, run as usual, and
 * every call proceeds. Decisions and failed hooks go to `report`. The registry's `onError` gets timeouts, calls that do
 * not fit a matcher's schema, and errors of your report function. Later hooks see the call as if the provider had not
 * answered.
 *
 * @example
 * ```ts
 * hooks.use(dryRun(commandSafety(), ({ decision }) => console.log('would have answered', decision)));
 * ```
 */
export function dryRun(provider: HookProvider, report: (would: DryRunReport) => void): HookProvider {
  checkArgument('dryRun', 'provider', provider, having('a provider, such as commandSafety()', 'register'));
  checkArgument('dryRun', 'report', report, callback);
  const tell = (event: unknown, answer: unknown): void => {
    if (isDecision(answer) && answer.kind !== 'proceed')
      report({ provider: provider.name, event, decision: answer });
  };
  const fail = (event: unknown, error: unknown): void => report({ provider: provider.name, event, error });

  const watch =
    <E, Answer>(handler: Interceptor<E, Answer>): Interceptor<E, Answer> =>
    (event, context) => {
      // Every event permits Proceed.
      const carryOn = proceed() as Answer;
      try {
        const answer = handler(event, context);
        if (!isPromise(answer)) {
          tell(event, answer);
          return carryOn;
        }
        return answer.then(
          (settled) => {
            tell(event, settled);
            return carryOn;
          },
          (error: unknown) => {
            fail(event, error);
            return carryOn;
          },
        );
      } catch (error) {
        fail(event, error);
        return carryOn;
      }
    };

  return {
    name: provider.name,
    // A getter, because the version of a provider that loads files can change.
    get version() {
      return versionOf('dry run', provider.version);
    },
    register(hooks) {
      const watched: HookRegistrar = {
        ...hooks,
        use: (inner, options) => hooks.use(dryRun(inner, report), options),
        on: (point, handler, options) => hooks.on(point, watch(handler), carryingOn(options)),
        guard: (point, handler, options) => hooks.guard(point, watch(handler), carryingOn(options)),
        // Events that it would have fired, for example about a loop or a limit.
        dispatch: (token, event) => {
          report({ provider: provider.name, event: { ...event, type: token.type } });
          return proceed() as never; // every event permits it
        },
      };
      provider.register(watched);
    },
  };
}

/** Timeouts and errors of the report function reach `onError` and block nothing. */
function carryingOn(options: HookOptions | undefined): HookOptions {
  return { ...options, onFailure: 'proceed' };
}

function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
