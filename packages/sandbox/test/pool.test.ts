import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { describe, expect, it, vi } from 'vitest';
import {
  createSandbox,
  localSandbox,
  routeCommands,
  routeTo,
  type SandboxProvider,
  type SandboxSession,
} from '../src/index.ts';

const onHost = (): string => 'on the host';

describe('a failed sandbox', () => {
  it('is replaced once, even if several calls find it failed', async () => {
    const opened: { status: SandboxSession['status'] }[] = [];
    const createSession = async (): Promise<SandboxSession> => {
      const session: Partial<SandboxSession> & { status: SandboxSession['status'] } = {
        status: 'open',
        close: async () => {
          session.status = 'closed';
        },
      };
      opened.push(session);
      return session as SandboxSession;
    };
    const sandbox = createSandbox({ id: 'mortal', supports: async () => [], createSession });
    const agent = { id: 's' };
    await sandbox.session(agent);
    for (const first of opened) first.status = 'failed';
    // The call with a signal is a few steps behind.
    const finders = [sandbox.session(agent), sandbox.session(agent, new AbortController().signal)];
    for (let step = 0; step < 10; step++) {
      await undefined;
      finders.push(sandbox.session(agent));
    }
    await Promise.all(finders);
    expect(opened.map(({ status }) => status)).toEqual(['closed', 'open']);
    await sandbox.close();
  });
});

describe('a sandbox that is still opening', () => {
  /** Never finishes opening, unless it is aborted. */
  const endless: SandboxProvider = {
    id: 'endless',
    supports: async () => [],
    createSession: (_, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  };

  it('does not delay an aborted run', async () => {
    const hooks = createHooks();
    const sandbox = createSandbox(endless);
    hooks.use(routeCommands(sandbox));
    const abort = new AbortController();
    const call = { session: hooks.session('s'), toolName: 'shell', input: 'ls', signal: abort.signal };
    const running = callTool(hooks, call, onHost);
    setImmediate(() => abort.abort());
    expect(await running).toMatchObject({ status: 'error', aborted: true });
    const asked = AbortSignal.abort(new Error('no longer wanted'));
    await expect(sandbox.session({ id: 's' }, asked)).rejects.toThrow('no longer wanted');
    await sandbox.close();
  });

  it('is abandoned even if its provider ignores the abort, and closed once it opens', async () => {
    const opened = Promise.withResolvers<SandboxSession>();
    const sandbox = createSandbox({
      ...{ id: 'deaf', supports: async () => [] },
      createSession: () => opened.promise,
    });
    const running = sandbox.execute({ id: 's' }, { command: 'ls' });
    const refused = expect(running).rejects.toMatchObject({ code: 'CLOSED' });
    await sandbox.close();
    await refused;
    const close = vi.fn(async () => {});
    const late: Partial<SandboxSession> = { status: 'open', close };
    opened.resolve(late as SandboxSession);
    await expect.poll(() => close).toHaveBeenCalledOnce();
  });

  it('is abandoned by close, which does not wait for it', async () => {
    const sandbox = createSandbox(endless);
    const running = sandbox.execute({ id: 's' }, { command: 'ls' });
    const refused = expect(running).rejects.toMatchObject({ code: 'CLOSED' });
    await sandbox.close({ id: 's' });
    await refused;
  });
});

describe('an option that has no effect is refused', () => {
  const provider: SandboxProvider = {
    id: 'none',
    supports: async () => [],
    createSession: async () => {
      throw new Error('never opened');
    },
  };
  const sandbox = createSandbox(provider);
  it.each<[() => unknown, string]>([
    [
      () => createSandbox(provider, { netwrok: 'none' } as object),
      'createSandbox: the spec: netwrok is unknown',
    ],
    [() => createSandbox(provider, { network: 'off' as 'none' }), 'network is "off"; expected none or open'],
    [
      () => createSandbox(provider, { resources: { memoryMB: 64 } as object }),
      'resources.memoryMB is unknown; did you mean memoryMb?',
    ],
    [
      () => createSandbox(provider, { workspace: { kind: 'copy', path: '/srv', readOnly: true } as never }),
      'workspace.readOnly is unknown',
    ],
    [() => createSandbox(provider, { workspace: { kind: 'mnt' } as never }), 'workspace.kind is "mnt"'],
    [() => createSandbox(provider, { workspace: { kind: 'mount' } as never }), 'workspace.path is missing'],
    [() => createSandbox(provider, {}, { idle: 5 } as object), 'createSandbox: idle is unknown'],
    [() => localSandbox({ readonly: ['/opt'] } as object), 'did you mean readOnly?'],
    [() => routeCommands(sandbox, { tool: 'mine' } as object), 'did you mean tools?'],
    [() => routeCommands(sandbox, { when: true as never }), 'when is true; expected a function'],
    [() => routeTo(sandbox, { command: 'ls' }, { formatter: String } as object), 'did you mean format?'],
  ])('%s', (make, problem) => {
    expect(make).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(problem) }),
    );
  });
});
