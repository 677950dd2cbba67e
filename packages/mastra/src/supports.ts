import type { SupportTable } from '@hooks/core';
import { emulated, native, none, observed } from '@hooks/core/adapter';

const byRun = 'When the hooked agent starts a run.';

const tools = {
  function: emulated('Around `execute`.'),
  mcp: emulated('Around `execute` of the tools of an `MCPClient`.'),
  agent: native(
    'With Mastra’s agent hooks; its own tools are hooked too. Cannot be retried, renamed or run elsewhere. If its answer is replaced, the memory and trace of its own run keep the original.',
  ),
  framework: native(
    '`workflow-*`, memory and workspace tools, with Mastra’s agent hooks. Cannot be retried or run elsewhere. If the output is replaced, its trace span and a workflow’s storage keep the original.',
  ),
  hosted: none('The provider runs them.'),
} as const;

const WRITER =
  'What a tool itself writes to the stream (`context.writer`) is withheld where hooks decide about its result, because they do not see it. With `holdStream: false` it passes unfiltered.';

/** What this adapter supports, by event. */
export const supports: SupportTable = {
  adapter: '@hooks/mastra',
  refused: {
    return: emulated(
      'The reason is `text`, and that of `tripwire`. Mastra itself logs the tripwire of a refused prompt or run as an error of its workflow.',
    ),
    throw: emulated(
      'What is read of a stream fails: `fullStream`, `textStream`, `text` and `getFullOutput`; of a refused prompt or run, `stream` rejects.',
    ),
  },
  events: {
    session_start: {
      fires: emulated(byRun),
      decisions: { 'modify.context': native('`processLLMRequest`, in each model call; not stored.') },
    },
    user_prompt_submit: {
      fires: native(
        '`processInput`, after the memory was recalled, for each user message since the agent’s last answer; `processInputStep` for a message sent during a run (`agent.sendMessage`).',
      ),
      decisions: {
        block: native('A tripwire. The model is not called, and nothing is stored.'),
        'modify.prompt': native(
          'The memory stores the rewritten prompt; Mastra’s trace starts with the original.',
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
          'The id of a model of the same provider, or of the model router, as in `openai/gpt-5`. Not for a wrapped model.',
        ),
        'modify.settings': emulated(
          'Around the model. The reasoning effort becomes the provider option `reasoningEffort`.',
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
        'modify.tools': emulated(
          'Around the model. Can remove tools and change their descriptions, not add them.',
        ),
        'modify.settings': emulated('Around the model.'),
        'modify.context': native(),
      },
    },
    after_model_call: {
      fires: emulated('Around the model, including one that `prepareStep` chooses.'),
      decisions: {
        block: emulated('A tripwire. The answer is withheld, and its tools do not run.'),
        'modify.response': emulated(
          'With another text or reasoning, the reasoning, raw chunks and probabilities of the original are left out.',
        ),
        retry: emulated(),
      },
      streamed: {
        block: emulated(
          'The answer is held back. With `holdStream: false` it has been streamed, but its tools do not run.',
        ),
        'modify.response': emulated('Not with `holdStream: false`.'),
        retry: emulated('Not with `holdStream: false`.'),
      },
    },
    before_tool_call: {
      fires: emulated(
        'Around `execute`, after Mastra has parsed the arguments. The tool does not get `resumeData` that a model writes among them. With `autoResumeSuspendedTools`, or if only the tool is hooked, such a call is refused where a hook decides, because hooks do not see that answer.',
      ),
      decisions: {
        block: emulated('The tool throws; the model reads the reason as an error.'),
        'modify.toolName': emulated(),
        'modify.input': emulated(),
        'modify.approval': native(
          '`requireApproval`, with `approval: "native"`. A changed input needs an approver, and is refused if another registry has `"native"`.',
        ),
        'modify.execute': emulated(),
        'modify.concealed': emulated(),
        'modify.context': native('`processLLMRequest`, in the next model call.'),
      },
      tools,
    },
    permission_request: {
      fires: native('When Mastra calls `requireApproval`.'),
      decisions: {
        block: emulated(),
        'modify.approval': native(),
        'modify.input': emulated('With an approver.'),
      },
      tools,
    },
    tool_approval_decision: { fires: emulated('When the run resumes.'), tools },
    before_execute: {
      fires: emulated(),
      decisions: { block: emulated(), 'modify.execute': emulated(), 'modify.idempotencyKey': emulated() },
      tools,
    },
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
        block: native('Ends the run; `tripwire` of its result has the reason. A stream has already passed.'),
        retry: native('`continue: true` and a user message, which the memory stores.'),
      },
    },
    subagent_start: {
      fires: native('`delegation.onDelegationStart`.'),
      kinds: {
        tool_code: none('Mastra does not tell in which run a tool’s code starts another agent.'),
      },
    },
    subagent_stop: {
      fires: native('When its run ends, or `delegation.onDelegationComplete` if that run is not hooked.'),
    },
    agent_switch: {
      fires: native('On each delegation, in both directions.'),
      kinds: { handoff: none('Mastra has no handoffs.') },
    },
    before_compaction: {
      fires: emulated(
        'Around observational memory, before it observes. Reflections do not fire it; `lastMessages` and token limits drop messages without a summary. `getMemory` then returns a wrapper around the memory.',
      ),
      decisions: {
        block: emulated('The history stays.'),
        'modify.summary': emulated('The summary is the observation. Not with `scope: "resource"`.'),
        'modify.context': emulated("After the observer's `instruction`."),
      },
    },
    after_compaction: observed('When observations have replaced messages; the summary is all observations.'),
    user_input_required: observed('When a run pauses.'),
    notification: observed('With `agent_error` and `max_iterations`.'),
    agent_error: observed('When a run fails.'),
    max_iterations: observed(
      'When `maxSteps` or Mastra’s own limit ends a run. A condition in `stopWhen` is not a limit.',
    ),
    session_resume: { fires: none('In Mastra, a run cannot continue past its limit.') },
    session_end: observed(byRun),
  },
};

/** What this adapter supports for a durable agent, whose runs Mastra starts itself: its tool calls are hooked. */
export const durableSupports: SupportTable = without([
  'user_prompt_submit',
  'before_run',
  'turn_start',
  'before_model_call',
  'after_model_call',
  'stop',
]);

/** The same for a durable sub-agent, to which nobody submits a prompt. */
export const durableSubagentSupports: SupportTable = without(['before_model_call', 'after_model_call']);

function without(types: readonly string[]): SupportTable {
  const fires = { level: 'none', note: 'Mastra starts the runs of a durable agent itself.' } as const;
  const unasked = types.map((type) => [type, { fires }] as const);
  return { ...supports, events: { ...supports.events, ...Object.fromEntries(unasked) } };
}
