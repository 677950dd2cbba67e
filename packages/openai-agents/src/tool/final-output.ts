import {
  approvalKey,
  decidingAgent,
  namespaceOf,
  type SdkAgent,
  type SdkContext,
  type SdkFinal,
  type SdkFunctionTool,
  type SdkToolResult,
  type SdkToolUse,
} from '../internals.ts';
import { noteEnded, refusalsOf, refusedCall } from '../run/blocked.ts';
import { currentScopes } from '../run/scope.ts';

/** What agents say themselves, by what was put in its place. */
const guards: WeakMap<object, SdkToolUse> = new WeakMap();

/**
 * Sees to it that what a model reads of a call that a hook or a person refused never becomes the run's final output:
 * the agent's `toolUseBehavior` is asked about the other results only. The default behaviour makes none the final output, and is
 * left as it is.
 */
export function guardToolUse(agent: SdkAgent): void {
  if (agent.toolUseBehavior !== 'run_llm_again') guard(agent);
}

/** From now on the agent's runs are looked at for one that a hook has ended, which gives the hook's reason. */
export function expectStop(agent: SdkAgent): void {
  guard(agent);
}

/** Why hooks have ended the run that goes on. An agent as a tool has the context of its parent, but not its scope. */
export function stopOfRun(context: SdkContext): string | undefined {
  return currentScopes().find(({ stop }) => stop !== undefined)?.stop ?? refusalsOf(context).stop;
}

/** What an agent itself has said of its tools. */
export function ownToolUse(toolUse: unknown): unknown {
  return typeof toolUse === 'function' ? (guards.get(toolUse) ?? toolUse) : toolUse;
}

/** By assignment: with an accessor in its place V8 would look up every property of the agent the slow way. */
function guard(agent: SdkAgent): void {
  const own = agent.toolUseBehavior as SdkToolUse;
  if (typeof own === 'function' && guards.has(own)) return;
  const guarded = (context: SdkContext, results: SdkToolResult[]): SdkFinal | Promise<SdkFinal> => {
    const { calls } = refusalsOf(context);
    const stop = stopOfRun(context);
    if (stop !== undefined) {
      if (currentScopes().length === 0) noteEnded(context);
      return { isFinalOutput: true, finalOutput: stop };
    }
    const answered = results.filter((result) => {
      const callId = result.runItem.rawItem?.callId ?? '';
      return !calls.has(refusedCall(result.tool.name, callId)) && !isRejected(context, result, callId);
    });
    return finalOf(own, context, answered);
  };
  guards.set(guarded, own);
  agent.toolUseBehavior = guarded;
}

function isRejected(context: SdkContext, { tool, runItem }: SdkToolResult, callId: string): boolean {
  const agent = decidingAgent(runItem.agent);
  return context.isToolApproved({ toolName: approvalKey(tool), callId, agent }) === false;
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
