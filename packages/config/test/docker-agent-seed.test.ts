import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AfterToolCall,
  AgentError,
  AgentSwitch,
  BeforeCompaction,
  BeforeModelCall,
  BeforeToolCall,
  type HookRegistrar,
  MaxIterations,
  modify,
  Notification,
  proceed,
  SessionEnd,
  SessionStart,
  Stop,
  TransformToolResult,
  TurnEnd,
  TurnStart,
  UserInputRequired,
  UserPromptSubmit,
} from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import type { Builtin } from '../src/index.ts';
import { harness, prints } from './harness.ts';

/** Every example of docker-agent's documentation, under its own heading. */

const configuration = `
agents:
  root:
    model: openai/gpt-4o
    description: An agent with hooks
    instruction: You are a helpful assistant.
    hooks:
      # Run before specific tools
      pre_tool_use:
        - matcher: "shell|edit_file"
          hooks:
            - type: command
              command: "./scripts/validate-command.sh"
              timeout: 30
      # Run after all tool calls
      post_tool_use:
        - matcher: "*"
          hooks:
            - type: command
              command: "./scripts/log-tool-call.sh"
      # Run when session starts
      session_start:
        - type: command
          command: "./scripts/setup-env.sh"
      # Run when session ends
      session_end:
        - type: command
          command: "./scripts/cleanup.sh"
      # Run when agent is waiting for user input
      on_user_input:
        - type: command
          command: "./scripts/notify.sh"
      # Run when the model finishes responding
      stop:
        - type: command
          command: "./scripts/log-response.sh"
      # Run on agent errors and warnings
      notification:
        - type: command
          command: "./scripts/alert.sh"
`;

const validateCommand = `#!/bin/bash
# Read JSON input from stdin
INPUT=$(cat)
TOOL_NAME=$(echo "$INPUT" | jq -r '.tool_name')
CMD=$(echo "$INPUT" | jq -r '.tool_input.cmd // empty')
# Block dangerous commands
if [[ "$TOOL_NAME" == "shell" ]]; then
  if [[ "$CMD" =~ ^sudo ]] || [[ "$CMD" =~ rm.*-rf ]]; then
    echo '{"decision": "block", "reason": "Dangerous command blocked by policy"}'
    exit 2
  fi
fi
# Allow everything else (returning {} means "do nothing, continue normally")
echo '{}'
exit 0
`;

const logToolCall = `#!/bin/bash
INPUT=$(cat)
TIMESTAMP=$(date -u +"%Y-%m-%dT%H:%M:%SZ")
TOOL_NAME=$(echo "$INPUT" | jq -r '.tool_name')
SESSION_ID=$(echo "$INPUT" | jq -r '.session_id')
# Append to audit log
echo "$TIMESTAMP | $SESSION_ID | $TOOL_NAME" >> ./audit.log
# Don't block execution
echo '{"continue": true}'
exit 0
`;

const notes = (name: string) => `#!/bin/sh\ncat >> ./${name}.json\n`;

function workspace(): string {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'scripts'));
  const scripts: Record<string, string> = {
    'validate-command': validateCommand,
    'log-tool-call': logToolCall,
  };
  for (const name of ['setup-env', 'cleanup', 'notify', 'log-response', 'alert']) scripts[name] = notes(name);
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(dir, 'scripts', `${name}.sh`), text);
    chmodSync(join(dir, 'scripts', `${name}.sh`), 0o755);
  }
  writeFileSync(join(dir, 'agent.yaml'), configuration);
  return dir;
}

const written = (dir: string, name: string): unknown =>
  JSON.parse(readFileSync(join(dir, `${name}.json`), 'utf8'));

describe('Configuration', () => {
  test('each hook of the example runs at its event and receives it', async () => {
    const dir = workspace();
    const { hooks, call, session } = await harness('agent.yaml', { cwd: dir });
    const common = { session_id: 'abc123', cwd: dir };

    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'ok' });
    await hooks.dispatch(UserInputRequired, { session });
    await hooks.dispatch(Stop, {
      session,
      agent: 'root',
      response: 'Hi',
      lastUserMessage: 'Hello',
      continuations: 0,
    });
    await hooks.dispatch(Notification, { session, level: 'error', message: 'all models failed' });
    await session.close('logout');

    expect(written(dir, 'setup-env')).toEqual({
      ...common,
      hook_event_name: 'session_start',
      source: 'startup',
    });
    expect(written(dir, 'notify')).toEqual({ ...common, hook_event_name: 'on_user_input' });
    expect(written(dir, 'log-response')).toEqual({
      ...common,
      hook_event_name: 'stop',
      agent_name: 'root',
      stop_response: 'Hi',
      last_user_message: 'Hello',
    });
    expect(written(dir, 'alert')).toEqual({
      ...common,
      hook_event_name: 'notification',
      notification_level: 'error',
      notification_message: 'all models failed',
    });
    expect(written(dir, 'cleanup')).toEqual({ ...common, hook_event_name: 'session_end', reason: 'logout' });
  });
});

describe('Validation Script', () => {
  test.each(['sudo reboot', 'rm -rf /tmp/cache', 'rm -f -rf x'])('%s is blocked by policy', async (cmd) => {
    const { call, ran } = await harness('agent.yaml', { cwd: workspace() });
    expect(await call('shell', { cmd })).toMatchObject({
      status: 'blocked',
      reason: 'Dangerous command blocked by policy',
    });
    expect(ran).toEqual([]);
  });

  test('everything else runs, including another tool', async () => {
    const { call, ran } = await harness('agent.yaml', { cwd: workspace() });
    await call('shell', { cmd: 'ls' });
    await call('write_file', { path: 'a', content: 'sudo' });
    expect(ran).toEqual([{ cmd: 'ls' }, { path: 'a', content: 'sudo' }]);
  });

  test.each([
    ['bash', { command: 'sudo reboot' }],
    ['Bash', { command: 'sudo reboot' }],
    ['exec', { command: 'sudo reboot' }],
    ['run_command', { command: 'sudo reboot' }],
    ['exec_command', { cmd: 'sudo reboot' }],
    ['mastra_workspace_execute_command', { command: 'sudo reboot' }],
  ])("it blocks another agent's shell, %s, as well", async (tool, input) => {
    const { call } = await harness('agent.yaml', { cwd: workspace() });
    expect(await call(tool, input)).toMatchObject({ status: 'blocked' });
  });
});

describe('Audit Logging', () => {
  test('every tool call is a line in the log', async () => {
    const dir = workspace();
    const { call } = await harness('agent.yaml', { cwd: dir });
    await call('shell', { cmd: 'ls' });
    await call('read_file', { path: 'a' });
    const lines = readFileSync(join(dir, 'audit.log'), 'utf8').trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \| abc123 \| shell$/),
      expect.stringMatching(/ \| abc123 \| read_file$/),
    ]);
  });
});

describe('Session Lifecycle', () => {
  const text = (dir: string) => `
hooks:
  session_start:
    - type: command
      timeout: 10
      command: |
        INPUT=$(cat)
        SESSION_ID=$(echo "$INPUT" | jq -r '.session_id // "unknown"')
        echo "Session $SESSION_ID started at $(date)" >> ${dir}/agent-session.log
        echo '{"hook_specific_output":{"additional_context":"Session initialized."}}'
  session_end:
    - type: command
      timeout: 10
      command: |
        INPUT=$(cat)
        SESSION_ID=$(echo "$INPUT" | jq -r '.session_id // "unknown"')
        REASON=$(echo "$INPUT" | jq -r '.reason // "unknown"')
        echo "Session $SESSION_ID ended ($REASON) at $(date)" >> ${dir}/agent-session.log
`;

  test.each(['docker-agent', 'hooks'] as const)(
    'start and end are logged, and the context is added, as %s',
    async (dialect) => {
      const dir = temporaryFolder();
      writeFileSync(join(dir, 'hooks.yaml'), text(dir));
      const { call, hooks, session } = await harness('hooks.yaml', { cwd: dir, dialect });
      await call('shell', { cmd: 'ls' });
      expect(takeContext(hooks, session)).toEqual(['Session initialized.']);
      expect(takeContext(hooks, session)).toEqual(['Session initialized.']);
      await session.close('clear');
      expect(readFileSync(join(dir, 'agent-session.log'), 'utf8')).toMatch(
        /^Session abc123 started at .+\nSession abc123 ended \(clear\) at .+\n$/,
      );
    },
  );
});

describe('Response Logging with Stop Hook', () => {
  test('the length of the response is logged, and the agent stops', async () => {
    const { hooks, session, dir } = await harness(
      {
        hooks: {
          stop: [
            {
              type: 'command',
              timeout: 10,
              command: `
                INPUT=$(cat)
                SESSION_ID=$(echo "$INPUT" | jq -r '.session_id // "unknown"')
                RESPONSE_LENGTH=$(echo "$INPUT" | jq -r '.stop_response // ""' | wc -c | tr -d ' ')
                echo "[$(date)] Session $SESSION_ID - Response: $RESPONSE_LENGTH chars" >> agent-responses.log`,
            },
          ],
        },
      },
      { dialect: 'docker-agent' },
    );
    const decision = await hooks.dispatch(Stop, { session, response: 'four', continuations: 0 });
    expect(decision.kind).toBe('proceed');
    expect(readFileSync(join(dir, 'agent-responses.log'), 'utf8')).toMatch(
      /Session abc123 - Response: 5 chars\n$/,
    );
  });
});

describe('Error Notifications', () => {
  test('a notification is logged with its level and message', async () => {
    const { hooks, session, dir } = await harness({
      hooks: {
        notification: [
          {
            type: 'command',
            timeout: 10,
            command: `
              INPUT=$(cat)
              LEVEL=$(echo "$INPUT" | jq -r '.notification_level // "unknown"')
              MESSAGE=$(echo "$INPUT" | jq -r '.notification_message // "no message"')
              echo "[$(date)] [$LEVEL] $MESSAGE" >> agent-notifications.log`,
          },
        ],
      },
    });
    await hooks.dispatch(Notification, { session, level: 'warning', message: 'limit reached' });
    expect(readFileSync(join(dir, 'agent-notifications.log'), 'utf8')).toMatch(
      /\[warning\] limit reached\n$/,
    );
  });

  test('on_error and on_max_iterations handle one condition each', async () => {
    const { hooks, session, dir } = await harness({
      hooks: {
        on_error: [{ type: 'command', command: 'cat > error.json' }],
        on_max_iterations: [{ type: 'command', command: 'cat > limit.json' }],
      },
    });
    await hooks.dispatch(AgentError, { session, error: new Error('boom'), message: 'boom' });
    await hooks.dispatch(MaxIterations, { session, maxIterations: 50, message: 'reached 50' });
    expect(written(dir, 'error')).toMatchObject({
      notification_level: 'error',
      notification_message: 'boom',
    });
    expect(written(dir, 'limit')).toMatchObject({
      notification_level: 'warning',
      notification_message: 'reached 50',
    });
  });
});

describe('Permission-Request: programmatic tool approval', () => {
  const source = {
    hooks: {
      permission_request: [
        {
          matcher: 'shell',
          hooks: [
            {
              type: 'command',
              command: `
                INPUT=$(cat)
                CMD=$(echo "$INPUT" | jq -r '.tool_input.cmd // ""')
                if echo "$CMD" | grep -qE '^(ls|pwd|cat) '; then
                  echo '{"hook_specific_output":{"permission_decision":"allow","permission_decision_reason":"safe read-only command"}}'
                fi`,
            },
          ],
        },
      ],
      pre_tool_use: [
        { matcher: 'shell', hooks: [prints({ hook_specific_output: { permission_decision: 'ask' } })] },
      ],
    },
  };

  test('the hook allows a safe command instead of the person', async () => {
    const { call, ran } = await harness(source);
    expect(await call('shell', { cmd: 'ls -l' })).toMatchObject({ status: 'ok' });
    expect(ran).toEqual([{ cmd: 'ls -l' }]);
  });

  test('ask leaves the decision to the person', async () => {
    const ask = prints({ hook_specific_output: { permission_decision: 'ask' } });
    const { call } = await harness({
      hooks: { pre_tool_use: [ask], permission_request: [ask], session_end: [] },
    });
    const asked: unknown[] = [];
    const approval = () => {
      asked.push('person');
      return { decision: 'allow' } as const;
    };
    expect(await call('shell', {}, () => '', { approval })).toMatchObject({ status: 'ok' });
    expect(asked).toEqual(['person']);
  });

  test('no output leaves the decision to the person', async () => {
    const { call } = await harness(source);
    expect(await call('shell', { cmd: 'make' })).toMatchObject({ status: 'denied', ran: false });
    const asked: string[] = [];
    const approval = ({ toolName }: { toolName: string }) => {
      asked.push(toolName);
      return { decision: 'allow' as const };
    };
    expect(await call('shell', { cmd: 'make' }, () => 'made', { approval })).toMatchObject({ status: 'ok' });
    expect(asked).toEqual(['shell']);
  });
});

describe('Hook Output', () => {
  test('the block wins in the example with every field', async () => {
    const { call, told } = await harness({
      hooks: {
        pre_tool_use: [
          {
            matcher: '*',
            hooks: [
              prints({
                continue: true,
                stop_reason: 'Optional message when continue=false',
                suppress_output: false,
                system_message: 'Warning message to show user',
                decision: 'block',
                reason: 'Explanation for the decision',
                hook_specific_output: {
                  hook_event_name: 'pre_tool_use',
                  permission_decision: 'allow',
                  permission_decision_reason: 'Command is safe',
                  updated_input: { cmd: 'modified command' },
                },
              }),
            ],
          },
        ],
      },
    });
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({
      status: 'blocked',
      reason: 'Explanation for the decision',
    });
    expect(told).toEqual(['Warning message to show user']);
  });

  test('Before-Compaction Specific Output: the summary is used as it is', async () => {
    const { hooks, session } = await harness(
      {
        hooks: {
          before_compaction: [
            prints({
              hook_specific_output: {
                hook_event_name: 'before_compaction',
                summary: 'User asked to refactor pkg/foo. Done in commit abc123.',
              },
            }),
          ],
        },
      },
      { dialect: 'docker-agent' },
    );
    const decision = await hooks.dispatch(BeforeCompaction, {
      session,
      inputTokens: 90,
      outputTokens: 10,
      contextLimit: 0,
      reason: 'threshold',
      source: 'auto',
    });
    expect(decision).toMatchObject({
      kind: 'modify',
      patch: { summary: 'User asked to refactor pkg/foo. Done in commit abc123.' },
    });
  });
});

describe('Per-hook options', () => {
  test('Hooks have a default timeout of 60 seconds', async () => {
    const { loaded } = await harness({ hooks: { turn_start: [prints('')], pre_tool_use: [] } });
    expect(loaded.entries.map(({ handler }) => handler.timeoutMs)).toEqual([60_000]);
  });

  test('turn_end and session_end hooks run to completion if the run is canceled', async () => {
    const touch = (name: string) => [{ type: 'command', command: `touch ${name}` }];
    const { hooks, session, dir } = await harness({
      hooks: { turn_end: touch('turn'), session_end: touch('session'), pre_tool_use: [] },
    });
    const signal = AbortSignal.abort();
    await hooks.dispatch(TurnEnd, { session, iteration: 1, reason: 'canceled' }, { signal });
    await hooks.dispatch(SessionEnd, { session, reason: 'other' }, { signal });
    expect(['turn', 'session'].map((name) => existsSync(join(dir, name)))).toEqual([true, true]);
  });

  test('name, timeout, working_dir, env and on_error work as documented', async () => {
    const dir = workspace();
    mkdirSync(join(dir, 'hooks'));
    writeFileSync(join(dir, 'hooks', 'summarize.sh'), '#!/bin/sh\necho "$PROFILE in $(basename "$PWD")"\n', {
      mode: 0o755,
    });
    const { call, session, loaded, told, hooks } = await harness(
      {
        hooks: {
          post_tool_use: [
            {
              matcher: 'shell',
              hooks: [
                {
                  name: 'summarize shell output',
                  type: 'command',
                  command: './summarize.sh',
                  timeout: 120,
                  working_dir: './hooks',
                  env: { PROFILE: 'dev' },
                  on_error: 'warn',
                },
                { name: 'broken', type: 'command', command: 'exit 1', on_error: 'warn' },
                { name: 'quiet', type: 'command', command: 'exit 1', on_error: 'ignore' },
              ],
            },
          ],
        },
      },
      { cwd: dir },
    );
    expect(loaded.entries[0]).toMatchObject({
      label: 'summarize shell output',
      handler: { timeoutMs: 120_000 },
    });
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'ok', context: ['dev in hooks'] });
    expect(takeContext(hooks, session)).toEqual(['dev in hooks']);
    expect(told).toEqual(['hook "broken" failed: it ended with exit code 1']);
  });

  test('on_error: block blocks', async () => {
    const { call } = await harness({
      hooks: {
        post_tool_use: [{ matcher: '*', hooks: [{ type: 'command', command: 'exit 1', on_error: 'block' }] }],
      },
    });
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked', ran: true });
  });

  test('a failed pre-tool hook blocks the call regardless of on_error', async () => {
    const { call, ran } = await harness({
      hooks: {
        pre_tool_use: [{ matcher: '*', hooks: [{ type: 'command', command: 'exit 1', on_error: 'ignore' }] }],
      },
    });
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked' });
    expect(ran).toEqual([]);
  });
});

describe('Built-in Hooks', () => {
  /** A builtin named `broken`, whose hooks all run this function. */
  const broken = (handler: () => never | Promise<never>) => ({
    builtins: {
      broken: () => ({
        name: 'broken',
        register: (hooks: HookRegistrar) => void hooks.on(BeforeToolCall, handler, { id: 'broken' }),
      }),
    },
  });
  const fails = (): never => {
    throw new Error('boom');
  };

  test.each(['warn', 'ignore', 'block'])(
    'a builtin that fails before a tool call blocks it, even with on_error: %s',
    async (on_error) => {
      const hook = { type: 'builtin', command: 'broken', on_error };
      const { call } = await harness({ hooks: { pre_tool_use: [hook] } }, broken(fails));
      expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
    },
  );

  test('on_error sets the effect of a failed builtin on other events, if the event permits it', async () => {
    const hook = (on_error: string) => ({ type: 'builtin', command: 'broken', on_error });
    const builtins = {
      broken: () => ({
        name: 'broken',
        register: (hooks: HookRegistrar) => {
          hooks.on(UserPromptSubmit, fails, { id: 'prompt' });
          hooks.on(TurnStart, fails, { id: 'turn' });
        },
      }),
    };
    const ask = async (on_error: string) => {
      const { hooks, session } = await harness(
        { hooks: { user_prompt_submit: [hook(on_error)], turn_start: [hook(on_error)] } },
        { builtins, dialect: 'docker-agent' },
      );
      return [
        await hooks.dispatch(UserPromptSubmit, { session, prompt: 'hi' }),
        await hooks.dispatch(TurnStart, { session, iteration: 1 }),
      ].map(({ kind }) => kind);
    };
    expect(await ask('block')).toEqual(['block', 'proceed']);
    expect(await ask('ignore')).toEqual(['proceed', 'proceed']);
  });

  test('a builtin gets its timeout from the file', async () => {
    const hook = { type: 'builtin', command: 'broken', timeout: 0.1 };
    const { call } = await harness(
      { hooks: { pre_tool_use: [hook] } },
      broken(() => new Promise(() => {})),
    );
    expect(await call('shell', {})).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('100 ms'),
    });
  });

  /** Fakes that record their arguments. */
  const builtins: Record<string, Builtin> = Object.fromEntries(
    [
      'add_date',
      'add_prompt_files',
      'add_environment_info',
      'max_iterations',
      'redact_secrets',
      'snapshot',
      'unload',
    ].map((name) => [
      name,
      (args) => ({
        name,
        register(hooks) {
          hooks.on(TurnStart, () => modify({ context: [`${name} ${JSON.stringify(args)}`] }), { id: 'turn' });
          hooks.on(SessionStart, () => modify({ context: [`${name} ${JSON.stringify(args)}`] }), {
            id: 'session',
          });
          hooks.guard(BeforeToolCall, () => proceed(), { id: 'call' });
          hooks.on(BeforeModelCall, () => proceed());
          hooks.on(TransformToolResult, () => proceed());
          hooks.on(TurnEnd, () => proceed());
          hooks.on(SessionEnd, () => proceed());
          hooks.on(AgentSwitch, () => proceed());
        },
      }),
    ]),
  );

  test('each builtin runs at its events in the file, with its arguments', async () => {
    const dir = temporaryFolder();
    writeFileSync(
      join(dir, 'hooks.yaml'),
      `
hooks:
  turn_start:
    - type: builtin
      command: add_date
    - type: builtin
      command: add_prompt_files
      args:
        - GUIDELINES.md
        - PROJECT.md
  session_start:
    - type: builtin
      command: add_environment_info
  before_llm_call:
    - type: builtin
      command: max_iterations
      args: ["50"]
`,
    );
    const { hooks, session } = await harness('hooks.yaml', { builtins, cwd: dir });
    await hooks.dispatch(TurnStart, { session, iteration: 1 });
    expect(takeContext(hooks, session)).toEqual([
      'add_environment_info []',
      'add_date []',
      'add_prompt_files ["GUIDELINES.md","PROJECT.md"]',
    ]);
    expect(hooks.list().filter(({ event }) => event === 'before_tool_call')).toEqual([]);
  });

  test('the flags of an agent enable builtins', async () => {
    const { loaded } = await harness(
      {
        agents: {
          root: {
            add_date: true,
            add_environment_info: true,
            add_prompt_files: ['A.md'],
            redact_secrets: true,
          },
          other: { add_date: false },
        },
      },
      { builtins },
    );
    expect(loaded.entries.map(({ wireEvent, label }) => `${wireEvent} ${label}`)).toEqual([
      'turn_start add_date',
      'session_start add_environment_info',
      'turn_start add_prompt_files',
      'pre_tool_use redact_secrets',
      'before_llm_call redact_secrets',
      'tool_response_transform redact_secrets',
    ]);
  });

  test('the minimal snapshot example and unload on switch are valid', async () => {
    const snapshot = { type: 'builtin', command: 'snapshot' };
    const { loaded } = await harness(
      {
        agents: {
          root: { hooks: { turn_start: [snapshot], turn_end: [snapshot], session_end: [snapshot] } },
          coder: {
            model: 'qwen3-large',
            handoffs: ['reviewer'],
            hooks: { on_agent_switch: [{ type: 'builtin', command: 'unload' }] },
          },
          reviewer: {
            model: 'qwen3-coder',
            handoffs: ['coder'],
            hooks: { on_agent_switch: [{ type: 'builtin', command: 'unload' }] },
          },
        },
        models: {
          'qwen3-large': { provider: 'dmr', model: 'ai/qwen3-large' },
          'qwen3-coder': { provider: 'dmr', model: 'ai/qwen3-coder' },
        },
      },
      { builtins },
    );
    expect(loaded.entries.map(({ event }) => event)).toEqual([
      'turn_start',
      'turn_end',
      'session_end',
      'agent_switch',
      'agent_switch',
    ]);
  });
});

describe('Matcher Patterns', () => {
  test.each([
    ['*', ['shell', 'edit_file', 'mcp:github:search', 'shell_run']],
    ['shell', ['shell']],
    ['shell|edit_file', ['shell', 'edit_file']],
    ['mcp:.*', ['mcp:github:search']],
  ])('%s', async (matcher, expected) => {
    const { call } = await harness({
      hooks: { pre_tool_use: [{ matcher, hooks: [prints('no', 2)] }] },
    });
    const blocked: string[] = [];
    for (const tool of ['shell', 'edit_file', 'mcp:github:search', 'shell_run']) {
      if ((await call(tool, {})).status === 'blocked') blocked.push(tool);
    }
    expect(blocked).toEqual(expected);
  });

  test("another agent's name for an MCP tool is translated", async () => {
    const { call } = await harness({
      hooks: { pre_tool_use: [{ matcher: 'mcp:.*', hooks: [prints('no', 2)] }] },
    });
    expect(await call('mcp__github__search', {})).toMatchObject({ status: 'blocked' });
  });
});

test('tool_response_transform: every later consumer reads the rewrite', async () => {
  const { call, hooks } = await harness({
    hooks: {
      tool_response_transform: [
        { matcher: '*', hooks: [prints({ hook_specific_output: { updated_tool_response: 'scrubbed' } })] },
      ],
    },
  });
  const seen: unknown[] = [];
  hooks.observe(AfterToolCall, ({ output }) => {
    seen.push(output);
  });
  expect(await call('shell', {}, () => 'secret')).toMatchObject({ status: 'ok', output: 'scrubbed' });
  expect(seen).toEqual(['scrubbed']);
});
