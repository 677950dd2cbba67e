import type { HookedRun } from '../run/run.ts';
import { type CallContext, callIdOf, sharedObject } from './context.ts';

/**
 * A call on its way from where an agent assembles its tools to the hooked tool, which gets parsed input only and does not
 * know whose run it is in.
 */
export interface CurrentCall {
  /** None where Mastra has started the run itself. */
  readonly run: HookedRun | undefined;
  /** The key under `tools`. */
  readonly toolName: string;
  readonly callId: string | undefined;
  /** What the model sent. */
  readonly input: unknown;
  /** The hooked tool has it: what is called with the same context from now on is called from inside of it. */
  reached: boolean;
}

const current: WeakMap<object, readonly CurrentCall[]> = new WeakMap();

/** Notes the call that is made with this context. */
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
