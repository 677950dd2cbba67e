import type { HookedRun } from '../run/run.ts';
import { type CallContext, callIdOf, sharedObject } from './context.ts';

/**
 * A call on its way from an agent's tool assembly to the hooked tool, which gets only parsed input and does not know
 * its run.
 */
export interface CurrentCall {
  /** Undefined if Mastra started the run itself. */
  readonly run: HookedRun | undefined;
  /** The key under `tools`. */
  readonly toolName: string;
  readonly callId: string | undefined;
  /** The input that the model sent. */
  readonly input: unknown;
  /** Whether what it has paused for may have been answered by the model. */
  readonly isAnswered: boolean;
  /** The call has reached the hooked tool. From now on, calls with the same context are made inside it. */
  reached: boolean;
}

const current: WeakMap<object, readonly CurrentCall[]> = new WeakMap();

/** Stores the call that is made with this context. */
export function noteCall(context: CallContext | undefined, call: CurrentCall): void {
  const shared = sharedObject(context);
  if (shared === undefined) return;
  const others = current.get(shared)?.filter(({ callId }) => callId !== call.callId) ?? [];
  current.set(shared, [...others, call]);
}

/** The call that is made with this context, if an agent's hooks have seen it. */
export function currentCall(context: CallContext | undefined): CurrentCall | undefined {
  const shared = sharedObject(context);
  const callId = callIdOf(context);
  return shared && current.get(shared)?.find((call) => call.callId === callId);
}
