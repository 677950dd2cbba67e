import type { EventSupport, SupportTable } from '@hooks/core';
import { emulated, none } from '@hooks/core/adapter';

const onlyTools = none('Only the tools are hooked; `runTools` has no place for it.');
const noContext = none('`runTools` has no message that is not kept in its conversation.');

/** An event that does not fire, with the decisions that it permits. */
const unfired = (...decisions: readonly string[]): EventSupport => ({
  fires: onlyTools,
  ...(decisions.length > 0 && { decisions: Object.fromEntries(decisions.map((one) => [one, onlyTools])) }),
});

const tools = {
  function: emulated('Around the callback.'),
  mcp: none('The SDK has no MCP tools of its own.'),
  agent: none('The SDK has no agents.'),
  framework: none('The SDK has none.'),
  hosted: none('The provider runs them.'),
} as const;

/** What this adapter supports for the tools of the plain SDK's `chat.completions.runTools`. */
export const supports: SupportTable = {
  adapter: '@hooks/openai-agents/openai',
  events: {
    session_start: {
      fires: emulated('At the first tool call of a `runTools`.'),
      decisions: { 'modify.context': noContext },
    },
    user_prompt_submit: unfired('block', 'modify.prompt', 'modify.context', 'modify.metadata'),
    before_run: unfired('block', 'modify.model', 'modify.settings'),
    turn_start: unfired('modify.context'),
    before_model_call: unfired(
      'block',
      'modify.instructions',
      'modify.messages',
      'modify.tools',
      'modify.settings',
      'modify.context',
    ),
    after_model_call: unfired('block', 'modify.response', 'retry'),
    before_tool_call: {
      fires: emulated('Before the callback, and before its `parse`.'),
      decisions: {
        block: emulated('The model reads the reason; with `stop` the runner is aborted.'),
        'modify.toolName': emulated('To another tool of the same `hookTools`.'),
        'modify.input': emulated(),
        'modify.approval': emulated('With an approver; the SDK has no pause.'),
        'modify.execute': emulated(),
        'modify.concealed': emulated(),
        'modify.context': noContext,
      },
      tools,
    },
    permission_request: {
      fires: emulated('When a hook requires approval.'),
      decisions: { block: emulated(), 'modify.approval': emulated(), 'modify.input': emulated() },
      tools,
    },
    tool_approval_decision: { fires: emulated(), tools },
    before_execute: {
      fires: emulated(),
      decisions: { block: emulated(), 'modify.execute': emulated(), 'modify.idempotencyKey': emulated() },
      tools,
    },
    transform_tool_result: {
      fires: emulated('After the callback.'),
      decisions: {
        'modify.output': emulated(),
        'modify.errorMessage': emulated(),
        'modify.context': noContext,
      },
      tools,
    },
    after_tool_call: {
      fires: emulated('After the callback.'),
      decisions: {
        block: emulated(),
        'modify.output': emulated(),
        'modify.context': noContext,
        retry: emulated(),
      },
      tools,
    },
    turn_end: unfired(),
    stop: unfired('block', 'retry'),
    subagent_start: unfired(),
    subagent_stop: unfired(),
    agent_switch: unfired(),
    before_compaction: unfired('block', 'modify.summary', 'modify.context'),
    after_compaction: unfired(),
    user_input_required: unfired(),
    notification: unfired(),
    agent_error: unfired(),
    max_iterations: unfired(),
    session_resume: unfired(),
    session_end: { fires: emulated('When the runner ends.') },
  },
};
