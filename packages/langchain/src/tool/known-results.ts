import { PostedResults, type RunToolCall } from '@hooks/core/adapter';
import { ToolMessage } from '@langchain/core/messages';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import { withFields } from '../translate.ts';
import { conclude } from './answer.ts';
import { otherFields } from './result.ts';
import type { HookableTool } from './tool.ts';

/** The results of a call, as messages that runs of a session produce and clients post. */
export function resultsOf(
  run: HookedRun,
  call: RunToolCall,
  tool: HookableTool | undefined,
  registriesOf: (toolName?: string) => Registries,
): PostedResults<ToolMessage> {
  return new PostedResults(run, {
    registriesOf,
    shown(message) {
      const { tool_call_id, name, content, artifact, status = 'success' } = message;
      const fields = otherFields(withFields(message, { metadata: {} }), call);
      return [tool_call_id, call.toolName, call.input ?? {}, name, content, artifact, status, fields];
    },
    write(message, outcome) {
      const left = conclude(call, outcome, message, tool);
      if (ToolMessage.isInstance(left)) return left;
      throw new Error('the result of a message is a message');
    },
    withhold: ({ tool_call_id, name }, content) =>
      new ToolMessage({ content, tool_call_id, status: 'error', ...(name !== undefined && { name }) }),
  });
}
