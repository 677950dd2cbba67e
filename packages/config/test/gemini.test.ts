import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BeforeModelCall, SessionStart, Stop, UserPromptSubmit } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';
import { formatIssue, readHookFile } from '../src/index.ts';
import { harness, prints } from './harness.ts';

const group = (hook: object, matcher?: string): object => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [hook],
});
const settings = (hooks: object, more: object = {}): object => ({ ...more, hooks });

describe('a settings.json of Gemini CLI', () => {
  test('BeforeTool refuses a call with exit code 2, and is not read as Claude Code’s', async () => {
    const { call, loaded } = await harness(
      settings({
        BeforeTool: [
          group({ type: 'command', command: 'echo "not here" >&2; exit 2' }, 'run_shell_command|write_file'),
        ],
      }),
    );

    expect(loaded.dialect).toBe('gemini');
    expect(await call('bash', { command: 'ls' })).toMatchObject({ status: 'blocked', reason: 'not here' });
    expect(await call('read_file', { path: 'a' })).toMatchObject({ status: 'ok' });
  });

  test('a hook receives Gemini CLI’s names and fields', async () => {
    const { call, dir } = await harness(
      settings({ BeforeTool: [group({ type: 'command', command: 'cat > told' })] }),
    );

    await call('edit_file', { path: 'a', oldText: 'b', newText: 'c' });

    expect(JSON.parse(readFileSync(join(dir, 'told'), 'utf8'))).toMatchObject({
      hook_event_name: 'BeforeTool',
      tool_name: 'replace',
      tool_input: { file_path: 'a', old_string: 'b', new_string: 'c' },
      timestamp: expect.any(String),
    });
  });

  test.each(['deny', 'block'])('decision: %s refuses with its reason', async (decision) => {
    const { call } = await harness(settings({ BeforeTool: [group(prints({ decision, reason: 'no' }))] }));
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked', reason: 'no' });
  });

  test('an answer on stderr counts if stdout is empty', async () => {
    const hook = { type: 'command', command: `echo '{"decision":"deny","reason":"no"}' >&2` };
    const { call } = await harness(settings({ BeforeTool: [group(hook)] }));
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked', reason: 'no' });
  });

  test('tool_input is merged over the arguments', async () => {
    const { call, ran } = await harness(
      settings({
        BeforeTool: [group(prints({ hookSpecificOutput: { tool_input: { command: 'npm ci' } } }))],
      }),
    );
    await call('shell', { cmd: 'npm install', cwd: 'sub' });
    expect(ran).toEqual([{ cmd: 'npm ci', cwd: 'sub' }]);
  });

  test('sequential hooks see the arguments that earlier ones changed', async () => {
    const { call, ran } = await harness(
      settings({
        BeforeTool: [
          {
            sequential: true,
            hooks: [
              prints({ hookSpecificOutput: { tool_input: { command: 'first' } } }),
              {
                type: 'command',
                command: `grep -q '"command":"first"' && echo '{"hookSpecificOutput":{"tool_input":{"command":"second"}}}'`,
              },
            ],
          },
        ],
      }),
    );
    await call('run_shell_command', { command: 'x' });
    expect(ran).toEqual([{ command: 'second' }]);
  });

  test('AfterTool replaces the result by its reason', async () => {
    const { call } = await harness(
      settings({ AfterTool: [group(prints({ decision: 'deny', reason: 'redacted' }))] }),
    );
    expect(await call('read_file', { path: 'a' })).toMatchObject({ status: 'blocked', reason: 'redacted' });
  });

  test('AfterTool receives the result as llmContent', async () => {
    const { call, dir } = await harness(
      settings({ AfterTool: [group({ type: 'command', command: 'cat > told' })] }),
    );
    await call('read_file', { path: 'a' }, () => 'text');
    expect(JSON.parse(readFileSync(join(dir, 'told'), 'utf8'))).toMatchObject({
      tool_response: { llmContent: 'text', returnDisplay: 'text' },
    });
  });

  test('BeforeAgent refuses a prompt, and AfterAgent sends the model back to work', async () => {
    const { hooks, session } = await harness(
      settings({
        BeforeAgent: [group(prints({ decision: 'deny', reason: 'no secrets' }))],
        AfterAgent: [group(prints({ decision: 'deny', reason: 'run the tests' }))],
      }),
    );
    expect(await hooks.dispatch(UserPromptSubmit, { session, prompt: 'x', metadata: {} })).toMatchObject({
      kind: 'block',
      reason: 'no secrets',
    });
    const stop = { session, response: 'done', continuations: 0, last: false };
    expect(await hooks.dispatch(Stop, stop)).toMatchObject({ kind: 'retry', reason: 'run the tests' });
  });

  test('BeforeModel refuses a model call, and fails where it would change the request', async () => {
    const at = async (answer: object) => {
      const { hooks, session } = await harness(settings({ BeforeModel: [group(prints(answer))] }));
      const request = { session, iteration: 1, messages: [], tools: [], settings: {} };
      return await hooks.dispatch(BeforeModelCall, request);
    };
    expect(await at({ decision: 'deny', reason: 'budget' })).toMatchObject({
      kind: 'block',
      reason: 'budget',
    });
    expect(await at({ hookSpecificOutput: { llm_request: { model: 'other' } } })).toMatchObject({
      kind: 'block',
      reason: expect.stringContaining('only Gemini CLI carries it out'),
    });
  });

  test('a matcher of a session is an exact name', async () => {
    const context = prints({ hookSpecificOutput: { additionalContext: 'hello' } });
    for (const [matcher, told] of [
      ['startup', ['hello']],
      ['start', []],
    ] as const) {
      const { hooks, session } = await harness(settings({ SessionStart: [group(context, matcher)] }));
      await hooks.dispatch(SessionStart, { session, source: 'startup' });
      expect(takeContext(hooks, session)).toEqual(told);
    }
  });

  test('a timeout is in milliseconds', () => {
    const file = readHookFile(
      JSON.stringify(settings({ BeforeTool: [group({ type: 'command', command: 'x', timeout: 5000 })] })),
      'settings.json',
    );
    expect(file.entries[0]?.handler.timeoutMs).toBe(5000);
  });

  test('hooksConfig switches hooks off, and a notice says so', () => {
    const hook = { type: 'command', command: 'x', name: 'audit' };
    const read = (hooksConfig: object) =>
      readHookFile(JSON.stringify(settings({ BeforeTool: [group(hook)] }, { hooksConfig })), 'settings.json');
    for (const hooksConfig of [{ enabled: false }, { disabled: ['audit'] }]) {
      expect(read(hooksConfig)).toMatchObject({
        entries: [],
        issues: [],
        notices: [{ message: expect.any(String) }],
      });
    }
  });

  test('BeforeToolSelection, which never fires here, makes the file invalid', () => {
    const file = readHookFile(
      JSON.stringify(settings({ BeforeToolSelection: [group(prints({}))] })),
      'settings.json',
    );
    expect(file.issues.map(formatIssue)).toEqual([
      expect.stringContaining('no agent reports BeforeToolSelection, so this gate would never close'),
    ]);
  });
});
