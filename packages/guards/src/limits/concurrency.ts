import {
  AfterToolCall,
  BeforeExecute,
  block,
  type EventPayload,
  type HookProvider,
  HooksError,
  type NamePattern,
  proceed,
  type ToolEvent,
} from '@hooks/core';
import { versionOf } from '../version.ts';
import {
  providerName,
  type SharedCount,
  SharedCounters,
  type SharedLimitOptions,
} from './shared-counters.ts';

/** Options of {@link concurrency}. */
export interface ConcurrencyOptions extends SharedLimitOptions {
  /** The maximum number of tool calls at the same time. */
  readonly toolCalls: number;
  /** Only calls of these tools count. Default: all. */
  readonly tools?: NamePattern;
  /** Which calls are counted together. Default: all calls that this policy sees. */
  readonly key?: (event: EventPayload) => string;
  /**
   * With a `store`: a call stops counting after this time, in case its process died. Default: 10 minutes. Set it longer
   * than the longest call takes.
   */
  readonly leaseMs?: number;
}

/**
 * Refuses a tool call while the maximum number is running, for example more than two browsers at a time. A call
 * counts while it runs: one that waits for an approval holds nothing.
 *
 * @throws HooksError `CONFIG_INVALID` if a number is not a whole number greater than 0
 * @example
 * ```ts
 * hooks.use(concurrency({ tools: 'browser_.*', toolCalls: 2, store }));
 * ```
 */
export function concurrency(options: ConcurrencyOptions): HookProvider {
  const { toolCalls, tools, key, leaseMs = 10 * 60_000, name, store } = options;
  for (const [option, value] of Object.entries({ toolCalls, leaseMs }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new HooksError(
        'CONFIG_INVALID',
        `concurrency: ${option} is ${String(value)}; expected a whole number greater than 0.`,
      );
  const whose = (call: ToolEvent): string => key?.(call) ?? '';
  return {
    name: providerName('concurrency', name),
    version: versionOf(options),
    register(hooks) {
      const shared = store && new SharedCounters('concurrency', store, options);
      shared?.watch(hooks);
      const running = new Map<string, Set<string>>();
      const slots = new Slots(leaseMs);
      const slotOf = (call: ToolEvent, amount: number): SharedCount => ({
        of: [String(tools ?? ''), whose(call)],
        amount,
        limit: toolCalls,
        windowMs: leaseMs,
        id: slots.of(call),
      });
      const refused = block(
        `Blocked (concurrency): ${toolCalls} of these calls are already running, which is the limit. Try again later.`,
      );

      const takeHere = (call: ToolEvent): boolean => {
        const ids = running.get(whose(call)) ?? new Set();
        const id = slots.of(call);
        if (ids.size >= toolCalls && !ids.has(id)) return false;
        running.set(whose(call), ids.add(id));
        return true;
      };
      const giveBackHere = (call: ToolEvent): void => {
        const ids = running.get(whose(call));
        ids?.delete(slots.of(call));
        if (ids?.size === 0) running.delete(whose(call));
      };
      const takeShared = async (counters: SharedCounters, call: ToolEvent, signal: AbortSignal) => {
        const answer = await counters.count([slotOf(call, 1)]);
        // Another guard has refused the call meanwhile, so it is already over.
        if (signal.aborted) void counters.add([slotOf(call, 0)]);
        if (answer.kind === 'closed') return block(answer.reason);
        if (answer.kind === 'full') return refused;
        return answer.kind === 'counted' || takeHere(call) ? proceed() : refused;
      };

      hooks.guard(
        tools === undefined ? BeforeExecute : BeforeExecute.matching(tools),
        (call, { signal }) => {
          if (call.rechecked) return proceed();
          slots.take(call);
          if (shared !== undefined) return takeShared(shared, call, signal);
          return takeHere(call) ? proceed() : refused;
        },
        { id: 'take', priority: -100, allowUnknown: true },
      );
      hooks.observe(
        tools === undefined ? AfterToolCall : AfterToolCall.matching(tools),
        (call, decision) => {
          // A retried call keeps its slot.
          if (decision.kind === 'retry') return undefined;
          // It was refused before it was about to run. A running call may have the same id.
          if (call.executionId === undefined && !call.ran) return undefined;
          giveBackHere(call);
          const slot = slotOf(call, 0);
          slots.forget(call);
          return shared?.add([slot]);
        },
        { id: 'give-back', allowUnknown: true },
      );
    },
  };
}

/**
 * The ids of slots. A call has the same one in each process that it goes on in, and another one than a call of the same
 * id that runs beside it: models choose ids, and use them twice.
 */
class Slots {
  readonly #leaseMs: number;
  /** By execution, oldest first. */
  readonly #held: Map<string, { readonly id: string; readonly until: number }> = new Map();
  readonly #ids: Set<string> = new Set();

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** Gives an execution an id that no other one of this process has. */
  take(call: Execution): void {
    const { executionId } = call;
    if (executionId === undefined || this.#held.has(executionId)) return;
    const now = Date.now();
    // Those that paused and go on in another process.
    for (const [other, { until }] of this.#held) {
      if (until > now) break;
      this.#forget(other);
    }
    let nth = 0;
    while (this.#ids.has(idOf(call, nth))) nth++;
    const id = idOf(call, nth);
    this.#held.set(executionId, { id, until: now + this.#leaseMs });
    this.#ids.add(id);
  }

  /** The id of an execution. One that another process or program began was alone there. */
  of(call: Execution): string {
    return this.#held.get(call.executionId ?? '')?.id ?? idOf(call, 0);
  }

  forget({ executionId = '' }: Execution): void {
    this.#forget(executionId);
  }

  #forget(executionId: string): void {
    this.#ids.delete(this.#held.get(executionId)?.id ?? '');
    this.#held.delete(executionId);
  }
}

type Execution = ToolEvent & Pick<BeforeExecute, 'executionId'>;

/** An id across sessions, because two sessions may use the same call id. */
function idOf({ session, callId }: ToolEvent, nth: number): string {
  return JSON.stringify([session.id, callId, ...(nth > 0 ? [nth] : [])]);
}
