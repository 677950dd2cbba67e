import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { gateway, type ProxyOptions } from '../src/index.ts';
import { type AnyClient, connect, type Kind, type Person, run, textOf } from './connect.ts';
import { connectTo, serve, startServer } from './http.ts';
import { policy } from './programs/proxy.ts';

/* The same conversation with the same policy on every route. */

const servers = { sessions: '', modern: '' };
const stops: (() => void)[] = [];
beforeAll(async () => {
  for (const mode of ['sessions', 'modern'] as const) {
    const { url, stop } = await startServer(mode);
    servers[mode] = url;
    stops.push(stop);
  }
});
afterAll(() => {
  for (const stop of stops) stop();
});

type Route = (kind: Kind, person: Person) => Promise<{ client: AnyClient; notified: readonly string[] }>;

const serverOf = (kind: Kind) => servers[kind === 'modern' ? 'modern' : 'sessions'];
const viaProxy =
  (upstream: (kind: Kind) => ProxyOptions['upstream']): Route =>
  (kind, person) =>
    connect({ kind, person, hooks: policy(), upstream: upstream(kind) });

const routes: Readonly<Record<string, Route>> = {
  'stdio to stdio': viaProxy(() => run('server.ts', 'stdio')),
  'stdio to HTTP': viaProxy((kind) => ({ url: serverOf(kind) })),
  async 'HTTP to HTTP'(kind, person) {
    const { handle, close } = gateway({
      hooks: policy(),
      upstreams: { other: { url: 'http://127.0.0.1:1/' }, up: { url: serverOf(kind) } },
    });
    onTestFinished(close);
    return connectTo(`${await serve(handle)}/up`, kind, { person });
  },
};

const cases = Object.keys(routes).flatMap((route) =>
  (['v1', 'v2', 'modern'] as const).map((kind) => [route, kind] as const),
);

describe.each(cases)('%s, %s client', (name, kind) => {
  const asked: string[] = [];
  let client: AnyClient;
  const open = async (): Promise<void> => {
    asked.length = 0;
    const route = routes[name] as Route;
    ({ client } = await route(kind, (message) => {
      asked.push(message.split('\n')[0] ?? '');
      return { action: 'accept', content: message === 'Your name?' ? { name: 'Ada' } : { allow: true } };
    }));
  };
  const call = (tool: string, args: object = {}, how: object = {}): Promise<AnyClient> =>
    kind === 'v1'
      ? client.callTool({ name: tool, arguments: args }, undefined, how)
      : client.callTool({ name: tool, arguments: args }, how);

  test('hooks are obeyed', async () => {
    await open();
    const listed =
      kind === 'v1' ? await client.listTools() : await client.request({ method: 'tools/list', params: {} });
    expect(listed.tools.map((tool: AnyClient) => tool.name)).toEqual(['echo']);
    expect(listed.nextCursor).toBe('page-2');
    expect(textOf(await call('danger'))).toBe('error: The tool danger is not available here.');
    expect(textOf(await call('echo', { q: 'refuse' }))).toBe('error: Not that.');
    expect(textOf(await call('echo', { q: 'rewrite' }))).toBe('said rewritten');
    expect(await call('echo', { q: 'a SECRET' })).toMatchObject({
      content: [{ text: 'said a ***' }],
      structuredContent: { q: 'a ***' },
    });
    expect(textOf(await call('flaky'))).toMatch(/^attempt/);
    expect(textOf(await call('echo', { q: 'ask' }))).toBe('said ask');
    expect(asked).toEqual(['Say it?']);
    expect(JSON.stringify(await client.readResource({ uri: 'note://1' }))).toContain('the body has a ***');
    expect(JSON.stringify(await client.getPrompt({ name: 'p' }))).toContain('ask about the ***');
  });

  test('everything else passes', async () => {
    await open();
    expect(await client.request({ method: 'x/custom', params: { a: 1 } }, z.any())).toMatchObject({
      method: 'x/custom',
    });
    expect((await client.listResources()).resources).toMatchObject([{ uri: 'note://1' }]);
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'p' }]);
    expect(textOf(await call('ask'))).toBe('hello Ada');
    if (kind !== 'modern') expect(textOf(await call('sample'))).toContain('sampled');
    const progress: number[] = [];
    await call('flaky', {}, { onprogress: (note: { progress: number }) => progress.push(note.progress) });
    expect(progress).toContain(2);
    expect(progress).toEqual(progress.toSorted());
  });

  test('a canceled call is canceled at the server', async () => {
    await open();
    const q = `${name} ${kind}`;
    const abort = new AbortController();
    const running = call('slow', { q }, { signal: abort.signal, onprogress: () => abort.abort() });
    await expect(running).rejects.toThrow();
    await expect.poll(async () => textOf(await call('canceled'))).toContain(q);
  });
});

test('an unreachable server gives an error', async () => {
  const { handle } = gateway({ hooks: policy(), upstreams: { up: { url: 'http://127.0.0.1:1/' } } });
  await expect(connectTo(`${await serve(handle)}/up`, 'v1')).rejects.toThrow();
  await expect(connect({ upstream: { url: 'http://127.0.0.1:1/' } })).rejects.toThrow(
    'the exchange with the server failed',
  );
});
