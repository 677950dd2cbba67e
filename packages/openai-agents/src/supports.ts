import type { EventSupport, SupportCell, SupportTable } from '@hooks/core';

const native = (note?: string): SupportCell => ({ level: 'native', ...(note !== undefined && { note }) });
const emulated = (note?: string): SupportCell => ({ level: 'emulated', ...(note !== undefined && { note }) });
const none = (note: string): SupportCell => ({ level: 'none', note });

const byRunner = 'By the hooked runner.';
const inModel = 'Around the model of every run of a hooked runner.';
const observed = (note: string): EventSupport => ({ fires: emulated(note) });

const agentAsTool = none('An agent as a tool is a tool call; control stays with the one that calls it.');

const tools = {
  function: emulated('Around `invoke`.'),
  mcp: emulated('Around `invoke` of what `getAllTools` gives.'),
  agent: emulated('Around `invoke`; its own tools are hooked too.'),
  framework: none('Computer, shell and apply-patch tools are not hooked yet.'),
  hosted: none('The provider runs them.'),
} as const;

/** What this adapter can and cannot do, event by event. */
export const supports: SupportTable = {
  adapter: '@hooks/openai-agents',
  events: {
    session_start: {
      fires: emulated(byRunner),
      decisions: { 'modify.context': emulated('In the instructions of each model call.') },
    },
    user_prompt_submit: {
      fires: emulated('Before `run`, for each message that the user has sent since anybody else spoke.'),
      decisions: {
        block: emulated('`run` rejects with a BlockedError; the SDK is not called.'),
        'modify.prompt': emulated(),
        'modify.context': emulated('In the instructions of each model call of the run.'),
        'modify.metadata': emulated(),
      },
    },
    before_run: {
      fires: emulated(byRunner),
      decisions: {
        block: emulated('`run` rejects with a BlockedError.'),
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
        `${inModel} What callbacks see as \`runner.config.modelProvider\` and \`agent.model\` stands for the given one: it has its class, and is another object.`,
      ),
      decisions: {
        block: emulated('The reason is the answer; with a structured output type the run rejects.'),
        'modify.instructions': emulated(),
        'modify.messages': emulated(),
        'modify.tools': emulated('Tools may be left out and described otherwise, not added.'),
        'modify.settings': emulated(),
        'modify.context': emulated('In the instructions of this call.'),
      },
    },
    after_model_call: {
      fires: emulated(inModel),
      decisions: {
        block: emulated('The reason is the answer; with a structured output type the run rejects.'),
        'modify.response': emulated(
          'The reasoning, and what the provider sent beside the answer, is left out.',
        ),
        retry: emulated('Not with `conversationId`: the provider has kept the answer.'),
      },
      streamed: { retry: emulated('Nor with `holdStream: false`.') },
    },
    before_tool_call: {
      fires: emulated(
        'Around `invoke`. Arguments that are no JSON never get there. An input that leaves out a field with a default is refused where a finished tool with optional fields asks for approval; of `hookedTool` it is not.',
      ),
      decisions: {
        block: emulated('The tool answers with the reason; the SDK has no mark for errors.'),
        'modify.toolName': emulated(),
        'modify.input': emulated(),
        'modify.approval': native(
          '`needsApproval`, with `approval: "native"` and a hooked runner; a changed input needs an approver. Where another registry has an approver, the SDK pauses first, and the approver is asked after a yes.',
        ),
        'modify.execute': emulated(),
        'modify.context': emulated('In the instructions of the next model call.'),
      },
      tools,
    },
    permission_request: {
      fires: native(
        'When the SDK asks `needsApproval` in a hooked run; in a bare runner, when the call runs. An input that does not fit is refused, where the SDK would ask a person.',
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
        'When a hooked runner goes on with a state with decisions; in a bare runner, when an approved call runs.',
      ),
      tools,
    },
    transform_tool_result: {
      fires: emulated(
        'Around `invoke`. Failures of a finished tool are text of its `errorFunction`; of `hookedTool` they are failures.',
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
        'Around `invoke`. Of a finished tool a failure has the status `ok`; of `hookedTool` it has `error`.',
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
        block: emulated('The reason is the final output; with a structured output type the run rejects.'),
        retry: emulated('The agent is run again, after its history.'),
      },
      kinds: {
        subagent: none(
          "The runs of agents as tools are the SDK's own: it asks for no more once they have answered.",
        ),
      },
    },
    subagent_start: observed('When an agent-as-tool is first asked for its tools.'),
    subagent_stop: observed('When an agent-as-tool has answered.'),
    agent_switch: {
      fires: native('The `agent_handoff` event of an agent.'),
      kinds: { transfer_task: agentAsTool, transfer_task_return: agentAsTool },
    },
    before_compaction: {
      fires: emulated(
        'When a compaction-aware session compacts in a run of a hooked runner; without token counts.',
      ),
      decisions: {
        block: emulated('The history stays as it is.'),
        'modify.summary': none('The session makes the compacted history; the SDK has no way to hand it one.'),
        'modify.context': none('The provider takes no guidance for it.'),
      },
    },
    after_compaction: observed(
      'As before_compaction; the summary is the text that is new in the history: none where the provider seals it.',
    ),
    user_input_required: observed('When a run is interrupted.'),
    notification: observed('Beside `agent_error` and `max_iterations`.'),
    agent_error: observed('When `run` rejects.'),
    max_iterations: observed(
      'When `run` rejects with a MaxTurnsExceededError, or an error handler answers in its place.',
    ),
    session_resume: { fires: none('The SDK has no step at which a person lets a run go on past its limit.') },
    session_end: observed(byRunner),
  },
};
