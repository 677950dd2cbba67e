import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PermissionRequest, Stop, TurnStart, UserPromptSubmit } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { readHookFile } from '../src/index.ts';
import { harness, prints } from './harness.ts';

describe('a hooks.json of Cursor', () => {
  const cursor = (hooks: object): object => ({ version: 1, hooks });

  test('a hook on shell commands receives the command and refuses it with the message for the agent', async () => {
    const { call, told, loaded } = await harness(
      cursor({
        beforeShellExecution: [
          prints({
            permission: 'deny',
            user_message: 'Told to the user',
            agent_message: 'Told to the agent',
          }),
        ],
      }),
    );

    expect(loaded.dialect).toBe('cursor');
    expect(await call('run_shell_command', { command: 'ls' })).toMatchObject({
      status: 'blocked',
      reason: 'Told to the agent',
    });
    expect(told).toEqual(['Told to the user']);
    expect(await call('read_file', { path: 'a' })).toMatchObject({ status: 'ok' });
  });

  test('a matcher on shell commands is compared with the command', async () => {
    const { call } = await harness(
      cursor({ beforeShellExecution: [{ command: 'exit 2', matcher: 'curl|wget' }] }),
    );

    expect(await call('Bash', { command: 'cd /tmp && curl example.com' })).toMatchObject({
      status: 'blocked',
    });
    expect(await call('Bash', { command: 'ls' })).toMatchObject({ status: 'ok' });
  });

  test('a matcher on tools matches anywhere in Cursor’s name of the tool', async () => {
    const { call } = await harness(
      cursor({ preToolUse: [{ command: 'exit 2', matcher: 'Shell|MCP:delete' }] }),
    );

    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked' });
    expect(await call('mcp__github__delete_repo', {})).toMatchObject({ status: 'blocked' });
    expect(await call('mcp__github__get_repo', {})).toMatchObject({ status: 'ok' });
  });

  test('a hook on MCP calls receives the tool, with its arguments as text', async () => {
    const { call, dir } = await harness(cursor({ beforeMCPExecution: [{ command: 'cat > told' }] }));

    await call('mcp__github__get_repo', { name: 'x' });

    expect(JSON.parse(readFileSync(join(dir, 'told'), 'utf8'))).toMatchObject({
      hook_event_name: 'beforeMCPExecution',
      tool_name: 'get_repo',
      tool_input: '{"name":"x"}',
    });
  });

  test('a hook before a read receives the file’s content and keeps it from the model', async () => {
    const { call, dir, ran } = await harness(
      cursor({ beforeReadFile: [{ command: `grep -q SECRET && printf '{"permission":"deny"}'; exit 0` }] }),
    );
    writeFileSync(join(dir, 'keys'), 'SECRET=1');
    writeFileSync(join(dir, 'notes'), 'none');

    expect(await call('read_file', { path: 'keys' })).toMatchObject({ status: 'blocked' });
    expect(ran).toEqual([]);
    expect(await call('read_file', { path: 'notes' })).toMatchObject({ status: 'ok' });
  });

  test('preToolUse rewrites the input in the fields of the tool that runs', async () => {
    const { call, ran } = await harness(
      cursor({ preToolUse: [prints({ permission: 'allow', updated_input: { command: 'npm ci' } })] }),
    );

    await call('shell', { cmd: 'npm install' });

    expect(ran).toEqual([{ cmd: 'npm ci' }]);
  });

  test('continue: false refuses a prompt', async () => {
    const { hooks, session } = await harness(
      cursor({ beforeSubmitPrompt: [prints({ continue: false, user_message: 'No secrets' })] }),
    );

    expect(await hooks.dispatch(UserPromptSubmit, { session, prompt: 'x', metadata: {} })).toMatchObject({
      kind: 'block',
      reason: 'No secrets',
    });
  });

  test('a follow-up keeps the agent working', async () => {
    const { hooks, session } = await harness(
      cursor({ stop: [prints({ followup_message: 'Run the tests' })] }),
    );

    const stop = { session, response: 'done', continuations: 0, last: false };
    expect(await hooks.dispatch(Stop, stop)).toMatchObject({ kind: 'retry', reason: 'Run the tests' });
  });

  test('a failed hook closes the gate unless the file or the caller says otherwise', async () => {
    const fails = { command: 'exit 1' };
    const call = async (hook: object, options: object = {}) =>
      (await (await harness(cursor({ preToolUse: [hook] }), options)).call('shell', {})).status;

    expect(await call(fails)).toBe('blocked');
    expect(await call({ ...fails, failClosed: false })).toBe('ok');
    expect(await call(fails, { failures: 'as-original' })).toBe('ok');
    expect(await call({ ...fails, failClosed: true }, { failures: 'as-original' })).toBe('blocked');
  });

  test('an answer in Copilot’s format is a failed hook and is not ignored', async () => {
    const { call } = await harness(cursor({ preToolUse: [prints({ permissionDecision: 'deny' })] }));

    expect((await call('shell', {})).reason).toContain('permissionDecision: it would be ignored here');
  });

  test('a directory is read if the caller names the dialect', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.cursor'));
    writeFileSync(
      join(cwd, '.cursor', 'hooks.json'),
      JSON.stringify(cursor({ preToolUse: [{ command: 'exit 2' }] })),
    );

    const { call } = await harness('.', { cwd, dialect: 'cursor' });

    expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
  });

  test('an unknown event is refused, and an event that never fires gives a notice', () => {
    const { issues, notices, dialect } = readHookFile(
      JSON.stringify(cursor({ beforeShellExec: [], afterAgentThought: [{ command: 'x' }] })),
      'hooks.json',
    );

    expect(dialect.name).toBe('cursor');
    expect(issues).toMatchObject([
      { path: 'hooks.beforeShellExec', message: 'unknown event; did you mean "beforeShellExecution"?' },
    ]);
    expect(notices).toMatchObject([{ path: 'hooks.afterAgentThought' }]);
  });
});

describe('a hook file of Copilot', () => {
  const copilot = (hooks: object): object => ({ version: 1, hooks });
  const says = (output: unknown): object => ({ type: 'command', bash: prints(output).command });

  test('a hook receives Copilot’s tool name and denies the call', async () => {
    const { call, dir, loaded } = await harness(
      copilot({
        preToolUse: [
          {
            type: 'command',
            bash: `cat > told; printf '{"permissionDecision":"deny","permissionDecisionReason":"not here"}'`,
            timeoutSec: 5,
          },
        ],
      }),
    );

    expect(loaded.dialect).toBe('copilot');
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked', reason: 'not here' });
    expect(JSON.parse(readFileSync(join(dir, 'told'), 'utf8'))).toMatchObject({
      sessionId: 'abc123',
      toolName: 'bash',
      toolArgs: { command: 'ls' },
    });
  });

  test('progress lines are not part of the answer', async () => {
    const { call } = await harness(
      copilot({
        preToolUse: [
          {
            bash: `cat >/dev/null; echo '{"type":"progress","message":"Checking"}'; echo '{"permissionDecision":"deny"}'`,
          },
        ],
      }),
    );

    expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
  });

  test('a program runs with its arguments, in its directory and environment', async () => {
    const { call, dir } = await harness(
      copilot({
        preToolUse: [
          {
            exec: 'bash',
            args: ['-c', 'printf "%s %s" "$WORD" "$1" > told', '-', '$(id)'],
            cwd: 'in',
            env: { WORD: 'a' },
          },
        ],
      }),
    );
    mkdirSync(join(dir, 'in'));

    await call('shell', {});

    expect(readFileSync(join(dir, 'in', 'told'), 'utf8')).toBe('a $(id)');
  });

  test('a matcher must match the whole name', async () => {
    const { call } = await harness(copilot({ preToolUse: [{ bash: 'exit 2', matcher: 'ba.*' }] }));

    expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
    expect(await call('my_bash', {})).toMatchObject({ status: 'ok' });
  });

  test('a hook replaces arguments and results', async () => {
    const { call, ran } = await harness(
      copilot({
        preToolUse: [says({ modifiedArgs: { command: 'ls -l' } })],
        postToolUse: [says({ modifiedResult: { resultType: 'success', textResultForLlm: 'hidden' } })],
      }),
    );

    expect(await call('shell', { cmd: 'ls' }, () => 'secret')).toMatchObject({ output: 'hidden' });
    expect(ran).toEqual([{ cmd: 'ls -l' }]);
  });

  test('a block withholds a result and refuses a prompt, which a hook may also rewrite', async () => {
    const { call, hooks, session } = await harness(
      copilot({
        postToolUse: [says({ decision: 'block', reason: 'not this' })],
        userPromptSubmitted: [
          {
            bash: `if grep -q secret; then printf '{"decision":"block","reason":"no secrets"}'; else printf '{"modifiedPrompt":"another"}'; fi`,
          },
        ],
      }),
    );

    expect(await call('shell', { cmd: 'ls' }, () => 'hidden')).toMatchObject({ reason: 'not this' });
    const submit = (prompt: string) =>
      hooks.dispatch(UserPromptSubmit, { session, prompt, delivery: 'prompt' });
    expect(await submit('my secret')).toMatchObject({ kind: 'block', reason: 'no secrets' });
    expect(await submit('hello')).toMatchObject({ kind: 'modify', patch: { prompt: 'another' } });
  });

  test('context reaches the model, and a block at the end keeps it working', async () => {
    const { hooks, session } = await harness(
      copilot({
        sessionStart: [says({ additionalContext: 'Be brief' })],
        agentStop: [says({ decision: 'block', reason: 'Run the tests' })],
      }),
    );

    await hooks.dispatch(TurnStart, { session, iteration: 1 });
    expect(takeContext(hooks, session)).toContain('Be brief');
    const stop = { session, response: 'done', continuations: 0, last: false };
    expect(await hooks.dispatch(Stop, stop)).toMatchObject({ kind: 'retry', reason: 'Run the tests' });
  });

  test('every file of the folder is read, and disableAllHooks empties one', async () => {
    const cwd = temporaryFolder();
    const folder = join(cwd, '.github', 'hooks');
    mkdirSync(folder, { recursive: true });
    const hooks = { preToolUse: [{ bash: 'exit 2' }] };
    writeFileSync(join(folder, 'a.json'), JSON.stringify({ ...copilot(hooks), disableAllHooks: true }));
    writeFileSync(join(folder, 'b.json'), JSON.stringify(copilot({ preToolUse: [{ command: 'exit 0' }] })));

    const { loaded } = await harness('.', { cwd, dialect: 'copilot' });

    expect(loaded.entries.map(({ origin }) => origin.file)).toEqual([join(folder, 'b.json')]);
    expect(readHookFile(JSON.stringify(copilot(hooks)), join(folder, 'b.json')).dialect.name).toBe('copilot');
  });

  describe('an event in the case of VS Code', () => {
    test('sends fields in snake case, with Claude Code’s names of tools', async () => {
      const { call, dir } = await harness(
        copilot({ PreToolUse: [{ bash: 'cat > before' }], PostToolUse: [{ bash: 'cat > after' }] }),
      );

      await call('shell', { cmd: 'ls' }, () => 'a.txt');

      const event = {
        session_id: expect.any(String),
        cwd: dir,
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
      };
      expect(JSON.parse(readFileSync(join(dir, 'before'), 'utf8'))).toEqual({
        ...event,
        hook_event_name: 'PreToolUse',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect(JSON.parse(readFileSync(join(dir, 'after'), 'utf8'))).toMatchObject({
        ...event,
        hook_event_name: 'PostToolUse',
        tool_result: { result_type: 'success', text_result_for_llm: 'a.txt' },
      });
    });

    test.each(['Bash', 'bash', 'Bash|Write'])('has tools by either name: %s', async (matcher) => {
      const { call } = await harness(copilot({ PreToolUse: [{ bash: 'exit 2', matcher }] }));

      expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
      expect(await call('read_file', { path: 'a' })).toMatchObject({ status: 'ok' });
    });

    test('has them by either name for a request for permission, too, whose fields are the same in both cases', async () => {
      const hook = { bash: 'cat > asked', matcher: 'Bash' };
      const { hooks, session, dir } = await harness(copilot({ PermissionRequest: [hook] }));

      await hooks.dispatch(PermissionRequest, {
        ...{ session, callId: 'c', toolName: 'shell', nativeToolName: 'shell', input: { cmd: 'ls' } },
        reason: 'asked',
      });

      expect(JSON.parse(readFileSync(join(dir, 'asked'), 'utf8'))).toMatchObject({
        toolName: 'bash',
        toolInput: { command: 'ls' },
      });
    });

    test('takes the answers of Copilot and, before a call, of Claude Code', async () => {
      const denied = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
      const result = async (hooks: object) => (await harness(copilot(hooks))).call('shell', { cmd: 'ls' });

      for (const answer of [
        denied,
        { hookSpecificOutput: denied },
        { ...denied, hookSpecificOutput: { permissionDecision: 'allow' } },
      ])
        expect(await result({ PreToolUse: [says(answer)] })).toMatchObject({
          status: 'blocked',
          reason: 'no',
        });
      // Copilot would ignore it in the other case.
      expect(await result({ preToolUse: [says({ hookSpecificOutput: denied })] })).toMatchObject({
        status: 'blocked',
        reason: expect.stringContaining('it would be ignored here'),
      });
      const { call, ran } = await harness(
        copilot({ PreToolUse: [says({ hookSpecificOutput: { updatedInput: { command: 'ls -l' } } })] }),
      );
      await call('shell', { cmd: 'ls' });
      expect(ran).toEqual([{ cmd: 'ls -l' }]);
    });

    test('keeps the agent working on Stop, and refuses a prompt on UserPromptSubmit', async () => {
      const { hooks, session } = await harness(
        copilot({
          Stop: [says({ decision: 'block', reason: 'Run the tests' })],
          UserPromptSubmit: [says({ decision: 'block', reason: 'no secrets' })],
        }),
      );

      const stop = { session, response: 'done', continuations: 0, last: false };
      expect(await hooks.dispatch(Stop, stop)).toMatchObject({ kind: 'retry', reason: 'Run the tests' });
      const prompt = { session, prompt: 'x', delivery: 'prompt' } as const;
      expect(await hooks.dispatch(UserPromptSubmit, prompt)).toMatchObject({
        kind: 'block',
        reason: 'no secrets',
      });
    });

    test.each(['UserPromptTransformed', 'AgentStop'])(
      'that Copilot does not have is an error: %s',
      (name) => {
        const { issues } = readHookFile(
          JSON.stringify(copilot({ [name]: [{ bash: 'x' }] })),
          'a.json',
          'copilot',
        );

        expect(issues).toMatchObject([
          { path: `hooks.${name}`, message: expect.stringContaining('unknown event') },
        ]);
      },
    );
  });

  test('a hook for PowerShell only is refused, because it would not run', () => {
    const { issues } = readHookFile(JSON.stringify(copilot({ preToolUse: [{ powershell: 'x' }] })), 'a.json');

    expect(issues).toMatchObject([
      {
        path: 'hooks.preToolUse[0]',
        message: expect.stringContaining('hooks do not run in PowerShell here'),
      },
    ]);
  });
});
