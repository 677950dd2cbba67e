import {
  AfterToolCall,
  BeforeExecute,
  block,
  type EventPayload,
  type HookProvider,
  type NamePattern,
  proceed,
  type ToolEvent,
} from '@hooks/core';
import { type Checks, callback, checkOptions, needed, toolMatcher, whole } from '../options.ts';
import { versionOf } from '../version.ts';
import {
  countsInMemory,
  providerName,
  SHARED,
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

const CHECKS: Checks<ConcurrencyOptions> = {
  toolCalls: needed(whole),
  tools: toolMatcher,
  key: callback,
  leaseMs: whole,
  ...SHARED,
};

/**
 * Refuses a tool call while the maximum number is running, for example more than two browsers at a time. A call
 * counts while it runs: one that waits for an approval holds nothing.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, invalid, or has no effect
 * @example
 * ```ts
 * hooks.use(concurrency({ tools: 'browser_.*', toolCalls: 2, store }));
 * ```
 */
export function concurrency(options: ConcurrencyOptions): HookProvider {
  options = checkOptions('concurrency', options, CHECKS, { onUnreachable: ['store'], leaseMs: ['store'] });
  const { toolCalls, tools, key, leaseMs = 10 * 60_000, name, store } = options;
  const whose = (call: ToolEvent): string => key?.(call) ?? '';
  return {
    name: providerName('concurrency', name),
    version: versionOf(options),
    register(hooks) {
      const shared = store && new SharedCounters('concurrency', store, options);
      shared?.watch(hooks, false);
      const running = new Map<string, Set<string>>();
      const slots = new Slots(leaseMs, whose);
      const countOf = ({ id, whose: key }: Slot, amount: number): SharedCount => ({
        of: [String(tools ?? ''), key],
        amount,
        limit: toolCalls,
        windowMs: leaseMs,
        id,
      });
      const refused = block(
        `Blocked (concurrency): ${toolCalls} of these calls are already running, which is the limit. Try again later.`,
      );

      const takeHere = ({ id, whose: key }: Slot): boolean => {
        const ids = running.get(key) ?? new Set();
        if (ids.size >= toolCalls && !ids.has(id)) return false;
        running.set(key, ids.add(id));
        return true;
      };
      const giveBackHere = ({ id, whose: key }: Slot): void => {
        const ids = running.get(key);
        ids?.delete(id);
        if (ids?.size === 0) running.delete(key);
      };
      const takeShared = async (counters: SharedCounters, slot: Slot) => {
        const answer = await counters.count([countOf(slot, 1)]);
        slot.taking = undefined;
        if (answer.kind === 'closed') return block(answer.reason);
        if (answer.kind === 'full') return refused;
        return answer.kind === 'counted' || takeHere(slot) ? proceed() : refused;
      };

      hooks.guard(
        tools === undefined ? BeforeExecute : BeforeExecute.matching(tools),
        (call) => {
          if (call.rechecked || call.execute?.answers) return proceed();
          const slot = slots.take(call);
          if (shared === undefined) return takeHere(slot) ? proceed() : refused;
          const taking = takeShared(shared, slot);
          slot.taking = taking;
          return taking;
        },
        {
          id: 'take',
          priority: -100,
          allowUnknown: true,
          ...countsInMemory(options),
        },
      );
      hooks.observe(
        tools === undefined ? AfterToolCall : AfterToolCall.matching(tools),
        (call, decision) => {
          // A retried call keeps its slot.
          if (decision.kind === 'retry') return undefined;
          const slot = slots.of(call);
          if (slot === undefined) return undefined;
          const giveBack = (): Promise<void> | undefined => {
            giveBackHere(slot);
            slots.forget(call);
            return shared?.add([countOf(slot, 0)]);
          };
          // Another guard may have refused the call while the store counts it.
          return slot.taking === undefined ? giveBack() : slot.taking.then(giveBack, giveBack);
        },
        { id: 'give-back', allowUnknown: true },
      );
    },
  };
}

/** What a call takes while it runs. */
interface Slot {
  readonly id: string;
  /** The key that it counts for. The input that a middleware changes later may have another one. */
  readonly whose: string;
  /** Set while the store counts it. */
  taking?: Promise<unknown> | undefined;
}

/** The slots of calls of this process. */
class Slots {
  readonly #leaseMs: number;
  readonly #whose: (call: ToolEvent) => string;
  /** By execution, oldest first. */
  readonly #held: Map<string, Slot & { readonly until: number }> = new Map();

  constructor(leaseMs: number, whose: (call: ToolEvent) => string) {
    this.#leaseMs = leaseMs;
    this.#whose = whose;
  }

  take(call: Execution): Slot {
    const slot = { id: idOf(call), whose: this.#whose(call) };
    const { executionId } = call;
    if (executionId === undefined) return slot;
    const now = Date.now();
    // Those that paused and go on in another process.
    for (const [other, { until }] of this.#held) {
      if (until > now) break;
      this.#held.delete(other);
    }
    const held = { ...slot, until: now + this.#leaseMs };
    this.#held.set(executionId, held);
    return held;
  }

  /** The slot of a call that is over; undefined if it never got to take one. */
  of(call: Execution & Pick<AfterToolCall, 'ran'>): Slot | undefined {
    const held = this.#held.get(call.executionId ?? '');
    if (held !== undefined) return held;
    // Another process or program began it.
    return call.ran ? { id: idOf(call), whose: this.#whose(call) } : undefined;
  }

  forget({ executionId = '' }: Pick<Execution, 'executionId'>): void {
    this.#held.delete(executionId);
  }
}

type Execution = ToolEvent & Pick<BeforeExecute, 'executionId'>;

/**
 * Tells a call from all others, also from one of the same session and call id in another process: models choose call ids, and use
 * them twice. Another program that reports its calls has nothing better.
 */
function idOf({ session, callId, executionId }: Execution): string {
  return executionId ?? JSON.stringify([session.id, callId]);
}
