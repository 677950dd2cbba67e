import type { SupportTable } from '@hooks/core';
import { emulated, native, none, observed } from '@hooks/core/adapter';

const byAgent = 'In an agent made by `createHookedAgent`.';
const inModelCall = native('In `wrapModelCall`.');

const IN_RUN =
  'Inside the run of the tool. What the tool itself writes to the stream or yields is withheld, because hooks do not see it, unless `holdStream: false`. For a tool that overrides `invoke`: after it, so traces and the stream have seen the result.';

const tools = {
  function: native('In `wrapToolCall`, or around the tool; the result inside the run of the tool.'),
  mcp: native('Like any tool.'),
  agent: native(
    'Like any tool. Inside it, the tools of a hooked agent and tools that are hooked themselves are hooked too.',
  ),
  framework: none('The `extract-…` calls of structured output never reach a tool.'),
  hosted: none('The provider runs them.'),
} as const;

/** What this adapter can and cannot do, event by event. */
export const supports: SupportTable = {
  adapter: '@hooks/langchain',
  refused: {
    return: emulated('The reason is the last message.'),
    throw: emulated(
      `${byAgent} A stream fails at its end, behind the message with the reason; of a refused prompt or run, at once. Version v3 of \`streamEvents\` rejects for these alone.`,
    ),
  },
  events: {
    session_start: {
      fires: emulated(
        'At the first event of a thread, a run or a bare call; `source` is `resume` if the checkpointer of a hooked agent knows the thread.',
      ),
      decisions: { 'modify.context': native('In the system message of each model call.') },
    },
    user_prompt_submit: {
      fires: emulated(`${byAgent} Before the graph runs.`),
      decisions: {
        block: emulated('The reason is the answer. The graph does not run, and nothing is stored.'),
        'modify.prompt': emulated(),
        'modify.context': native('In the system message of each model call of the run.'),
        'modify.metadata': emulated(),
      },
    },
    before_run: {
      fires: emulated(`${byAgent} Before the graph runs.`),
      decisions: {
        block: emulated('Like a blocked prompt.'),
        'modify.model': emulated('Another model of the same client, by the name that the client takes.'),
        'modify.settings': emulated('Temperature, token limit and reasoning effort, if the client has them.'),
      },
    },
    turn_start: {
      fires: inModelCall,
      decisions: { 'modify.context': native('In the system message of this call.') },
    },
    before_model_call: {
      fires: inModelCall,
      decisions: {
        block: native('The reason is the answer, which ends the run.'),
        'modify.instructions': native(),
        'modify.messages': native(),
        'modify.tools': native('Can remove tools, not add them or change their descriptions.'),
        'modify.settings': emulated('Temperature, token limit and reasoning effort, if the client has them.'),
        'modify.context': native('In the system message of this call.'),
      },
    },
    after_model_call: {
      fires: native('Inside the run of the model, in `wrapModelCall`.'),
      decisions: {
        block: native('The reason is the answer, which ends the run.'),
        'modify.response': native(),
        retry: native(),
      },
      streamed: {
        fires: emulated('The stream is held back until hooks have decided, unless `holdStream: false`.'),
      },
    },
    before_tool_call: {
      fires: native('In `wrapToolCall`, or around the tool.'),
      decisions: {
        block: native(
          'A ToolMessage with status `error`; a bare call without an id throws a BlockedError. If the run has already paused for another call, `stop` ends the run once a person has answered.',
        ),
        'modify.toolName': native(
          'To a tool of the same agent or list, unless a person may review it (`interruptOn`, `humanInTheLoopMiddleware`) or it has hooks of other registries.',
        ),
        'modify.input': native(),
        'modify.approval': native("LangGraph's interrupt with `approval: 'native'`; otherwise an approver."),
        'modify.execute': native(),
        'modify.concealed': native('`handleToolStart` and the stream mode `tools` show the values.'),
        'modify.context': native('In the system message of the next model call.'),
      },
      tools,
    },
    permission_request: {
      fires: emulated(
        'When a hook or `interruptOn` requires approval. Not for humanInTheLoopMiddleware, whose approval comes before hooks.',
      ),
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
      fires: native(IN_RUN),
      decisions: {
        'modify.output': native(
          'Of a `Command`, hooks see and replace the messages that answer the call; other messages and state in its update pass.',
        ),
        'modify.errorMessage': native(),
        'modify.context': native(),
      },
      tools,
    },
    after_tool_call: {
      fires: native(IN_RUN),
      decisions: { block: native(), 'modify.output': native(), 'modify.context': native(), retry: native() },
      tools,
    },
    turn_end: observed(byAgent),
    stop: {
      fires: native(
        'In `afterAgent`, which adds a superstep if such a hook is registered. Not after a `returnDirect` tool.',
      ),
      decisions: {
        block: native('The reason replaces the answer.'),
        retry: native('The reason is the next user message.'),
      },
    },
    subagent_start: observed(`${byAgent} When it runs inside a tool of another agent.`),
    subagent_stop: observed(`${byAgent} When it runs inside a tool of another agent.`),
    agent_switch: { fires: none('`createAgent` has no handoffs; in your own graph a handoff is an edge.') },
    before_compaction: {
      fires: emulated("With `hookedSummarization` in place of LangChain's summarizationMiddleware."),
      decisions: {
        block: emulated('The history stays, and no summary is generated.'),
        'modify.summary': emulated(),
        'modify.context': emulated('After the prompt for the summary.'),
      },
    },
    after_compaction: observed('With `hookedSummarization`.'),
    user_input_required: observed(
      "When a call pauses for a person, with `approval: 'native'` or `interruptOn`.",
    ),
    notification: observed(byAgent),
    agent_error: observed(byAgent),
    max_iterations: observed(
      `${byAgent} At LangGraph's recursion limit, which counts supersteps (the event has the model calls it allowed), and when modelCallLimitMiddleware throws.`,
    ),
    session_resume: { fires: none('A run cannot continue past the recursion limit.') },
    session_end: observed(
      'When a run without a thread ends, and when the session or the registry is closed.',
    ),
  },
};
