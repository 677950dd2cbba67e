import type { EventSupport, SupportTable } from '@hooks/core';
import { emulated, native, none, observed } from '@hooks/core/adapter';

const added = emulated('`additionalContext`, a reminder that stays in the history.');
const inProcess = 'At the MCP server of the SDK.';
const noModel = none("Claude Code calls the model in its own process: set `models: 'proxy'`.");

const tools = {
  function: native(inProcess),
  mcp: native('PreToolUse and PostToolUse.'),
  agent: native('PreToolUse and PostToolUse of `Agent`, which calls every sub-agent.'),
  framework: native('PreToolUse and PostToolUse.'),
  hosted: none('Server tools of the API have no callback.'),
} as const;

/** What this adapter supports without `models: 'proxy'`, by event. */
export const supports: SupportTable = {
  adapter: '@hooks/claude-agent-sdk',
  refused: {
    return: emulated('With `hookedQuery`: the reason is the `result` of the result message.'),
    throw: emulated(
      'With `hookedQuery`: the query throws in the place of the result message, and closes. Prompts behind it in the same query are lost.',
    ),
  },
  events: {
    session_start: {
      fires: emulated('Before the first prompt. The SDK fires its own only for `/clear` and compaction.'),
      decisions: { 'modify.context': added },
    },
    user_prompt_submit: {
      fires: native('`hookedQuery` sees prompts before Claude Code does.'),
      decisions: {
        block: native(),
        'modify.prompt': emulated('With `hookedQuery`. With `hookedOptions`, the prompt is refused.'),
        'modify.context': added,
        'modify.metadata': emulated(),
      },
    },
    before_run: {
      fires: emulated('After user_prompt_submit.'),
      decisions: {
        block: emulated(),
        'modify.model': emulated('With `hookedQuery`, by `setModel`.'),
        'modify.settings': none('The SDK has no settings of model calls.'),
      },
    },
    turn_start: {
      fires: emulated('Before the prompt, and after PostToolBatch.'),
      decisions: { 'modify.context': added },
    },
    before_model_call: { fires: noModel },
    after_model_call: { fires: noModel },
    before_tool_call: {
      fires: native('PreToolUse; tools of this process at their MCP server.'),
      decisions: {
        block: native(
          'Of built-in tools, the model reads the reason after `PreToolUse:<tool> hook error: `.',
        ),
        'modify.toolName': emulated(
          'Of tools of this process, to one of the same server that Claude Code would run without asking.',
        ),
        'modify.input': native(),
        'modify.approval': native('`defer`, with `approval: "native"`; one call at a time.'),
        'modify.execute': emulated('Of tools of this process.'),
        'modify.concealed': emulated('Of tools of this process.'),
        'modify.context': added,
      },
      tools,
    },
    permission_request: {
      fires: native('Where a hook requires approval.'),
      decisions: { block: native(), 'modify.approval': native(), 'modify.input': native() },
      tools,
    },
    tool_approval_decision: { fires: native(), tools },
    before_execute: {
      fires: emulated(),
      decisions: {
        block: emulated(),
        'modify.execute': emulated('Of tools of this process.'),
        'modify.idempotencyKey': emulated('Of tools of this process.'),
      },
      tools,
    },
    transform_tool_result: {
      fires: native('PostToolUse; tools of this process at their MCP server.'),
      decisions: {
        'modify.output': native(
          'Of built-in tools in the shape of the original. The transcript keeps `structuredContent` of servers in other processes.',
        ),
        'modify.errorMessage': native('Of tools of this process. Of others, the run ends instead.'),
        'modify.context': added,
      },
      tools,
    },
    after_tool_call: {
      fires: native(),
      decisions: {
        block: native(),
        'modify.output': native(),
        'modify.context': added,
        retry: native('Of tools of this process.'),
      },
      tools,
    },
    turn_end: observed('At PostToolBatch, and when the run ends.'),
    stop: {
      fires: native('Stop; of sub-agents SubagentStop.'),
      decisions: {
        block: emulated('The answer stands in the messages; `blockReason` tells why it is refused.'),
        retry: native('The model reads the reason in a reminder.'),
      },
    },
    subagent_start: { fires: native() },
    subagent_stop: { fires: native() },
    agent_switch: { fires: none('Control does not pass from one agent to another.') },
    before_compaction: {
      fires: native('PreCompact.'),
      decisions: {
        block: native(),
        'modify.summary': none('Claude Code makes the summary.'),
        'modify.context': none('Claude Code takes no guidance from a hook.'),
      },
    },
    after_compaction: { fires: native('PostCompact.') },
    user_input_required: { fires: emulated('When the query ends with a call that waits for a person.') },
    notification: observed('Beside `agent_error` and `max_iterations`.'),
    agent_error: observed('When a result is an error, or the query throws.'),
    max_iterations: observed('At the result `error_max_turns`.'),
    session_resume: { fires: none('The SDK has no step at which a person lets a run go on past its limit.') },
    session_end: observed('When the query ends; of a session with an id when it is closed.'),
  },
};

const byProxy = "With `models: 'proxy'`.";
const shown = emulated(
  "With `models: 'proxy'` in the next model call only. Without it, a reminder that stays in the history.",
);

/** What this adapter supports with `models: 'proxy'`, by event. */
export const proxySupports: SupportTable = {
  ...supports,
  events: {
    ...Object.fromEntries(Object.entries(supports.events).map(([type, event]) => [type, withContext(event)])),
    before_run: {
      fires: emulated('After user_prompt_submit.'),
      decisions: {
        block: emulated(),
        'modify.model': emulated('With `hookedQuery`, by `setModel`.'),
        'modify.settings': emulated(byProxy),
      },
    },
    before_model_call: {
      fires: emulated(byProxy),
      fields: {
        messages: none(
          'With the reminders of Claude Code, as messages of the system or at the end of a result.',
        ),
        instructions: none('With what Claude Code says of itself.'),
        settings: none('With the `maxTokens` that Claude Code sets.'),
      },
      decisions: {
        block: emulated(byProxy),
        'modify.instructions': emulated(byProxy),
        'modify.messages': emulated(byProxy),
        'modify.tools': emulated(byProxy),
        'modify.settings': emulated(byProxy),
        'modify.context': emulated(byProxy),
      },
    },
    after_model_call: {
      fires: emulated(byProxy),
      decisions: {
        block: emulated(byProxy),
        'modify.response': emulated(byProxy),
        retry: emulated(byProxy),
      },
    },
    before_compaction: {
      fires: native('PreCompact.'),
      decisions: {
        block: native(),
        'modify.summary': emulated(byProxy),
        'modify.context': emulated(byProxy),
      },
    },
  },
};

function withContext(event: EventSupport): EventSupport {
  const { decisions } = event;
  return decisions?.['modify.context'] === added
    ? { ...event, decisions: { ...decisions, 'modify.context': shown } }
    : event;
}
