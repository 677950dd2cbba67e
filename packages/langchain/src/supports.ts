import type { EventSupport, SupportCell, SupportTable } from '@hooks/core';

const native = (note?: string): SupportCell => ({ level: 'native', ...(note !== undefined && { note }) });
const emulated = (note?: string): SupportCell => ({ level: 'emulated', ...(note !== undefined && { note }) });
const none = (note: string): SupportCell => ({ level: 'none', note });

const byAgent = 'By the agent that `createHookedAgent` makes.';
const inModelCall = native('In `wrapModelCall`.');
const observed = (note: string): EventSupport => ({ fires: emulated(note) });

const IN_RUN =
  'Inside the run of the tool; what it writes to the stream itself is held back until then, unless `holdStream: false`. A tool with an `invoke` of its own: after it, so that traces and the stream saw it.';

const tools = {
  function: native('In `wrapToolCall`, or around the tool; its result inside the run of the tool.'),
  mcp: native('As any tool.'),
  agent: native(
    'As any tool; the tools of an agent that is hooked, or hooked tools of one that is not, are hooked, too.',
  ),
  framework: none('The `extract-…` calls of structured output never reach a tool.'),
  hosted: none('The provider runs them.'),
} as const;

/** What this adapter can and cannot do, event by event. */
export const supports: SupportTable = {
  adapter: '@hooks/langchain',
  events: {
    session_start: {
      fires: emulated(
        'At the first event of a thread, a run or a bare call; as `resume` where the checkpointer of a hooked agent knows the thread.',
      ),
      decisions: { 'modify.context': native('In the system message of each model call.') },
    },
    user_prompt_submit: {
      fires: emulated(`${byAgent} Before the graph is run.`),
      decisions: {
        block: emulated('The reason is the answer; the graph does not run, nothing is stored.'),
        'modify.prompt': emulated(),
        'modify.context': native('In the system message of each model call of the run.'),
        'modify.metadata': emulated(),
      },
    },
    before_run: {
      fires: emulated(`${byAgent} Before the graph is run.`),
      decisions: {
        block: emulated('As a blocked prompt.'),
        'modify.model': emulated('Another model of the same client; its name as that client takes it.'),
        'modify.settings': emulated(
          'Temperature, maximum of tokens and reasoning effort, where the client has them.',
        ),
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
        'modify.tools': native('Tools may be left out, not added.'),
        'modify.settings': emulated(
          'Temperature, maximum of tokens and reasoning effort, where the client has them.',
        ),
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
        fires: emulated('The stream is held back until it is decided, unless `holdStream: false`.'),
      },
    },
    before_tool_call: {
      fires: native('In `wrapToolCall`, or around the tool.'),
      decisions: {
        block: native(
          'A ToolMessage of status `error`; a bare call without an id throws a BlockedError. With `stop`, beside a call for which the run has paused already, the run ends once the person has answered.',
        ),
        'modify.toolName': native('To a tool of the same agent or list that `interruptOn` does not list.'),
        'modify.input': native(),
        'modify.approval': native("LangGraph's interrupt with `approval: 'native'`; else an approver."),
        'modify.execute': native(),
        'modify.context': native('In the system message of the next model call.'),
      },
      tools,
    },
    permission_request: {
      fires: emulated(
        'Where a hook or `interruptOn` requires approval. Not for a humanInTheLoopMiddleware: hooks are asked after its person.',
      ),
      decisions: { block: emulated(), 'modify.approval': emulated(), 'modify.input': emulated() },
      tools,
    },
    tool_approval_decision: { fires: emulated(), tools },
    transform_tool_result: {
      fires: native(IN_RUN),
      decisions: {
        'modify.output': native(),
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
        'In `afterAgent`: one superstep more, where such a hook is registered. Not behind the result of a `returnDirect` tool.',
      ),
      decisions: {
        block: native('The reason takes the place of the answer.'),
        retry: native('The reason is the next user message.'),
      },
    },
    subagent_start: observed(`${byAgent} When it is run inside a tool of another.`),
    subagent_stop: observed(`${byAgent} When it is run inside a tool of another.`),
    agent_switch: { fires: none('`createAgent` knows no handoff; in a graph of your own it is an edge.') },
    before_compaction: {
      fires: emulated("By `hookedSummarization`, in the place of LangChain's summarizationMiddleware."),
      decisions: {
        block: emulated('The history stays, no summary is paid for.'),
        'modify.summary': emulated(),
        'modify.context': emulated('After the prompt for the summary.'),
      },
    },
    after_compaction: observed('By `hookedSummarization`.'),
    user_input_required: observed(
      "Where a call pauses for a person, by `approval: 'native'` or `interruptOn`.",
    ),
    notification: observed(byAgent),
    agent_error: observed(byAgent),
    max_iterations: observed(
      `${byAgent} At LangGraph's recursion limit, which is one of supersteps (told is how many model calls it allowed), and where modelCallLimitMiddleware throws.`,
    ),
    session_resume: { fires: none('The recursion limit ends a run for good.') },
    session_end: observed(
      'When a run without a thread ends, and when the session or the registry is closed.',
    ),
  },
};
