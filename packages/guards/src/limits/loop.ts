import {
  AgentError,
  BeforeToolCall,
  block,
  type HookProvider,
  Notification,
  proceed,
  sessionKey,
} from '@hooks/core';
import { type Checks, checkOptions, expecting } from '../options.ts';
import { versionOf } from '../version.ts';

/** Options of {@link loopDetection}. */
export interface LoopDetectionOptions {
  /** How many identical calls in a row are a loop: same tool, same input. Default: 5. */
  readonly identicalCalls?: number;
}

const CHECKS: Checks<LoopDetectionOptions> = {
  identicalCalls: expecting(
    'a whole number of 2 or more',
    (value) => Number.isSafeInteger(value) && Number(value) >= 2,
  ),
};

/**
 * Ends a run in which the model makes the same tool call over and over. Fires `AgentError` and `Notification`, and
 * refuses the call with `stop`.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid
 * @example
 * ```ts
 * hooks.use(loopDetection({ identicalCalls: 4 }));
 * ```
 */
export function loopDetection(options: LoopDetectionOptions = {}): HookProvider {
  options = checkOptions('loopDetection', options, CHECKS);
  const { identicalCalls = 5 } = options;
  return {
    name: 'builtin:loop-detection',
    version: versionOf(options),
    register(hooks) {
      // One key per provider: with a shared key, two providers would count each call twice.
      const last = sessionKey<Repeated>(`@hooks/guards/last-call/${++detectors}`);
      hooks.guard(
        BeforeToolCall,
        function detectLoop({ session, run, agent, turn, principal, toolName, input }) {
          const call = `${run ?? ''} ${toolName} ${written(input)}`;
          const before = session.get(last);
          const times = before?.call === call ? before.times + 1 : 1;
          session.set(last, { call, times });
          if (times < identicalCalls) return proceed();
          const message = `${toolName} was called ${times} times in a row with the same input.`;
          const about = {
            session,
            ...(run && { run }),
            ...(agent && { agent }),
            ...(turn && { turn }),
            ...(principal && { principal }),
          };
          const tell = async (): Promise<ReturnType<typeof block>> => {
            await hooks.dispatch(AgentError, { ...about, error: new Error(message), message });
            await hooks.dispatch(Notification, { ...about, level: 'error', message });
            return block(`Blocked (loop-detection): ${message} The run ends here.`, {
              stop: true,
              code: 'loop_detected',
            });
          };
          return tell();
        },
        {
          id: 'loop_detected',
          priority: -50,
          inMemory: 'it counts in one process; use limits or rateLimit with a store',
        },
      );
    },
  };
}

interface Repeated {
  readonly call: string;
  readonly times: number;
}

let detectors = 0;

function written(input: unknown): string {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    // A model cannot send an input that has no JSON form, so treat each as different.
    return `${++unwritten}`;
  }
}

let unwritten = 0;
