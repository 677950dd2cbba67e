import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  retry,
  type Session,
  TransformToolResult,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createSandbox,
  localSandbox,
  routeCommands,
  routeTo,
  type Sandbox,
  type SandboxProvider,
  type SandboxSession,
} from '../src/index.ts';
import { processesWith } from './host.ts';
import { cannotIsolate } from './machine.ts';

const onHost = (): never => {
  throw new Error('The tool ran on the host.');
};

describe.skipIf(cannotIsolate !== undefined)(
  `routed calls${cannotIsolate ? ` (not run: ${cannotIsolate})` : ''}`,
  () => {
    let hooks: Hooks;
    let session: Session;
    let sandbox: Sandbox;
    beforeEach(() => {
      hooks = createHooks();
      session = hooks.session('conversation');
      sandbox = createSandbox(localSandbox());
      hooks.use(sandbox);
    });
    afterEach(async () => {
      await hooks.close();
      await sandbox.close();
    });
    const call = (input: unknown, toolName = 'shell') =>
      callTool(hooks, { session, toolName, input }, onHost);

    it('run in the sandbox, and the model reads the result as if the tool had run', async () => {
      hooks.on(BeforeToolCall.matching('shell'), () => routeTo(sandbox, { command: 'echo hi; exit 4' }));
      expect(await call('ls')).toMatchObject({
        status: 'ok',
        ran: true,
        output: 'SANDBOX_RESULT: {"exitCode":4,"stdout":"hi\\n","stderr":""}',
      });
    });

    it('share one sandbox per session of the agent', async () => {
      hooks.use(routeCommands(sandbox));
      await call({ command: 'echo kept > file' });
      expect((await call({ cmd: 'cat file' })).output).toContain('kept');
      const other = { session: hooks.session('other'), toolName: 'shell', input: 'ls' };
      expect((await callTool(hooks, other, onHost)).output).toContain('"stdout":""');
    });

    it('are marked as isolated for guards, which may refuse them', async () => {
      hooks.use(routeCommands(sandbox));
      const seen: unknown[] = [];
      hooks.guard(BeforeToolCall, (event) => {
        seen.push({ ...event.execute?.route });
        return event.input === 'no' ? block('not even there') : proceed();
      });
      await call('true');
      expect(seen).toEqual([{ provider: 'local', isolated: true }]);
      expect(await call('no')).toMatchObject({ status: 'blocked', ran: false, reason: 'not even there' });
    });

    it('run the input as later hooks rewrote it', async () => {
      hooks.on(BeforeToolCall, () => routeTo(sandbox, (input) => ({ command: String(input) })));
      hooks.on(BeforeToolCall, () => modify({ input: 'echo rewritten' }));
      expect((await call('echo original')).output).toContain('rewritten');
    });

    it("run the input's own command by default", async () => {
      hooks.on(BeforeToolCall, () => routeTo(sandbox));
      expect((await call({ cmd: ['printf', '%s', 'a b'] })).output).toContain('"stdout":"a b"');
      expect(await call({ path: 'x' })).toMatchObject({ status: 'blocked', ran: false });
    });

    it('run the hooks that transform results, and run again on Retry', async () => {
      hooks.on(BeforeToolCall, () => routeTo(sandbox, { command: 'echo token=secret >> log; cat log' }));
      hooks.on(TransformToolResult, (event) =>
        modify({ output: String(event.output).replaceAll('secret', '***') }),
      );
      hooks.on(AfterToolCall, (event) => (event.attempt < 2 ? retry('once more') : proceed()));
      expect(await call('')).toMatchObject({
        attempts: 2,
        output: 'SANDBOX_RESULT: {"exitCode":0,"stdout":"token=***\\ntoken=***\\n","stderr":""}',
      });
    });

    it('return the output that format produces for each tool', async () => {
      hooks.use(
        routeCommands(sandbox, {
          tools: 'shell',
          format: (result, { toolName }) => ({ toolName, code: result.exitCode }),
        }),
      );
      expect((await call('exit 7')).output).toEqual({ toolName: 'shell', code: 7 });
    });

    it('are those that `tools` and `when` select', async () => {
      hooks.use(
        routeCommands(sandbox, { tools: 'shell', when: async (event) => String(event.input).includes('rm') }),
      );
      expect(await call('echo rm')).toMatchObject({ status: 'ok' });
      expect(await call('ls')).toMatchObject({
        status: 'error',
        error: { message: 'The tool ran on the host.' },
      });
      expect(await call('rm', 'other')).toMatchObject({
        status: 'error',
        error: { message: 'The tool ran on the host.' },
      });
    });

    it('are blocked if the input has no command', async () => {
      hooks.use(routeCommands(sandbox));
      expect(await call({ path: 'x' })).toMatchObject({ status: 'blocked', ran: false });
    });

    it('do not include calls that another hook answers', async () => {
      hooks.use(routeCommands(sandbox));
      hooks.on(BeforeToolCall, () => modify({ execute: () => 'from the cache' }));
      expect((await call('ls')).output).toBe('from the cache');
    });

    it('end with the run', async () => {
      const abort = new AbortController();
      hooks.on(BeforeToolCall, () => routeTo(sandbox, { command: 'sleep 3600.25' }));
      const running = callTool(
        hooks,
        { session, toolName: 'shell', input: '', signal: abort.signal },
        onHost,
      );
      await expect.poll(() => processesWith('sleep 3600.25')).not.toEqual([]);
      abort.abort();
      expect(await running).toMatchObject({ status: 'error', aborted: true });
      await expect.poll(() => processesWith('sleep 3600.25')).toEqual([]);
    });

    it('do not reopen the sandbox of a closed session', async () => {
      hooks.use(routeCommands(sandbox));
      await call('true');
      const inside = await sandbox.session(session);
      expect(inside.status).toBe('open');
      await session.close();
      expect(inside.status).toBe('closed');
    });

    it('get a new sandbox after the idle limit', async () => {
      await using brief = createSandbox(localSandbox(), {}, { name: 'brief', idleMs: 20 });
      expect((await brief.execute(session, { command: 'echo old > file' })).exitCode).toBe(0);
      const first = await brief.session(session);
      await expect.poll(() => first.status).toBe('closed');
      expect((await brief.execute(session, { command: 'cat file' })).exitCode).toBe(1);
    });

    it('are not ended by the idle limit while they run', async () => {
      await using brief = createSandbox(localSandbox(), {}, { name: 'brief', idleMs: 20 });
      expect(await brief.execute(session, { command: 'sleep 0.2; echo done' })).toMatchObject({
        stdout: 'done\n',
      });
    });
  },
);

describe('the command', () => {
  /** A provider with the sessions of a test. */
  function provider(open: () => Partial<SandboxSession>): SandboxProvider {
    const createSession = async (): Promise<SandboxSession> => {
      const session: Partial<SandboxSession> = { status: 'open', close: async () => {}, ...open() };
      return session as SandboxSession;
    };
    return { id: 'fake', supports: async () => [], createSession };
  }
  const done = {
    ...{ exitCode: 0, stdout: '', stderr: '', timedOut: false, canceled: false },
    ...{ truncated: false, durationMs: 1 },
  };

  it.each([
    [{ command: 'npm', args: ['test', '--', 'a b'] }, { argv: ['npm', 'test', '--', 'a b'] }],
    [{ cmd: ['npm'], args: ['test'] }, { argv: ['npm', 'test'] }],
    [{ command: 'npm test', args: [] }, { command: 'npm test' }],
    [
      { cmd: 'ls', cwd: 'packages/a' },
      { command: 'ls', cwd: 'packages/a' },
    ],
    [
      { command: ['ls'], workdir: './a' },
      { argv: ['ls'], cwd: './a' },
    ],
    [{ command: 'ls', cwd: '/srv/of/the/host' }, { command: 'ls' }],
    [{ command: 'ls', cwd: '~/here' }, { command: 'ls' }],
    [{ command: 'ls', cwd: 'C:\\here' }, { command: 'ls' }],
  ])('of the input %j is %j', async (input, expected) => {
    const execute = vi.fn(async () => done);
    const hooks = createHooks();
    hooks.use(routeCommands(createSandbox(provider(() => ({ execute })))));
    await callTool(hooks, { session: hooks.session(), toolName: 'shell', input }, onHost);
    expect(execute).toHaveBeenCalledWith(expected, expect.anything());
  });

  it('is not guessed from other arguments', async () => {
    const execute = vi.fn(async () => done);
    const hooks = createHooks();
    hooks.use(routeCommands(createSandbox(provider(() => ({ execute })))));
    const input = { command: 'rm', args: '-rf x' };
    const outcome = await callTool(hooks, { session: hooks.session(), toolName: 'shell', input }, onHost);
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
    expect(execute).not.toHaveBeenCalled();
  });

  it('is abandoned after an abort, even if the provider does not end it', async () => {
    const abort = new AbortController();
    const hooks = createHooks();
    const execute = (): Promise<never> => {
      abort.abort();
      return new Promise(() => {});
    };
    hooks.use(routeCommands(createSandbox(provider(() => ({ execute })))));
    const call = { session: hooks.session(), toolName: 'shell', input: 'ls', signal: abort.signal };
    expect(await callTool(hooks, call, onHost)).toMatchObject({ status: 'error', aborted: true });
  });
});

describe('an unavailable sandbox', () => {
  it('blocks the call with the reason and never falls back to the host', async () => {
    const hooks = createHooks();
    const sandbox = createSandbox(localSandbox(), { network: 'open' });
    hooks.use(routeCommands(sandbox));
    const ran = vi.fn(() => 'on the host');
    const after: unknown[] = [];
    hooks.observe(AfterToolCall, (event) => void after.push([event.status, event.ran]));
    const outcome = await callTool(
      hooks,
      { session: hooks.session('s'), toolName: 'shell', input: 'ls' },
      ran,
    );
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
    expect(outcome.message).toMatch(
      /^The call must run in a sandbox, but the sandbox is not available: .*no network/,
    );
    expect(ran).not.toHaveBeenCalled();
    await hooks.settled();
    expect(after).toEqual([['blocked', false]]);
  });

  it.each([
    ...['shell', 'Shell', 'bash', 'Bash', 'sh', 'terminal', 'exec', 'exec_command', 'shell_command'],
    ...['execute_command', 'executeCommand', 'execute_bash', 'run_command', 'runCommand', 'run_bash'],
    ...['run_shell_command', 'run_terminal_cmd', 'run_terminal_command', 'run_in_terminal', 'runInTerminal'],
    ...['start_process', 'execute_shell_command', 'shell_exec', 'run_shell', 'run_terminal', 'zsh'],
    ...['local_shell', 'container.exec', 'mastra_workspace_execute_command'],
    ...['powershell', 'PowerShell', 'Monitor'],
  ])('blocks a call to %s, which is a shell tool by its name', async (toolName) => {
    const hooks = createHooks();
    hooks.use(routeCommands(createSandbox(localSandbox(), { network: 'open' })));
    const call = { session: hooks.session('s'), toolName, input: { command: 'ls' } };
    expect(await callTool(hooks, call, onHost)).toMatchObject({ status: 'blocked', ran: false });
  });
});
