import { AfterToolCall, type HookProvider, type NamePattern, proceed, retry } from '@hooks/core';
import {
  amount,
  anyOf,
  type Checks,
  callback,
  checkOptions,
  expecting,
  fields,
  needed,
  refuse,
  toolMatcher,
} from '../options.ts';
import { versionOf } from '../version.ts';
import { classifyError, retryAfterMs, type TransientClass } from './classify.ts';

/** The delay before attempt n+1: `baseMs * 2^(n-1)`, at most `maxMs`, minus a random share of up to half. */
export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** Options of {@link retryTransient}. */
export interface RetryTransientOptions {
  /** Only calls of these tools. Default: all. Do not list a tool that must not run twice. */
  readonly tools?: NamePattern;
  /** Backoff by class of error. `false` disables retries for a class. */
  readonly classes?: { readonly [Class in TransientClass]?: Backoff | false };
  /** Returns the class of an error. Default: {@link classifyError}. */
  readonly classify?: (error: unknown) => TransientClass | undefined;
}

const backoff = anyOf(
  'false, or numbers of 0 or more for baseMs and maxMs',
  expecting('false', (value) => value === false),
  fields<Backoff>({ baseMs: needed(amount), maxMs: needed(amount) }),
);

const CHECKS: Checks<RetryTransientOptions> = {
  tools: toolMatcher,
  classes: fields<{ [Class in TransientClass]?: unknown }>({
    'rate-limit': backoff,
    network: backoff,
    timeout: backoff,
    server: backoff,
  }),
  classify: callback,
};

/**
 * Retries a tool whose error may disappear, with growing, jittered delays. It respects a `Retry-After` up to the
 * class's `maxMs`; if it is longer, the error stands. The registry's `maxAttempts` (default: 3) is the limit.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid, or nothing is retried
 * @example
 * ```ts
 * hooks.use(retryTransient({ tools: 'web_.*|fetch', classes: { server: false } }));
 * ```
 */
export function retryTransient(options: RetryTransientOptions = {}): HookProvider {
  options = checkOptions('retryTransient', options, CHECKS);
  const { tools, classify = classifyError, classes = {} } = options;
  const backoffOf = (found: TransientClass): Backoff | false => classes[found] ?? DEFAULTS[found];
  if (Object.keys(DEFAULTS).every((found) => backoffOf(found as TransientClass) === false))
    refuse('retryTransient', 'every class is false, so nothing is retried; leave the guard out');
  return {
    name: 'builtin:retry-transient',
    version: versionOf(options),
    register(hooks) {
      hooks.on(
        tools === undefined ? AfterToolCall : AfterToolCall.matching(tools),
        function retryOnce({ status, ran, error, attempt }) {
          if (status !== 'error' || !ran) return proceed();
          const found = classify(error);
          const backoff = found !== undefined && backoffOf(found);
          if (!backoff) return proceed();
          const asked = retryAfterMs(error, Date.now());
          if (asked !== undefined && asked > backoff.maxMs) return proceed();
          const delay = Math.min(backoff.baseMs * 2 ** (attempt - 1), backoff.maxMs);
          const jittered = delay / 2 + (Math.random() * delay) / 2;
          return retry(`The error was transient (${found}).`, { delayMs: Math.max(jittered, asked ?? 0) });
        },
        { id: 'retry', allowUnknown: true },
      );
    },
  };
}

const DEFAULTS: { readonly [Class in TransientClass]: Backoff } = {
  'rate-limit': { baseMs: 2000, maxMs: 60_000 },
  network: { baseMs: 250, maxMs: 10_000 },
  timeout: { baseMs: 500, maxMs: 10_000 },
  server: { baseMs: 1000, maxMs: 30_000 },
};
