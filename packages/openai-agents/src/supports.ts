import type { SupportTable } from '@hooks/core';
import { emulated, native, none, observed } from '@hooks/core/adapter';

const byRunner = 'By the hooked runner.';
const inModel = 'Around the model of every run of a hooked runner.';

const agentAsTool = none('An agent as a tool is a tool call; control stays with the caller.');

const tools = {
  function: emulated('Around `invoke`.'),
  mcp: emulated('Around `invoke` of the tools from `getAllTools`.'),
  agent: emulated('Around `invoke`; its own tools are hooked too.'),
  framework: none('Computer, shell and apply-patch tools are not hooked yet.'),
  hosted: none('The provider runs them.'),
} as const;

/** What this adapter supports, by event. */
export const supports: SupportTable = {
  adapter: '@hooks/openai-agents',
  refused: {
    return: emulated(
      'The reason is `finalOutput`. With a structured output type the run rejects. The history of a refused prompt ends before it.',
    ),
    throw: emulated(`${byRunner} A stream fails at its end; of a refused prompt or run, \`run\` rejects.`),
  },
  events: {
    session_start: {
      fires: emulated(byRunner),
      decisions: { 'modify.context': emulated('In the instructions of each model call.') },
    },
    user_prompt_submit: {
      fires: emulated('Before `run`, for each user message since the last message of anyone else.'),
      decisions: {
        block: emulated('The reason is the answer, and no model, guardrail or listener is called.'),
        'modify.prompt': emulated(),
        'modify.context': emulated('In the instructions of each model call of the run.'),
        'modify.metadata': emulated(),
      },
    },
    before_run: {
      fires: emulated(byRunner),
      decisions: {
        block: emulated('As a refused prompt.'),
        'modify.model': emulated(),
        'modify.settings': emulated(),
      },
    },
    turn_start: {
      fires: emulated(inModel),
      decisions: { 'modify.context': emulated('In the instructions of this call.') },
    },
    before_model_call: {
      fires: emulated(
        `${inModel} Callbacks see another object of the same class as \`runner.config.modelProvider\` and \`agent.model\`.`,
      ),
      decisions: {
        block: emulated('The reason is the answer; with a structured output type, the run rejects.'),
        'modify.instructions': emulated(),
        'modify.messages': emulated(),
        'modify.tools': emulated('Can remove tools and change their descriptions, not add them.'),
        'modify.settings': emulated(),
        'modify.context': emulated('In the instructions of this call.'),
      },
    },
    after_model_call: {
      fires: emulated(inModel),
      decisions: {
        block: emulated('The reason is the answer; with a structured output type, the run rejects.'),
        'modify.response': emulated(
          'Removes the reasoning and whatever else the provider sent with the answer.',
        ),
        retry: emulated('Not with `conversationId`, because the provider has stored the answer.'),
      },
      streamed: { retry: emulated('Not with `holdStream: false` either.') },
    },
    before_tool_call: {
      fires: emulated(
        'Around `invoke`, which arguments that are not valid JSON never reach. If a tool of `tool()` with optional fields requires approval, an input without a field that has a default is refused; with `hookedTool` it is not.',
      ),
      decisions: {
        block: emulated('The tool returns the reason; the SDK cannot mark it as an error.'),
        'modify.toolName': emulated(),
        'modify.input': emulated(),
        'modify.approval': native(
          '`needsApproval`, with `approval: "native"` and a hooked runner; a changed input needs an approver. If another registry has an approver, the SDK pauses first, and the approver decides after an approval.',
        ),
        'modify.execute': emulated(),
        'modify.concealed': emulated(),
        'modify.context': emulated('In the instructions of the next model call.'),
      },
      tools,
    },
    permission_request: {
      fires: native(
        'When the SDK calls `needsApproval` in a hooked run; in a plain runner, when the call runs. An input that does not fit the schema is refused, while the SDK would ask a person.',
      ),
      decisions: {
        block: emulated(),
        'modify.approval': native(),
        'modify.input': emulated('With an approver.'),
      },
      tools,
    },
    tool_approval_decision: {
      fires: emulated(
        'When a hooked runner resumes a state with decisions; in a plain runner, when an approved call runs.',
      ),
      tools,
    },
    before_execute: {
      fires: emulated(),
      decisions: { block: emulated(), 'modify.execute': emulated(), 'modify.idempotencyKey': emulated() },
      tools,
    },
    transform_tool_result: {
      fires: emulated(
        'Around `invoke`. A failure of a tool of `tool()` is the text of its `errorFunction`; a failure of `hookedTool` is an error.',
      ),
      decisions: {
        'modify.output': emulated(),
        'modify.errorMessage': emulated('For `hookedTool`, and for tools with `errorFunction: null`.'),
        'modify.context': emulated(),
      },
      tools,
    },
    after_tool_call: {
      fires: emulated(
        'Around `invoke`. A failure has status `ok` with `tool()`, and `error` with `hookedTool`.',
      ),
      decisions: {
        block: emulated(),
        'modify.output': emulated(),
        'modify.context': emulated(),
        retry: emulated(),
      },
      tools,
    },
    turn_end: observed(byRunner),
    stop: {
      fires: emulated(byRunner),
      decisions: {
        block: emulated('The reason is the final output; with a structured output type, the run rejects.'),
        retry: emulated('Runs the agent again, on its history.'),
      },
      kinds: {
        subagent: none('The SDK runs agents as tools itself, and takes their first answer.'),
      },
    },
    subagent_start: observed('When the SDK first requests the tools of an agent as a tool.'),
    subagent_stop: observed('When an agent as a tool has answered.'),
    agent_switch: {
      fires: native('The `agent_handoff` event of an agent.'),
      kinds: { transfer_task: agentAsTool, transfer_task_return: agentAsTool },
    },
    before_compaction: {
      fires: emulated(
        'When a compaction-aware session compacts during a run of a hooked runner; without token counts.',
      ),
      decisions: {
        block: emulated('The history stays.'),
        'modify.summary': none('The session makes the compacted history; the SDK has no way to hand it one.'),
        'modify.context': none('The provider takes no guidance for it.'),
      },
    },
    after_compaction: observed(
      'Like before_compaction. The summary is the new text in the history; empty if the provider encrypts it.',
    ),
    user_input_required: observed('When a run is interrupted.'),
    notification: observed('With `agent_error` and `max_iterations`.'),
    agent_error: observed('When `run` rejects.'),
    max_iterations: observed(
      'When `run` rejects with a MaxTurnsExceededError, or an error handler answers instead.',
    ),
    session_resume: { fires: none('In the SDK, a run cannot continue past its limit.') },
    session_end: observed(byRunner),
  },
};
