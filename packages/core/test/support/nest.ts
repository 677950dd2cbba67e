import type { CallOptions, Execute, Hooks, ToolCall, ToolCallOutcome } from '../../src/index.ts';
import { type AskOuter, callTool, runNested } from '../../src/tool-call/index.ts';

/** One of the registries around a tool, and who approves there. */
export interface Layer
  extends Pick<CallOptions, 'approval' | 'check' | 'isControlFlow'>,
    Pick<ToolCall, 'needsApproval'> {
  readonly hooks: Hooks;
}

/** What came of a call that all layers hook. */
export interface NestedOutcome {
  /** How the call ended in each layer that it came to, the outermost first. */
  readonly ended: readonly ToolCallOutcome[];
  /** What the tool was called with. */
  readonly ranWith: readonly unknown[];
}

/**
 * One call of the tool `exec`, with the input `ls`, through registries that know nothing of each other: each calls the
 * next, as an adapter has it, and the innermost calls the tool, which echoes unless told otherwise.
 *
 * @param layers the outermost first
 */
export async function callNested(
  layers: readonly Layer[],
  tool: Execute = (input) => input,
): Promise<NestedOutcome> {
  const ended: ToolCallOutcome[] = [];
  const ranWith: unknown[] = [];
  const enter = async (at: number, input: unknown, outer: AskOuter | undefined): Promise<unknown> => {
    const layer = layers[at];
    const execute: Execute = (effective, running) => {
      const changed = effective === input ? undefined : { input: effective };
      return runNested({ ...layer, running, outer }, changed, (left, ask) => {
        const next = left === undefined ? input : left.input;
        if (at + 1 < layers.length) return enter(at + 1, next, ask);
        ranWith.push(next);
        return tool(next, running);
      });
    };
    if (layer === undefined) throw new Error('no layer');
    const { hooks, needsApproval } = layer;
    const call = { session: hooks.session('s'), toolName: 'exec', callId: 'c', input, needsApproval };
    const outcome = await callTool(hooks, call, execute, layer);
    ended[at] = outcome;
    if (outcome.status === 'error') throw outcome.error;
    return outcome.status === 'ok' ? outcome.output : `refused: ${outcome.message}`;
  };
  await enter(0, 'ls', undefined).catch((error) => {
    // What ends no call is the framework's own.
    if (ended[0]?.error !== error || ended[0]?.status !== 'error') throw error;
  });
  return { ended, ranWith };
}
