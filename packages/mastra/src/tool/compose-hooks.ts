import type { Hooks } from '@hooks/core';
import type { ToolHooks } from '@mastra/core/tools';
import { type Gate, nativeHooks } from './native-hooks.ts';

const composedFor: WeakMap<object, ReadonlyMap<Hooks, Gate>> = new WeakMap();

/** The gate of these hooks that native hooks hold already. */
export function gateIn(hooks: Hooks, native: ToolHooks | undefined): Gate | undefined {
  return composed(native).get(hooks);
}

/** The gates that native hooks hold, the outermost first. */
export function gatesIn(native: ToolHooks | undefined): readonly Gate[] {
  return [...composed(native).values()];
}

/**
 * Our gate around somebody else's native hooks: theirs may still change the input, so the gate comes after them; what
 * they see of the result is what the gate has left of it.
 */
export function composeHooks(gate: Gate, theirs: ToolHooks): ToolHooks {
  const ours = nativeHooks(gate);
  const beforeToolCall: ToolHooks['beforeToolCall'] = async (call) => {
    const answer = await theirs.beforeToolCall?.(call);
    if (answer?.proceed === false) return answer;
    return ours.beforeToolCall(call);
  };
  const afterToolCall: ToolHooks['afterToolCall'] = async (call) => {
    try {
      await ours.afterToolCall(call);
    } catch (error) {
      const { output: _withheld, ...rest } = call;
      await theirs.afterToolCall?.({ ...rest, error });
      throw error;
    }
    await theirs.afterToolCall?.(call);
  };
  composedFor.set(beforeToolCall, new Map([...composed(theirs), [gate.hooks, gate]]));
  return { beforeToolCall, afterToolCall };
}

function composed(native: ToolHooks | undefined): ReadonlyMap<Hooks, Gate> {
  const { beforeToolCall } = native ?? {};
  return (beforeToolCall && composedFor.get(beforeToolCall)) ?? new Map();
}
