import { originalTool } from '@hooks/core';
import { isSameInput } from '@hooks/core/adapter';
import { type SdkFunctionRun, type SdkState, stateText } from '../internals.ts';
import { hookedToolOf } from '../tool/call.ts';

/*
 * The SDK notes with a waiting call which tool of which MCP server it is for, and does not run it as another one's. It
 * knows that by the tool's function, which a hooked tool has not; so the note is made, and compared, for the tools that
 * hooks are around.
 */

/** Notes with the waiting calls of a paused run the MCP tools that they are for. */
export function bindRecipients(state: SdkState): void {
  const runs = runsOf(state).filter(({ tool }) => hookedToolOf(tool)?.place.kind === 'mcp');
  for (const [run, recipient] of recipientsOf(state, runs)) run.mcpToolBinding = recipient;
}

/** Takes the notes away where they are right: with one that is left the SDK refuses the call. */
export function checkRecipients(state: SdkState): void {
  const runs = runsOf(state).filter(
    ({ tool, mcpToolBinding }) => mcpToolBinding && originalTool(tool) !== tool,
  );
  for (const [run, recipient] of recipientsOf(state, runs))
    if (isSameInput(run.mcpToolBinding, recipient)) run.mcpToolBinding = null;
}

function runsOf(state: SdkState): readonly SdkFunctionRun[] {
  return state._lastProcessedResponse?.functions ?? [];
}

/** The notes that the SDK would make for the original tools: it adds missing notes when it writes a state. */
function recipientsOf(
  state: SdkState,
  hooked: readonly SdkFunctionRun[],
): readonly (readonly [SdkFunctionRun, unknown])[] {
  if (hooked.length === 0) return [];
  const kept = hooked.map(({ tool, mcpToolBinding }) => ({ tool, mcpToolBinding }));
  try {
    for (const run of hooked) Object.assign(run, { tool: originalTool(run.tool), mcpToolBinding: undefined });
    const { functions } = (JSON.parse(stateText(state)) as Written).lastProcessedResponse;
    return hooked.map((run) => [run, functions[runsOf(state).indexOf(run)]?.mcpToolBinding ?? null]);
  } finally {
    for (const [index, run] of hooked.entries()) Object.assign(run, kept[index]);
  }
}

interface Written {
  readonly lastProcessedResponse: { readonly functions: readonly { readonly mcpToolBinding: unknown }[] };
}
