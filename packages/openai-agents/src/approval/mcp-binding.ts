import { originalTool } from '@hooks/core';
import { type SdkFunctionRun, type SdkState, stateText } from '../internals.ts';
import { hookedToolOf } from '../tool/call.ts';

/*
 * The SDK notes with a waiting call which tool of which MCP server it is for, and does not run it as another one's. It
 * knows that by the tool's function, which a hooked tool has not; so the note is made, and compared, for the tools that
 * hooks are around.
 */

/** Notes with the waiting calls of a paused run the MCP tools that they are for. */
export function bindRecipients(state: SdkState): void {
  forHooked(state, (run, recipient) => {
    run.mcpToolBinding = recipient;
  });
}

/** Takes the notes away where they are right: with one that is left the SDK refuses the call. */
export function checkRecipients(state: SdkState): void {
  forHooked(state, (run, recipient) => {
    if (JSON.stringify(run.mcpToolBinding) === JSON.stringify(recipient)) run.mcpToolBinding = null;
  });
}

function forHooked(state: SdkState, act: (run: SdkFunctionRun, recipient: unknown) => void): void {
  const runs = state._lastProcessedResponse?.functions ?? [];
  const hooked = runs.filter(({ tool }) => hookedToolOf(tool)?.place.kind === 'mcp');
  if (hooked.length === 0) return;
  const recipients = recipientsOf(state, runs);
  for (const run of hooked) act(run, recipients[runs.indexOf(run)] ?? null);
}

/** What the SDK would note for the tools that hooks are around: it makes the notes that are missing when it writes a state. */
function recipientsOf(state: SdkState, runs: readonly SdkFunctionRun[]): readonly unknown[] {
  const kept = runs.map(({ tool, mcpToolBinding }) => ({ tool, mcpToolBinding }));
  try {
    for (const run of runs) Object.assign(run, { tool: originalTool(run.tool), mcpToolBinding: undefined });
    const { lastProcessedResponse } = JSON.parse(stateText(state)) as Written;
    return lastProcessedResponse.functions.map(({ mcpToolBinding }) => mcpToolBinding);
  } finally {
    for (const [index, run] of runs.entries()) Object.assign(run, kept[index]);
  }
}

interface Written {
  readonly lastProcessedResponse: { readonly functions: readonly { readonly mcpToolBinding: unknown }[] };
}
