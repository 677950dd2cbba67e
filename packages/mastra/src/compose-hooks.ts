import type { ToolHooks } from '@mastra/core/tools';
import type { Attachment } from './run.ts';

const composedFor: WeakMap<object, ReadonlySet<Attachment>> = new WeakMap();

/** Whether these native hooks hold those of an attachment already. */
export function isComposedFor(attachment: Attachment, hooks: ToolHooks | undefined): boolean {
  return composed(hooks).has(attachment);
}

/**
 * Our gate around somebody else's native hooks: theirs may still change the input, so the gate comes after them; what
 * they see of the result is what the gate has left of it.
 */
export function composeHooks(
  attachment: Attachment,
  gate: Required<ToolHooks>,
  theirs: ToolHooks,
): ToolHooks {
  const beforeToolCall: ToolHooks['beforeToolCall'] = async (call) => {
    const answer = await theirs.beforeToolCall?.(call);
    if (answer?.proceed === false) return answer;
    return gate.beforeToolCall(call);
  };
  const afterToolCall: ToolHooks['afterToolCall'] = async (call) => {
    try {
      await gate.afterToolCall(call);
    } catch (error) {
      const { output: _withheld, ...rest } = call;
      await theirs.afterToolCall?.({ ...rest, error });
      throw error;
    }
    await theirs.afterToolCall?.(call);
  };
  composedFor.set(beforeToolCall, new Set([...composed(theirs), attachment]));
  return { beforeToolCall, afterToolCall };
}

function composed(hooks: ToolHooks | undefined): ReadonlySet<Attachment> {
  const { beforeToolCall } = hooks ?? {};
  return (beforeToolCall && composedFor.get(beforeToolCall)) ?? new Set();
}
