import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type ModelServer, startModelServer, toolResults } from '@hooks/conformance';
import { sampled } from '@hooks/testing/random';
import { describe, expect, onTestFinished, test } from 'vitest';
import { harness, prints } from '../harness.ts';
import { FRAMEWORKS, fires } from './frameworks.ts';

/** The examples of docker-agent, ai4j and Claude Code work as documented in real agents with a scripted model. */

// In one of the frameworks; in each with `HOOKS_RANDOM=1`.
const frameworks = Object.entries(FRAMEWORKS);
describe.each(sampled(frameworks, frameworks.length, 0))('%s', (name, framework) => {
  /** Runs an agent with a scripted model and the hooks of a file. */
  async function run(
    source: object,
    script: readonly Answer[],
    prompt = 'Go on.',
    output = 'done',
    env: Readonly<Record<string, string>> = {},
  ) {
    const server = await startModelServer({ script });
    onTestFinished(server.close);
    const made = await harness(source, { env: { ...process.env, ...env } });
    const ran: string[] = [];
    const shell = (command: string): string => {
      ran.push(command);
      return output;
    };
    const result = await framework(made.hooks, { modelUrl: server.url, shell, prompt });
    return { ...made, server, ran, result };
  }

  const calls = (command: string): Answer[] => [
    { toolCalls: [{ id: 'c1', name: 'bash', arguments: { command } }] },
    { text: 'All done.' },
  ];
  const pre = (command: string) => ({
    hooks: { pre_tool_use: [{ matcher: 'shell', hooks: [{ type: 'command', command }] }] },
  });

  describe('docker-agent', () => {
    const validate = `
      INPUT=$(cat)
      CMD=$(echo "$INPUT" | jq -r '.tool_input.cmd // empty')
      if echo "$CMD" | grep -qE '^sudo|rm.*-rf'; then
        echo '{"decision": "block", "reason": "Dangerous command blocked by policy"}'
        exit 2
      fi
      echo '{}'`;

    test('Validation Script: a dangerous command does not run, and the model reads the reason', async () => {
      const { ran, server } = await run(pre(validate), calls('rm -rf /tmp/cache'));
      expect(ran).toEqual([]);
      expect(readBy(server)['c1']).toContain('Dangerous command blocked by policy');
    });

    test('Validation Script: everything else runs', async () => {
      const { ran, server } = await run(pre(validate), calls('ls'));
      expect(ran).toEqual(['ls']);
      expect(readBy(server)['c1']).toContain('done');
    });

    test('updated_input replaces the input', async () => {
      const rewrite = `echo '{"hook_specific_output":{"updated_input":{"cmd":"ls --color=never"}}}'`;
      expect((await run(pre(rewrite), calls('ls'))).ran).toEqual(['ls --color=never']);
    });

    test('Audit Logging: each call is one line', async () => {
      const log = `jq -r '"\\(.session_id) | \\(.tool_name) | \\(.tool_response)"' >> audit.log`;
      const { dir } = await run(
        { hooks: { post_tool_use: [{ matcher: '*', hooks: [{ type: 'command', command: log }] }] } },
        calls('ls'),
      );
      expect(readFileSync(join(dir, 'audit.log'), 'utf8')).toMatch(/^.+ \| shell \| done\n$/);
    });

    test('Session Lifecycle: context is in every model call, and the hook at the end runs', async () => {
      const { server, hooks, dir } = await run(
        {
          hooks: {
            session_start: [prints({ hook_specific_output: { additional_context: 'Session initialized.' } })],
            session_end: [{ type: 'command', command: `jq -r .reason >> end.log` }],
            pre_tool_use: [],
          },
        },
        calls('ls'),
      );
      await hooks.close();
      expect(server.requests).toHaveLength(2);
      for (const request of server.requests)
        expect(JSON.stringify(request.messages)).toContain('Session initialized.');
      expect(readFileSync(join(dir, 'end.log'), 'utf8')).toMatch(/^\w+\n$/);
    });

    test('User-Prompt-Submit: a blocked prompt reaches no model', async () => {
      const { server } = await run(
        { hooks: { user_prompt_submit: [prints('not here', 2)], pre_tool_use: [] } },
        calls('ls'),
      );
      expect(server.requests).toEqual([]);
    });

    test('User-Prompt-Submit: plain text is context', async () => {
      const { server } = await run(
        { hooks: { user_prompt_submit: [prints('The branch is main.')], pre_tool_use: [] } },
        calls('ls'),
      );
      expect(JSON.stringify(server.requests[0]?.messages)).toContain('The branch is main.');
    });

    test('Turn-Start: context is recomputed for each model call', async () => {
      const { server } = await run(
        {
          hooks: {
            turn_start: [{ type: 'command', command: 'echo x >> n; echo "turn $(wc -l < n | tr -d " ")"' }],
            pre_tool_use: [],
          },
        },
        calls('ls'),
      );
      const told = server.requests.map((request) => JSON.stringify(request.messages).match(/turn \d/g));
      expect(told).toEqual([['turn 1'], ['turn 2']]);
    });

    test('Tool-Response-Transform: the model reads the rewritten output', async () => {
      const { server } = await run(
        {
          hooks: {
            tool_response_transform: [
              {
                matcher: '*',
                hooks: [prints({ hook_specific_output: { updated_tool_response: 'scrubbed' } })],
              },
            ],
          },
        },
        calls('ls'),
        'Go on.',
        'a secret',
      );
      expect(readBy(server)['c1']).toContain('scrubbed');
      expect(JSON.stringify(server.requests)).not.toContain('a secret');
    });

    test('before_llm_call: a block stops the run before the model is called', async () => {
      const { server } = await run({ hooks: { before_llm_call: [prints('over budget', 2)] } }, calls('ls'));
      expect(server.requests).toEqual([]);
    });

    test.runIf(fires(name, 'stop'))('Stop: the hook receives the response', async () => {
      const { dir } = await run(
        { hooks: { stop: [{ type: 'command', command: 'jq -r .stop_response > last' }], pre_tool_use: [] } },
        calls('ls'),
      );
      expect(readFileSync(join(dir, 'last'), 'utf8')).toBe('All done.\n');
    });

    test.runIf(fires(name, 'stop'))(
      'Stop: what the hook prints is read in the next run of the thread',
      async () => {
        const server = await startModelServer({ script: [{ text: 'One.' }, { text: 'Two.' }] });
        onTestFinished(server.close);
        const { hooks } = await harness({ hooks: { stop: [prints('Mind the gap.')], pre_tool_use: [] } });
        const setup = { modelUrl: server.url, shell: () => 'done', thread: 'chat-1' };
        await framework(hooks, { ...setup, prompt: 'First.' });
        await framework(hooks, { ...setup, prompt: 'Second.' });
        const [first, second] = server.requests.map(({ messages }) => JSON.stringify(messages));
        expect(first).not.toContain('Mind the gap.');
        expect(second).toContain('Mind the gap.');
      },
    );

    test('Permission-Request: the hook allows a safe command instead of the person and denies another', async () => {
      const allow = `
        CMD=$(jq -r '.tool_input.cmd // ""')
        if echo "$CMD" | grep -qE '^(ls|pwd|cat) '; then
          echo '{"hook_specific_output":{"permission_decision":"allow","permission_decision_reason":"safe read-only command"}}'
        fi`;
      const file = {
        hooks: {
          permission_request: [{ matcher: 'shell', hooks: [{ type: 'command', command: allow }] }],
          pre_tool_use: [prints({ hook_specific_output: { permission_decision: 'ask' } })],
        },
      };
      expect((await run(file, calls('ls -l'))).ran).toEqual(['ls -l']);
      expect((await run(file, calls('make'))).ran).toEqual([]);
    });

    test.each([
      ['allow', ['ls']],
      ['deny', []],
    ])('LLM as a Judge: %s', async (decision, expected) => {
      const judge = await startModelServer({
        script: [{ text: JSON.stringify({ decision, reason: 'judged' }) }],
      });
      onTestFinished(judge.close);
      const hook = {
        type: 'model',
        model: 'openai/gpt-4o-mini',
        schema: 'pre_tool_use_decision',
        prompt: 'Tool: {{ .ToolName }} Args: {{ .ToolInput | toJSON | truncate 2000 }}',
      };
      const file = { hooks: { pre_tool_use: [{ matcher: 'shell|edit_file|mcp:.*', hooks: [hook] }] } };
      const env = { OPENAI_BASE_URL: judge.url, OPENAI_API_KEY: 'none' };
      const { ran, server } = await run(file, calls('ls'), 'Go on.', 'done', env);
      expect(ran).toEqual(expected);
      expect(JSON.stringify(judge.requests[0]?.messages)).toContain('ls');
      if (decision === 'deny') expect(readBy(server)['c1']).toContain('judged');
    });

    test('Error Notifications: a failed model call fires notification and on_error', async () => {
      const log = 'jq -r .notification_level >> told';
      const { dir } = await run(
        {
          hooks: {
            notification: [{ type: 'command', command: log }],
            on_error: [{ type: 'command', command: log, name: 'x' }],
          },
        },
        [{ status: 400, error: 'no such model' }],
      );
      expect(readFileSync(join(dir, 'told'), 'utf8')).toBe('error\nerror\n');
    });

    test('Built-in Hooks: add_date is in every model call, max_iterations ends the run, redact_secrets scrubs', async () => {
      const max = { type: 'builtin', command: 'max_iterations', args: ['1'] };
      const flags = { add_date: true, redact_secrets: true };
      const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
      const whole = await run({ agents: { root: flags } }, calls('env'), 'Go on.', `TOKEN=${secret}`);
      const told = whole.server.requests.map(({ messages }) => JSON.stringify(messages));
      expect(told).toEqual([
        expect.stringContaining("Today's date"),
        expect.stringContaining("Today's date"),
      ]);
      expect(told.join()).not.toContain(secret);
      const file = { agents: { root: { hooks: { before_llm_call: [max] } } } };
      expect((await run(file, calls('ls'))).server.requests).toHaveLength(1);
    });

    test('a hook that hangs blocks its call, and the run continues', async () => {
      const hangs = { type: 'command', command: 'sleep 100', timeout: 0.3, name: 'slow' };
      const { ran, server } = await run(
        { hooks: { pre_tool_use: [{ matcher: '*', hooks: [hangs] }] } },
        calls('ls'),
      );
      expect(ran).toEqual([]);
      expect(server.requests).toHaveLength(2);
      expect(readBy(server)['c1']).toContain('hook "slow" failed');
    });
  });

  describe('ai4j', () => {
    const guard = `
      CMD=$(jq -r '.arguments | fromjson | .command')
      case "$CMD" in
        *"rm -rf"*) echo 'refusing rm -rf; the model will see this and retry safely' >&2; exit 2;;
        ls*) echo '{"decision": "modify", "name": "bash", "arguments": "{\\"command\\": \\"ls -l\\"}"}';;
      esac`;
    const file = { hooks: { preToolUse: [{ command: guard, match: 'bash' }] } };

    test('block dangerous commands: the model reads the reason', async () => {
      const { ran, server } = await run(file, calls('rm -rf build'));
      expect(ran).toEqual([]);
      expect(readBy(server)['c1']).toContain('refusing rm -rf; the model will see this and retry safely');
    });

    test('modify(newCall)', async () => {
      expect((await run(file, calls('ls'))).ran).toEqual(['ls -l']);
    });

    test('postToolUse: the model receives the reason instead of the output', async () => {
      const scan = `grep -q 'sk-' && { echo 'output redacted: secret detected' >&2; exit 2; }; exit 0`;
      const { ran, server } = await run(
        { hooks: { postToolUse: [{ command: scan }] } },
        calls('env'),
        'Go on.',
        'KEY=sk-1',
      );
      expect(ran).toEqual(['env']);
      expect(readBy(server)['c1']).toContain('output redacted: secret detected');
      expect(JSON.stringify(server.requests)).not.toContain('sk-1');
    });

    test('userPromptSubmit: modify and block', async () => {
      const pii = `INPUT=$(jq -r .input); case "$INPUT" in *@*) echo '{"decision":"modify","input":"mail [EMAIL]"}';; *evil*) exit 2;; esac`;
      const prompts = { hooks: { userPromptSubmit: [{ command: pii }] } };
      const modified = await run(prompts, calls('ls'), 'mail a@b.c');
      expect(JSON.stringify(modified.server.requests[0]?.messages)).toContain('mail [EMAIL]');
      expect(JSON.stringify(modified.server.requests)).not.toContain('a@b.c');
      expect((await run(prompts, calls('ls'), 'be evil')).server.requests).toEqual([]);
    });
  });

  test('Claude Code: a hook on Bash guards it', async () => {
    const deny = prints({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'not today',
      },
    });
    const { ran, server } = await run(
      { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [deny] }] } },
      calls('ls'),
    );
    expect(ran).toEqual([]);
    expect(readBy(server)['c1']).toContain('not today');
  });
});

/** The tool results in the model's last request. */
function readBy(server: ModelServer): Readonly<Record<string, string>> {
  const request = server.requests.at(-1);
  return request ? toolResults(request) : {};
}
