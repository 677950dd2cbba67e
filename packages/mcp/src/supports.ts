import type { EventSupport, SupportTable } from '@hooks/core';
import { emulated, native, none } from '@hooks/core/adapter';

const never = (note: string): EventSupport => ({ fires: none(note) });

const context = none(
  'An MCP server can only return results to the model. The context is dropped with a warning.',
);
const noModel = never('The proxy is between client and server and sees no prompts or model calls.');
const noAgent = never('The client does not report to the server what its agents do.');

const tools = {
  mcp: native('`tools/call`, and `resources/read` and `prompts/get` as tools of these names.'),
  function: none('Only tools of MCP servers pass through the proxy.'),
  agent: none('Only tools of MCP servers pass through the proxy.'),
  framework: none('Only tools of MCP servers pass through the proxy.'),
  hosted: none('The provider runs them.'),
} as const;

/** What the proxy supports, event by event. */
export const supports: SupportTable = {
  adapter: '@hooks/mcp',
  events: {
    session_start: {
      fires: emulated('At the first event of a connection, or of a conversation that the client identifies.'),
      decisions: { 'modify.context': context },
    },
    user_prompt_submit: noModel,
    before_run: noModel,
    turn_start: noModel,
    before_model_call: noModel,
    after_model_call: noModel,
    before_tool_call: {
      fires: native('When the client sends `tools/call`.'),
      decisions: {
        block: native(
          'A result with `isError`; for resources and prompts, a JSON-RPC error. `stop` cannot end the run.',
        ),
        'modify.toolName': native('To a tool that the server has listed.'),
        'modify.input': native(),
        'modify.approval': native(
          'By elicitation if the client shows forms, otherwise by the proxy’s approver.',
        ),
        'modify.execute': native(),
        'modify.concealed': native('The server gets the values.'),
        'modify.context': context,
      },
      tools,
    },
    permission_request: {
      fires: emulated('When a hook requires approval.'),
      decisions: { block: emulated(), 'modify.approval': emulated(), 'modify.input': emulated() },
      tools,
    },
    tool_approval_decision: { fires: emulated('When a person, a hook or the approver has answered.'), tools },
    before_execute: {
      fires: native(),
      decisions: { block: native(), 'modify.execute': native(), 'modify.idempotencyKey': native() },
      tools,
    },
    transform_tool_result: {
      fires: native('When the server has answered, before the client sees it.'),
      decisions: {
        'modify.output': native(
          'Replaces the whole result. If it does not fit the tool’s `outputSchema`, it is marked as an error.',
        ),
        'modify.errorMessage': native(
          'The message has the text of a failed result and the rest of it as JSON. What replaces it becomes the only text of the result; of a JSON-RPC error, `data` is dropped.',
        ),
        'modify.context': context,
      },
      tools,
    },
    transform_server_message: {
      fires: native(
        'For all else that the server says: its instructions, lists and completions, log lines, progress, questions, and errors. Not for results of calls.',
      ),
      decisions: {
        'modify.content': native('If a hook fails, the message is withheld.'),
      },
    },
    after_tool_call: {
      fires: native('After each attempt.'),
      decisions: {
        block: native(),
        'modify.output': native(),
        'modify.context': context,
        retry: emulated('Sends the request again under an id of the proxy.'),
      },
      tools,
    },
    turn_end: noModel,
    stop: noModel,
    subagent_start: noAgent,
    subagent_stop: noAgent,
    agent_switch: noAgent,
    before_compaction: noAgent,
    after_compaction: noAgent,
    user_input_required: noAgent,
    notification: noAgent,
    agent_error: noAgent,
    max_iterations: noAgent,
    session_resume: noAgent,
    session_end: {
      fires: emulated('When the connection ends, or after the conversation was idle for 30 minutes.'),
    },
  },
};
