import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AfterModelCall, type AgentModel, AgentSwitch, createHooks, type Hooks } from '@hooks/core';
import { expect, test, vi } from 'vitest';
import { dockerModelRunner, type Unloader, unloadModels } from '../src/index.ts';

async function switched(hooks: Hooks, models: readonly AgentModel[]): Promise<void> {
  const session = hooks.session('s');
  await hooks.dispatch(AgentSwitch, {
    session,
    from: 'coder',
    to: 'reviewer',
    switchKind: 'handoff',
    models,
  });
  await hooks.settled();
}

/** A model runner on loopback that responds with a status and records its requests. */
async function runner(status: number): Promise<{ url: string; asked: string[] } & AsyncDisposable> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(`${request.method} ${request.url} ${body}`);
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, asked, [Symbol.asyncDispose]: close };
}

test("the previous agent's models are unloaded if the runner handles them", async () => {
  await using server = await runner(200);
  const hooks = createHooks();
  hooks.use(unloadModels({ unloaders: [dockerModelRunner({ url: server.url })] }));
  await switched(hooks, [
    { provider: 'dmr', model: 'ai/qwen3' },
    { provider: 'openai', model: 'gpt' },
    { model: 'x' },
  ]);
  expect(server.asked).toEqual(['POST /engines/_unload {"models":["ai/qwen3"]}']);
});

test('an error goes to onError and does not stop other unloads', async () => {
  await using server = await runner(500);
  const told: string[] = [];
  const hooks = createHooks();
  const unloaded: string[] = [];
  const own = {
    handles: () => true,
    unload: async ({ model }: AgentModel) => void unloaded.push(model),
  };
  hooks.use(
    unloadModels({
      unloaders: [
        dockerModelRunner({ url: server.url }),
        dockerModelRunner({ url: 'http://127.0.0.1:1' }),
        own,
      ],
      onError: (message) => told.push(message),
    }),
  );
  await switched(hooks, [{ provider: 'dmr', model: 'm' }]);
  expect(told.sort()).toEqual([
    expect.stringMatching(/Could not unload m: .*answered 500/),
    expect.stringMatching(/Could not unload m: TypeError: fetch failed/),
  ]);
  expect(unloaded).toEqual(['m']);
});

test('models that an agent called are unloaded, including its sub-agent’s when that hands back control', async () => {
  const unloaded: string[] = [];
  const own = { handles: () => true, unload: async ({ model }: AgentModel) => void unloaded.push(model) };
  const hooks = createHooks();
  hooks.use(unloadModels({ unloaders: [own] }));
  const session = hooks.session('s');
  const child = hooks.session('child', { parent: session });
  const response = { text: '', toolCalls: [] };
  const calls = { iteration: 1, response, attempt: 1, provider: 'dmr' };
  await hooks.dispatch(AfterModelCall, { ...calls, session, agent: 'coder', model: 'a' });
  await hooks.dispatch(AfterModelCall, { ...calls, session, agent: 'coder', model: 'a' });
  await hooks.dispatch(AfterModelCall, { ...calls, session: child, agent: 'helper', model: 'b' });
  const back = { from: 'helper', to: 'coder', switchKind: 'transfer_task_return' } as const;
  await hooks.dispatch(AgentSwitch, { session, ...back, models: [] });
  await hooks.settled();
  expect(unloaded).toEqual(['b']);
  await switched(hooks, [{ model: 'a' }, { model: 'c' }]);
  expect(unloaded).toEqual(['b', 'a', 'c']);
  // They are already unloaded.
  await switched(hooks, []);
  expect(unloaded).toHaveLength(3);
});

test('a model without a provider is recognized by its name', () => {
  const { handles } = dockerModelRunner();
  expect(handles({ model: 'ai/qwen3' })).toBe(true);
  expect(handles({ model: 'hf.co/bartowski/x' })).toBe(true);
  expect(handles({ model: 'gpt-5' })).toBe(false);
  expect(handles({ provider: 'openrouter', model: 'ai/qwen3' })).toBe(false);
});

test('an unloader has 10 seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort('late'));
  const told: string[] = [];
  const hooks = createHooks();
  // It would never resolve.
  const unload: Unloader['unload'] = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
    });
  hooks.use(
    unloadModels({ unloaders: [{ handles: () => true, unload }], onError: (message) => told.push(message) }),
  );
  await switched(hooks, [{ model: 'm' }]);
  expect(timeout).toHaveBeenCalledWith(10_000);
  expect(told).toEqual(['Could not unload m: late']);
  timeout.mockRestore();
});
