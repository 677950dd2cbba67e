import type { EventSupport, SupportTable } from '@hooks/core';
import { emulated, native, none, observed } from '@hooks/core/adapter';

const inModel = 'Around the model, as a middleware.';
const inExecute = 'Around `execute`.';

const tools = {
  function: native(inExecute),
  mcp: native('Around `execute` of what `@ai-sdk/mcp` gives. It drops `isError`.'),
  agent: none('The AI SDK has no agents as tools: a tool that runs an agent is a function.'),
  framework: none('The AI SDK makes no tools itself.'),
  hosted: none('The provider runs them.'),
} as const;

const noCompaction: EventSupport = {
  happens: false,
  fires: none('The AI SDK does not compact; `pruneMessages` is a function that its user calls.'),
};

/** What this adapter supports, by event. */
export const supports: SupportTable = {
  adapter: '@hooks/ai-sdk',
  refused: {
    return: emulated('The reason is the text of the answer. With structured output the run rejects.'),
    throw: emulated(
      'A stream has an `error` part; of an agent, `stream` rejects for a refused prompt or run. A Block on Stop throws in `generate` of an agent only: what `streamText` has shown stands, and the SDK gives hooks no say in the end of `generateText`.',
    ),
  },
  events: {
    session_start: {
      fires: emulated('When a run begins. The id is the one that the `session` option gives.'),
      decisions: { 'modify.context': native('A system message of each model call.') },
    },
    user_prompt_submit: {
      fires: emulated('In `prepareCall` of an agent; of the functions in the first `prepareStep`.'),
      decisions: {
        block: emulated('The reason is the answer, and no model is called.'),
        'modify.prompt': emulated(),
        'modify.context': native('A system message of each model call of the run.'),
        'modify.metadata': emulated(),
      },
    },
    before_run: {
      fires: emulated('As user_prompt_submit.'),
      decisions: {
        block: emulated('As user_prompt_submit.'),
        'modify.model': emulated(
          'A model by name, or another id at the same provider; not of a model that another middleware wraps.',
        ),
        'modify.settings': native(),
      },
    },
    turn_start: {
      fires: native('`prepareStep`.'),
      decisions: { 'modify.context': native('A system message of this call.') },
    },
    before_model_call: {
      fires: native(inModel),
      decisions: {
        block: emulated('The reason is the answer; with structured output the run rejects.'),
        'modify.instructions': native(),
        'modify.messages': native(),
        'modify.tools': native('Can remove tools and change their descriptions, not add them.'),
        'modify.settings': native(),
        'modify.context': native('A system message of this call.'),
      },
    },
    after_model_call: {
      fires: native(inModel),
      decisions: {
        block: emulated('The reason is the answer; with structured output the run rejects.'),
        'modify.response': native(
          'With another text or reasoning, the reasoning, raw chunks and probabilities of the original are left out.',
        ),
        retry: native('The usage is that of all attempts.'),
      },
      streamed: { retry: native('Not with `holdStream: false`.') },
    },
    before_tool_call: {
      fires: native(
        'Around `execute`; with `approval: "native"`, and for tools that ask themselves, in `toolApproval`.',
      ),
      decisions: {
        block: native('The tool fails with a BlockedError, of which the model reads the reason alone.'),
        'modify.toolName': emulated('Not to a tool that may ask for approval.'),
        'modify.input': native(),
        'modify.approval': native(
          '`toolApproval`, with `approval: "native"`; a changed input needs an approver.',
        ),
        'modify.execute': native(),
        'modify.concealed': native(),
        'modify.context': native('A system message of the next model call.'),
      },
      tools,
    },
    permission_request: {
      fires: native('In `toolApproval`, or when the call runs.'),
      decisions: {
        block: native(),
        'modify.approval': native(),
        'modify.input': emulated('With an approver.'),
      },
      tools,
    },
    tool_approval_decision: {
      fires: emulated('When the agent is run again with the answer in its messages.'),
      tools,
    },
    before_execute: {
      fires: emulated(),
      decisions: { block: emulated(), 'modify.execute': emulated(), 'modify.idempotencyKey': emulated() },
      tools,
    },
    transform_tool_result: {
      fires: native(inExecute),
      decisions: {
        'modify.output': native(),
        'modify.errorMessage': native(),
        'modify.context': native(),
      },
      tools,
    },
    after_tool_call: {
      fires: native(inExecute),
      decisions: {
        block: native(),
        'modify.output': native(),
        'modify.context': native(),
        retry: native(),
      },
      tools,
    },
    turn_end: observed('When the next step begins, or the run ends.'),
    stop: {
      fires: native('`onStepEnd` of an answer without tool calls.'),
      decisions: {
        block: emulated('The answer stands in the result; `blockReason` tells why it is refused.'),
        retry: native('`experimental_steering`. `stopWhen` ends the run all the same.'),
      },
    },
    subagent_start: observed('When a hooked agent is run inside `execute` of a hooked tool.'),
    subagent_stop: observed('As subagent_start.'),
    agent_switch: { fires: none('Control does not pass from one agent to another.') },
    before_compaction: noCompaction,
    after_compaction: noCompaction,
    user_input_required: {
      fires: emulated('When a run ends with a request for approval, or with a call that its client answers.'),
      kinds: { subagent: none('A tool in which an agent runs cannot pause.') },
    },
    notification: observed('Beside `agent_error` and `max_iterations`.'),
    agent_error: observed('When a call rejects, or a step of a stream fails.'),
    max_iterations: observed('When `isStepCount` of `stopWhen` ends the run.'),
    session_resume: {
      fires: none('The AI SDK has no step at which a person lets a run go on past its limit.'),
    },
    session_end: observed(
      'When the result is there, or a stream was read; of `generateText` not where it fails before a step.',
    ),
  },
};
