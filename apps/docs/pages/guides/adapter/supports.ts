import type { SupportTable } from '@hooks/core';
import { emulated, none } from '@hooks/core/adapter';

const done = emulated('Around the function.');
const never = { fires: none('This adapter sees tool calls only.') };

export const supports: SupportTable = {
  adapter: 'acme-adapter',
  events: {
    session_start: { fires: done },
    before_tool_call: {
      fires: done,
      decisions: { block: done, 'modify.input': done },
    },
    permission_request: { fires: done, decisions: { block: done } },
    tool_approval_decision: { fires: done },
    before_execute: { fires: done, decisions: { block: done } },
    transform_tool_result: {
      fires: done,
      decisions: { 'modify.output': done },
    },
    after_tool_call: { fires: done, decisions: { block: done, retry: done } },
    session_end: { fires: done },
    user_prompt_submit: never,
    before_run: never,
    turn_start: never,
    before_model_call: never,
    after_model_call: never,
    turn_end: never,
    stop: never,
    max_iterations: never,
    subagent_start: never,
    subagent_stop: never,
    agent_switch: never,
    agent_error: never,
    before_compaction: never,
    after_compaction: never,
    user_input_required: never,
    notification: never,
    session_resume: never,
  },
};
