import {
  namespaceOf,
  type SdkAgent,
  type SdkContext,
  type SdkFinal,
  type SdkFunctionTool,
  type SdkToolResult,
  type SdkToolUse,
} from '../internals.ts';
import { currentRun } from '../run/hooked-run.ts';

const OWN = Symbol('hooks.toolUse');

/**
 * Keeps the reason for which a hook refused a call from becoming the run's final output: the agent's `toolUseBehavior`
 * gets the other results only. The default behavior never ends a run with a result, so it stays as it is.
 */
export function guardToolUse(agent: SdkAgent): void {
  if (agent.toolUseBehavior !== 'run_llm_again') stopAtRefusal(agent);
}

/** The agent's own `toolUseBehavior`. */
function ownToolUse(toolUse: unknown): unknown {
  return typeof toolUse === 'function' ? (Reflect.get(toolUse, OWN) ?? toolUse) : toolUse;
}

/**
 * From now on the agent's runs are looked at for one that a hook has ended, which gives the hook's reason. By assignment: with an
 * accessor in its place V8 would look up every property of the agent the slow way.
 */
export function stopAtRefusal(agent: SdkAgent): void {
  const own = agent.toolUseBehavior as SdkToolUse;
  if (ownToolUse(own) !== own) return;
  const guarded = (context: SdkContext, results: SdkToolResult[]): SdkFinal | Promise<SdkFinal> => {
    const run = currentRun();
    if (run?.stop !== undefined) return { isFinalOutput: true, finalOutput: run.stop.reason };
    const answered = results.filter(
      ({ tool, runItem }) => run?.hasRefused(tool.name, runItem.rawItem?.callId ?? '') !== true,
    );
    return finalOf(own, context, answered);
  };
  agent.toolUseBehavior = Object.assign(guarded, { [OWN]: own });
}

/**
 * Restores an agent's own `toolUseBehavior` while its run is paused, because the SDK reads it to decide whether users
 * may add input. When the run resumes, the agent is guarded again.
 */
export function unguardToolUse(agent: SdkAgent): void {
  agent.toolUseBehavior = ownToolUse(agent.toolUseBehavior);
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
      : results.find(({ tool }) => namesOf(tool).some((name) => own.stopAtToolNames.includes(name)));
  return final?.type === 'function_output'
    ? { isFinalOutput: true, finalOutput: textOf(final.output) }
    : { isFinalOutput: false };
}

/** The names by which the SDK lets an agent stop at a tool. */
function namesOf(tool: SdkFunctionTool): readonly string[] {
  const namespace = namespaceOf(tool);
  return namespace === undefined ? [tool.name] : [tool.name, `${namespace}.${tool.name}`];
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  return typeof output === 'object' && output !== null ? JSON.stringify(output) : String(output);
}
