import type { EventSupport, SupportCell, SupportTable } from '@hooks/core';

const native = (note?: string): SupportCell => ({ level: 'native', ...(note !== undefined && { note }) });
const emulated = (note?: string): SupportCell => ({ level: 'emulated', ...(note !== undefined && { note }) });
const none = (note: string): SupportCell => ({ level: 'none', note });

const byRun = 'Where the hooked agent starts a run.';
const observed = (note: string): EventSupport => ({ fires: emulated(note) });

const tools = {
  function: emulated('Around `execute`.'),
  mcp: emulated('Around `execute` of the tools of an `MCPClient`.'),
  agent: native(
    'By native agent hooks; its own tools are hooked too. It is not run again, elsewhere or under another name; where its answer is replaced, the memory and the trace of its own run have the answer as it was.',
  ),
  framework: native(
    '`workflow-*`, memory and workspace tools, by native agent hooks; not run again or elsewhere; where its output is replaced, its span in a trace and a workflow’s own storage have it as it was.',
  ),
  hosted: none('The provider runs them.'),
} as const;

const WRITER =
  'What a tool writes to the stream itself (`context.writer`) is held back until its result is decided on, and withheld where that is replaced; with `holdStream: false` it has passed.';

/** What this adapter can and cannot do, event by event. */
export const supports: SupportTable = {
  adapter: '@hooks/mastra',
  events: {
    session_start: {
      fires: emulated(byRun),
      decisions: { 'modify.context': native('`processLLMRequest`, in each model call; stored nowhere.') },
    },
    user_prompt_submit: {
      fires: native(
        '`processInput`, after memory was recalled, for each message that the user has sent since the agent spoke; of one sent into a run that is going (`agent.sendMessage`) `processInputStep`.',
      ),
      decisions: {
        block: native('A tripwire; the model is not called, and nothing is stored.'),
        'modify.prompt': native(
          'The memory stores the rewritten prompt. A trace of Mastra’s begins with the given one.',
        ),
        'modify.context': native('`processLLMRequest`, in each model call of the run.'),
        'modify.metadata': emulated(),
      },
    },
    before_run: {
      fires: native('`processInput`.'),
      decisions: {
        block: native('A tripwire.'),
        'modify.model': emulated(
          'The id of a model of the same provider, or of one of the model router, as in `openai/gpt-5`. Not where a model object wraps another.',
        ),
        'modify.settings': emulated(
          'Around the model; the reasoning effort as the provider option `reasoningEffort`.',
        ),
      },
    },
    turn_start: {
      fires: native('`processInputStep`.'),
      decisions: { 'modify.context': native('`processLLMRequest`, in this call.') },
    },
    before_model_call: {
      fires: native('`processLLMRequest`.'),
      decisions: {
        block: native('A tripwire.'),
        'modify.instructions': native(),
        'modify.messages': native(),
        'modify.tools': emulated('Around the model; tools may be left out, not added.'),
        'modify.settings': emulated('Around the model.'),
        'modify.context': native(),
      },
    },
    after_model_call: {
      fires: emulated('Around the model, also one that `prepareStep` puts in its place.'),
      decisions: {
        block: emulated('A tripwire; the answer is withheld, and its tools do not run.'),
        'modify.response': emulated(
          'The reasoning, and what the provider sent beside the answer, is left out.',
        ),
        retry: emulated(),
      },
      streamed: {
        block: emulated(
          'The answer is held back; with `holdStream: false` it was streamed, and its tools do not run.',
        ),
        'modify.response': emulated('Not with `holdStream: false`.'),
        retry: emulated('Not with `holdStream: false`.'),
      },
    },
    before_tool_call: {
      fires: emulated('Around `execute`, after Mastra has parsed the arguments.'),
      decisions: {
        block: emulated('The tool throws; the model reads the reason as an error.'),
        'modify.toolName': emulated(),
        'modify.input': emulated(),
        'modify.approval': native(
          '`requireApproval`, with `approval: "native"`; a changed input needs an approver, and is refused where another registry has `"native"`.',
        ),
        'modify.execute': emulated(),
        'modify.context': native('`processLLMRequest`, in the next model call.'),
      },
      tools,
    },
    permission_request: {
      fires: native('When Mastra asks `requireApproval`.'),
      decisions: {
        block: emulated(),
        'modify.approval': native(),
        'modify.input': emulated('With an approver.'),
      },
      tools,
    },
    tool_approval_decision: { fires: emulated('When the run is resumed.'), tools },
    transform_tool_result: {
      fires: emulated('Around `execute`.'),
      decisions: {
        'modify.output': emulated(),
        'modify.errorMessage': emulated(),
        'modify.context': native(),
      },
      streamed: { 'modify.output': emulated(WRITER) },
      tools,
    },
    after_tool_call: {
      fires: emulated('Around `execute`.'),
      decisions: {
        block: emulated('The tool throws; the model reads the reason as an error.'),
        'modify.output': emulated(),
        'modify.context': native('`processLLMRequest`, in the next model call.'),
        retry: emulated(),
      },
      streamed: { 'modify.output': emulated(WRITER) },
      tools,
    },
    turn_end: observed('Before the next model call, or when the run ends.'),
    stop: {
      fires: native('`onIterationComplete`.'),
      decisions: {
        block: native('The run ends; `tripwire` of its result has the reason. A stream has passed already.'),
        retry: native('`continue: true`, and a user message, which the memory stores.'),
      },
    },
    subagent_start: {
      fires: native('`delegation.onDelegationStart`.'),
      kinds: {
        tool_code: none('Mastra does not say in which run the code of a tool starts another agent.'),
      },
    },
    subagent_stop: {
      fires: native('When its run ends, or `delegation.onDelegationComplete` where that is not hooked.'),
    },
    agent_switch: {
      fires: native('With each delegation, there and back.'),
      kinds: { handoff: none('Mastra has no handoffs.') },
    },
    before_compaction: {
      fires: emulated(
        'Around observational memory, where it is about to observe. A reflection on its observations fires none; `lastMessages` and token limits leave messages out without a summary. What `getMemory` gives then stands for the memory, and is not that object.',
      ),
      decisions: {
        block: emulated('The history stays.'),
        'modify.summary': emulated('It is the observation. Not with `scope: "resource"`.'),
        'modify.context': emulated("Behind the observer's `instruction`."),
      },
    },
    after_compaction: observed(
      'When observations stand in the place of messages; the summary is all of them.',
    ),
    user_input_required: observed('When a run pauses.'),
    notification: observed('Beside `agent_error` and `max_iterations`.'),
    agent_error: observed('When a run fails.'),
    max_iterations: observed(
      'When `maxSteps`, or the limit that Mastra itself sets, ends a run. A condition in `stopWhen` is none.',
    ),
    session_resume: { fires: none('Mastra has no step at which a person lets a run go on past its limit.') },
    session_end: observed(byRun),
  },
};

/** What this adapter can do for a durable agent, whose runs Mastra starts itself: its tool calls are hooked. */
export const durableSupports: SupportTable = without([
  'user_prompt_submit',
  'before_run',
  'turn_start',
  'before_model_call',
  'after_model_call',
  'stop',
]);

/** The same where it is a sub-agent, to which nobody submits a prompt. */
export const durableSubagentSupports: SupportTable = without(['before_model_call', 'after_model_call']);

function without(types: readonly string[]): SupportTable {
  const fires = { level: 'none', note: 'Mastra starts the runs of a durable agent itself.' } as const;
  const unasked = types.map((type) => [type, { fires }] as const);
  return { ...supports, events: { ...supports.events, ...Object.fromEntries(unasked) } };
}
