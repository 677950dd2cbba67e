import type { SupportTable } from '@hooks/core';

const done = { level: 'emulated' } as const;
const notYet = { fires: { level: 'none', note: 'not yet' } } as const;

/** A first table: only what core's pipeline does for tool calls. */
export const supports: SupportTable = {
  adapter: 'tiny',
  refused: { return: done, throw: done },
  events: {
    session_start: { fires: done, decisions: { 'modify.context': done } },
    before_tool_call: {
      fires: done,
      decisions: {
        block: done,
        'modify.input': done,
        'modify.approval': done,
        'modify.execute': done,
        'modify.concealed': done,
        'modify.context': done,
        'modify.toolName': { level: 'none', note: 'not yet' },
      },
      tools: { function: done },
    },
    tool_approval_decision: { fires: done },
    before_execute: {
      fires: done,
      decisions: {
        block: done,
        'modify.execute': done,
        'modify.idempotencyKey': done,
      },
    },
    transform_tool_result: {
      fires: done,
      decisions: {
        'modify.output': done,
        'modify.errorMessage': done,
        'modify.context': done,
      },
    },
    after_tool_call: {
      fires: done,
      decisions: {
        block: done,
        'modify.output': done,
        'modify.context': done,
        retry: done,
      },
    },
    session_end: { fires: done },
    permission_request: notYet,
    user_prompt_submit: notYet,
    before_run: notYet,
    turn_start: notYet,
    before_model_call: notYet,
    after_model_call: notYet,
    turn_end: notYet,
    stop: notYet,
    subagent_start: notYet,
    subagent_stop: notYet,
    agent_switch: notYet,
    before_compaction: notYet,
    after_compaction: notYet,
    user_input_required: notYet,
    notification: notYet,
    agent_error: notYet,
    max_iterations: notYet,
    session_resume: notYet,
  },
};
