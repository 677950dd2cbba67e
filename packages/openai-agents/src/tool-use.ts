import { refusalsOf } from './blocked.ts';
import type { SdkAgent, SdkContext, SdkFinal, SdkToolResult, SdkToolUse } from './sdk.ts';

const stopping: WeakSet<object> = new WeakSet();

/**
 * Sees to it that what a model reads of a refused call never becomes the run's final output, and that a Block that ends
 * the run does: the agent's `toolUseBehavior` is asked about the other results only. As long as nothing is to be ended,
 * the default behaviour is left as it is.
 */
export function guardToolUse(agent: SdkAgent): void {
  let own = agent.toolUseBehavior as SdkToolUse;
  const guarded = (context: SdkContext, results: SdkToolResult[]): SdkFinal | Promise<SdkFinal> => {
    const { calls, stop } = refusalsOf(context);
    if (stop !== undefined) return { isFinalOutput: true, finalOutput: stop };
    const answered = results.filter(({ runItem }) => !calls.has(runItem.rawItem?.callId ?? ''));
    return finalOf(own, context, answered);
  };
  Object.defineProperty(agent, 'toolUseBehavior', {
    configurable: true,
    enumerable: true,
    get: () => (own === 'run_llm_again' && !stopping.has(agent) ? own : guarded),
    set: (behavior: SdkToolUse) => {
      own = behavior;
    },
  });
}

/** From now on the agent's runs are looked at for one that a hook has ended. */
export function expectStop(agent: object): void {
  stopping.add(agent);
}

function finalOf(
  own: SdkToolUse,
  context: SdkContext,
  results: SdkToolResult[],
): SdkFinal | Promise<SdkFinal> {
  if (typeof own === 'function')
    return results.length === 0 ? { isFinalOutput: false } : own(context, results);
  if (own === 'run_llm_again') return { isFinalOutput: false };
  const final =
    own === 'stop_on_first_tool'
      ? results[0]
      : results.find(({ tool }) => own.stopAtToolNames.includes(tool.name));
  return final?.type === 'function_output'
    ? { isFinalOutput: true, finalOutput: textOf(final.output) }
    : { isFinalOutput: false };
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  return typeof output === 'object' && output !== null ? JSON.stringify(output) : String(output);
}
