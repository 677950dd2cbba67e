import {
  BeforeModelCall,
  BeforeToolCall,
  type Block,
  block,
  type HookProvider,
  HooksError,
  type NamePattern,
  type Proceed,
  proceed,
  type Session,
  sessionKey,
} from '@hooks/core';

/** Options of {@link rateLimit}. */
export interface RateLimitOptions {
  /** Length of the window in milliseconds; it slides. */
  readonly windowMs: number;
  /** Most tool calls of a session in the window. */
  readonly toolCalls?: number;
  /** Most model calls of a session in the window. */
  readonly modelCalls?: number;
  /** Only calls of these tools count; all unless set. */
  readonly tools?: NamePattern;
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
  const { windowMs, toolCalls, modelCalls, tools } = options;
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
      const toolWindow = slidingWindow(windowMs);
      const modelWindow = slidingWindow(windowMs);
      if (toolCalls !== undefined) {
        hooks.guard(
          tools === undefined ? BeforeToolCall : BeforeToolCall.matching(tools),
          ({ session }) => toolWindow(session, toolCalls, 'tool calls'),
          { id: 'tool-call', priority: -100, allowUnknown: true },
        );
      }
      if (modelCalls !== undefined) {
        hooks.guard(BeforeModelCall, ({ session }) => modelWindow(session, modelCalls, 'model calls'), {
          id: 'model-call',
          priority: -100,
        });
      }
    },
  };
}

type Window = (session: Session, limit: number, what: string) => Block | Proceed;

function slidingWindow(windowMs: number): Window {
  const key = sessionKey<number[]>(`@hooks/guards/rate/${++windows}`);
  return (session, limit, what) => {
    const now = Date.now();
    const recent = session.get(key, () => []).filter((at) => now - at < windowMs);
    const oldest = recent[0];
    const full = recent.length >= limit && oldest !== undefined;
    session.set(key, full ? recent : [...recent, now]);
    if (!full) return proceed();
    const seconds = Math.ceil((oldest + windowMs - now) / 1000);
    return block(
      `Blocked (rate-limit): ${limit} ${what} in ${windowMs / 1000} s are allowed. Try again in ${seconds} s.`,
    );
  };
}

let windows = 0;
