import {
  BeforeModelCall,
  BeforeToolCall,
  type Block,
  block,
  type EventPayload,
  type HookProvider,
  HooksError,
  type NamePattern,
  type Proceed,
  proceed,
  sessionKey,
} from '@hooks/core';

/** Options of {@link rateLimit}. */
export interface RateLimitOptions {
  /** Length of the window in milliseconds; it slides. */
  readonly windowMs: number;
  /** Most tool calls of a session, or of a `key`, in the window. */
  readonly toolCalls?: number;
  /** Most model calls of a session, or of a `key`, in the window. */
  readonly modelCalls?: number;
  /** Only calls of these tools count; all unless set. */
  readonly tools?: NamePattern;
  /** Who shares a window: `({ principal }) => principal?.id ?? ''`. Each session has its own unless set. */
  readonly key?: (event: EventPayload) => string;
}

/**
 * Refuses calls that come too fast. The reason says how long to wait; a refused model call ends the run.
 *
 * @throws HooksError `CONFIG_INVALID` where the window or a limit is not greater than 0
 * @example
 * ```ts
 * hooks.use(rateLimit({ tools: 'web_.*', toolCalls: 10, windowMs: 60_000 }));
 * ```
 */
export function rateLimit(options: RateLimitOptions): HookProvider {
  const { windowMs, toolCalls, modelCalls, tools, key } = options;
  for (const [name, value] of Object.entries({
    windowMs,
    toolCalls: toolCalls ?? 1,
    modelCalls: modelCalls ?? 1,
  })) {
    if (!(value > 0)) throw new HooksError('CONFIG_INVALID', `rateLimit: ${name} has to be greater than 0.`);
  }
  return {
    name: 'builtin:rate-limit',
    register(hooks) {
      const toolWindow = slidingWindow(windowMs, callsOf(key, windowMs));
      const modelWindow = slidingWindow(windowMs, callsOf(key, windowMs));
      if (toolCalls !== undefined) {
        hooks.guard(
          tools === undefined ? BeforeToolCall : BeforeToolCall.matching(tools),
          (event) => toolWindow(event, toolCalls, 'tool calls'),
          { id: 'tool-call', priority: -100, allowUnknown: true },
        );
      }
      if (modelCalls !== undefined) {
        hooks.guard(BeforeModelCall, (event) => modelWindow(event, modelCalls, 'model calls'), {
          id: 'model-call',
          priority: -100,
        });
      }
    },
  };
}

type Window = (event: EventPayload, limit: number, what: string) => Block | Proceed;

function slidingWindow(windowMs: number, calls: Calls): Window {
  return (event, limit, what) => {
    const now = Date.now();
    const recent = calls.get(event).filter((at) => now - at < windowMs);
    const oldest = recent[0];
    const full = recent.length >= limit && oldest !== undefined;
    calls.set(event, full ? recent : [...recent, now]);
    if (!full) return proceed();
    const seconds = Math.ceil((oldest + windowMs - now) / 1000);
    return block(
      `Blocked (rate-limit): ${limit} ${what} in ${windowMs / 1000} s are allowed. Try again in ${seconds} s.`,
    );
  };
}

/** When the calls of a session or a key were made, oldest first. */
interface Calls {
  get(event: EventPayload): readonly number[];
  set(event: EventPayload, calls: readonly number[]): void;
}

let windows = 0;

function callsOf(key: RateLimitOptions['key'], windowMs: number): Calls {
  if (key === undefined) {
    const ofSession = sessionKey<readonly number[]>(`@hooks/guards/rate/${++windows}`);
    return {
      get: ({ session }) => session.get(ofSession, () => []),
      set: ({ session }, calls) => session.set(ofSession, calls),
    };
  }
  const byKey = new Map<string, readonly number[]>();
  return {
    get: (event) => byKey.get(key(event)) ?? [],
    set(event, calls) {
      const own = key(event);
      // The key that was used the longest time ago comes first.
      byKey.delete(own);
      for (const [other, made] of byKey) {
        if (Date.now() - (made.at(-1) ?? 0) < windowMs) break;
        byKey.delete(other);
      }
      byKey.set(own, calls);
    },
  };
}
