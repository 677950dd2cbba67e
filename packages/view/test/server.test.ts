import { readFileSync, writeFileSync } from 'node:fs';
import { request as ask, get } from 'node:http';
import { join } from 'node:path';
import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { eraseSession, journal, pruneJournal, replay, verifyJournal } from '@hooks/journal';
import { memoryStore, type Store } from '@hooks/store';
import { inbox, listRememberedApprovals } from '@hooks/store/approvals';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openView, type View } from '../src/index.ts';
import { playQuestion, playRefund, policyWith } from './agents.ts';

/** The response to a request. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends a request with headers that a browser would not let a page set. */
function send(
  view: View,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const url = new URL(view.url);
  return new Promise((resolve, reject) => {
    const sent = ask({ host: '127.0.0.1', port: url.port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on('error', reject).end(body);
  });
}

function tokenOf(view: View): Record<string, string> {
  return { authorization: `Bearer ${view.url.split('#token=')[1]}` };
}

const folder = temporaryFolder();
const store = memoryStore();
let view: View;

beforeAll(async () => {
  const log = journal({ sink: folder });
  const hooks = policyWith(log);
  await playRefund(hooks, { sessionId: 'refund' });
  await playQuestion(hooks, { sessionId: 'question' });
  await playQuestion(hooks, { sessionId: 'question', prompt: 'And now?' });
  await hooks.close();
  await log.close();
  view = await openView({ journal: folder, store });
});
afterAll(() => view.close());

describe('access', () => {
  it('the page has headers against framing, reading and loading from elsewhere', async () => {
    const { status, headers } = await send(view, '/');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each([
    '/api/overview',
    '/api/runs',
    '/api/chain',
    '/api/approvals',
    '/api/remembered',
    '/api/live',
    '/api/comparison',
  ])('%s needs the token', async (path) => {
    expect((await send(view, path)).status).toBe(401);
    const wrong = { authorization: `Bearer ${'x'.repeat(43)}` };
    expect((await send(view, path, { headers: wrong })).status).toBe(401);
  });

  it('a request with another host name is refused, with or without the token', async () => {
    const headers = { ...tokenOf(view), host: `rebound.example:${new URL(view.url).port}` };
    for (const path of ['/', '/page.js', '/api/runs'])
      expect((await send(view, path, { headers })).status).toBe(421);
  });

  it.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('a request from elsewhere is refused: %j', async (headers) => {
    const answer = await send(view, '/api/runs', { headers: { ...tokenOf(view), ...headers } });
    expect(answer.status).toBe(403);
  });

  it('an answer to an approval needs the token and must come from the page', async () => {
    const asked = inbox({ store, pollMs: 5 })(
      { callId: 'c', toolName: 'pay', input: {}, reason: 'It costs.', hash: '', sessionId: 's' },
      { signal: undefined },
    );
    let id = '';
    while (id === '')
      id = JSON.parse((await send(view, '/api/approvals', { headers: tokenOf(view) })).text)[0]?.id ?? '';
    const path = `/api/approvals/${id}`;
    const body = JSON.stringify({ decision: 'allow' });
    const json = { 'content-type': 'application/json' };
    const own = { origin: new URL(view.url).origin };
    const answer = (headers: Record<string, string>, text = body) =>
      send(view, path, { method: 'POST', headers: { ...json, ...headers }, body: text });
    expect((await answer(own)).status).toBe(401);
    expect((await answer(tokenOf(view))).status).toBe(403);
    expect((await answer({ ...tokenOf(view), origin: 'http://127.0.0.1' })).status).toBe(403);
    expect((await answer({ ...tokenOf(view), ...own, 'content-type': 'text/plain' })).status).toBe(400);
    const bounded = { decision: 'allow', remember: { within: 'run', times: 1.5 } };
    for (const [wrong, what] of [
      [{ decision: 'maybe' }, 'at decision'],
      [{ decision: 'allow', input: {} }, 'Unrecognized key: \\"input\\"'],
      [{ decision: 'deny', remember: 'always' }, 'does not take `remember`'],
      [{ ...bounded }, 'times is 1.5; it has to be'],
      [{ decision: 'allow', remember: 'always', matching: { to: 'bob' } }, 'cannot be remembered'],
      [{ decision: 'deny', reason: 'x'.repeat(70_000) }, 'at most 64 kB'],
    ] as const) {
      const { status, text } = await answer({ ...tokenOf(view), ...own }, JSON.stringify(wrong));
      expect(text).toContain(what);
      expect(status).toBe(400);
    }
    expect((await answer({ ...tokenOf(view), ...own }, '{"decision":"deny","reason":"No."}')).status).toBe(
      200,
    );
    expect(await asked).toMatchObject({ decision: 'deny', reason: 'No.' });
    const late = await answer({ ...tokenOf(view), ...own });
    expect(late.status).toBe(409);
    expect(late.text).toContain('answered already');
  });

  it('only the page itself can forget an approval', async () => {
    const approval = { id: 'r1', toolName: 'pay', digest: '', at: 0 };
    await store.set('approvals/remembered/g/r1', approval);
    const forget = (headers: Record<string, string>) =>
      send(view, '/api/remembered/r1', { method: 'DELETE', headers: { ...tokenOf(view), ...headers } });
    expect((await forget({})).status).toBe(403);
    expect(await listRememberedApprovals(store)).toEqual([approval]);
    const own = { origin: new URL(view.url).origin };
    expect((await forget(own)).status).toBe(200);
    expect((await forget(own)).status).toBe(404);
  });

  it('what a model can make large is shown up to its beginning, wherever it stands', async () => {
    const large = '\u200b'.repeat(3_000_000);
    const about = { toolName: 'pay', digest: '', at: 0, input: { text: large } };
    await store.set('approvals/remembered/g/large', { id: 'large', ...about });
    const over = new AbortController();
    const asked = inbox({ store, pollMs: 5 })(
      {
        callId: 'large',
        toolName: 'pay',
        input: {},
        reason: `Runs ${large}`,
        reasons: [`Runs ${large}`, `Sends ${large}`],
        hash: '',
        sessionId: 's',
      },
      { signal: over.signal },
    );
    let approvals = '[]';
    while (approvals === '[]')
      approvals = (await send(view, '/api/approvals', { headers: tokenOf(view) })).text;
    const remembered = (await send(view, '/api/remembered', { headers: tokenOf(view) })).text;
    over.abort();
    await Promise.resolve(asked).catch(() => {});
    await store.delete('approvals/remembered/g/large');
    expect(approvals.length).toBeLessThan(100_000);
    expect(JSON.parse(approvals)[0].reasons).toEqual([
      expect.stringMatching(/^Runs \u200b+… \(2,990,005 more characters\)$/),
      expect.stringMatching(/^Sends \u200b+… \(2,990,006 more characters\)$/),
    ]);
    expect(remembered.length).toBeLessThan(200_000);
    expect(JSON.parse(remembered)[0].leftOut).toEqual({ values: 0, characters: 2_900_004 });
  });

  it.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/api/runs/../../etc',
    '/api/constructor',
    '/api/runs/none',
    '/src/view.ts',
  ])('a path cannot reach another file or method: %s', async (path) => {
    expect((await send(view, path, { headers: tokenOf(view) })).status).toBe(404);
  });

  it('a body is read only up to its limit', async () => {
    const headers = {
      ...tokenOf(view),
      origin: new URL(view.url).origin,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ decision: 'deny', reason: 'x'.repeat(100_000) });
    expect((await send(view, '/api/approvals/none', { method: 'POST', headers, body })).status).toBe(400);
  });

  it('the server listens on loopback only', () => {
    expect(new URL(view.url).hostname).toBe('127.0.0.1');
  });
});

/** Reads from the page's API. */
async function read(path: string, from: View = view) {
  return JSON.parse((await send(from, path, { headers: tokenOf(from) })).text);
}

/** The list of runs. On a slow machine, the first one is of a part of the journal. */
async function wholeList(of: View): Promise<readonly { readonly id: string; readonly session: string }[]> {
  await expect
    .poll(async () => {
      await read('/api/runs', of);
      return read('/api/overview', of);
    })
    .toMatchObject({ loaded: true });
  return read('/api/runs', of);
}

describe('runs', () => {
  it('a run counts the decisions in it and in its sub-agents', async () => {
    const runs = await read('/api/runs');
    expect(runs).toHaveLength(3);
    expect(runs[0]).toMatchObject({
      title: 'Refund order 4821, and tell me what went wrong with the delivery.',
      session: 'refund',
      agents: ['support', 'carrier-desk'],
      principal: 'ann@acme.example',
      status: 'completed',
      turns: 5,
      toolCalls: 6,
      subagents: 1,
      counts: { blocked: 1, asked: 1, denied: 0, changed: 2, retried: 1, failed: 0 },
      inputTokens: 5397,
    });
    expect(runs[0].deciders).toContain('acme/no-mass-delete');
  });

  it('two runs of one session are listed separately', async () => {
    const runs = await read('/api/runs');
    const titles = runs.filter(({ session }: { session: string }) => session === 'question');
    expect(titles.map(({ title }: { title: string }) => title)).toEqual(['Where is my parcel?', 'And now?']);
  });

  it('a run has all of its records, and the sessions of its sub-agents', async () => {
    const [{ id }] = await read('/api/runs');
    const { events } = await read(`/api/runs/${id}`);
    const sessions = new Set(events.map(({ record }: { record: { session: string } }) => record.session));
    expect(sessions.size).toBe(2);
    const { records } = await verifyJournal(folder);
    const all = await Promise.all(
      (await read('/api/runs')).map(
        async ({ id: each }: { id: string }) => (await read(`/api/runs/${each}`)).events,
      ),
    );
    // One record has the policy, and one is the checkpoint.
    expect(all.flat()).toHaveLength(records - 2);
  });

  it('a run keeps its id when the journal is read again', async () => {
    await using again = await openView({ journal: folder });
    const ids = async (from: View) => (await read('/api/runs', from)).map(({ id }: { id: string }) => id);
    expect(await ids(again)).toEqual(await ids(view));
  });

  it('a journal in a store is shown like one in files', async () => {
    const source = memoryStore();
    const log = journal({ store: source });
    const hooks = policyWith(log);
    await playRefund(hooks, { sessionId: 'refund' });
    await hooks.close();
    await log.close();
    await using stored = await openView({ journal: source });
    const [run] = await read('/api/runs', stored);
    expect(run).toMatchObject({ status: 'completed', toolCalls: 6 });
    expect((await read(`/api/runs/${run.id}`, stored)).events.length).toBeGreaterThan(40);
  });

  it('a run that waited while others went on is read without them', async () => {
    const inner = memoryStore();
    let records = 0;
    const counting: Store = {
      ...inner,
      async *read(...given) {
        for await (const record of inner.read(...given)) {
          records++;
          yield record;
        }
      },
    };
    const log = journal({ store: inner });
    const hooks = createHooks();
    hooks.use(log);
    const call = (session: string) =>
      callTool(hooks, { session: hooks.session(session), toolName: 'pay', input: {} }, () => 'paid');
    await call('waits');
    for (let calls = 0; calls < 500; calls++) await call('others');
    await call('waits');
    await log.close();
    await using stored = await openView({ journal: counting });
    const id = (await wholeList(stored)).find(({ session }) => session === 'waits')?.id;
    records = 0;
    expect((await read(`/api/runs/${id}`, stored)).events.length).toBeGreaterThan(3);
    expect(records).toBeLessThan(100);
  });

  it('a run and a policy are found before the journal is read to its end', async () => {
    const source = memoryStore();
    const log = journal({ store: source });
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('No.'), { id: 'acme/no' });
    hooks.use(log);
    const session = hooks.session('s');
    await callTool(hooks, { session, toolName: 'pay', input: {} }, () => 'paid');
    await log.close();
    await using known = await openView({ journal: source });
    const [{ id }] = await read('/api/runs', known);
    const { events } = await read(`/api/runs/${id}`, known);
    const policy = events.at(-1).record.policy;

    // The reading of a long journal is not over when the page asks.
    const { promise: wholeJournal, resolve: goOn } = Promise.withResolvers<void>();
    const slow: Store = {
      ...source,
      async *read(...about) {
        await wholeJournal;
        yield* source.read(...about);
      },
    };
    await using early = await openView({ journal: slow });
    const headers = tokenOf(early);
    const asked = [`/api/runs/${id}`, `/api/policies/${policy}`].map((path) =>
      send(early, path, { headers }),
    );
    // By now, the page has waited long enough for a part of the list, twice.
    for (let times = 0; times < 2; times++) expect(await read('/api/runs', early)).toEqual([]);
    goOn();
    for (const { status, text } of await Promise.all(asked)) expect([status, text]).toEqual([200, text]);
  });

  it('what was erased or pruned while the page is open is no longer shown', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const source = temporaryFolder();
    const write = async (sessionId: string) => {
      const log = journal({ sink: source });
      const hooks = policyWith(log);
      await playQuestion(hooks, { sessionId, prompt: `The diary of ${sessionId}` });
      await hooks.close();
      await log.close();
    };
    await write('first');
    vi.setSystemTime(new Date('2026-03-02T12:00:00Z'));
    await write('pruned');
    vi.setSystemTime(new Date('2026-03-03T12:00:00Z'));
    await write('erased');
    await write('stays');
    await using open = await openView({ journal: source });
    const runs = await wholeList(open);
    const detailOf = (of: string) =>
      send(open, `/api/runs/${runs.find(({ session }) => session === of)?.id}`, { headers: tokenOf(open) });
    await pruneJournal(source, { before: new Date('2026-03-03') });
    for (const session of ['first', 'pruned']) expect((await detailOf(session)).status).toBe(404);
    expect((await detailOf('erased')).text).toContain('The diary of erased');
    await eraseSession(source, 'erased');
    expect((await detailOf('erased')).text).not.toContain('The diary of erased');
    expect(JSON.stringify(await read('/api/runs', open))).not.toContain('The diary of erased');
    expect((await detailOf('stays')).text).toContain('The diary of stays');
  });

  it('a comparison that quotes what was erased since is made anew', async () => {
    const source = temporaryFolder();
    const log = journal({ sink: source });
    const hooks = createHooks();
    hooks.use(log);
    const call = { session: hooks.session('s'), toolName: 'write', input: { text: 'The diary' } };
    await callTool(hooks, call, () => 'written');
    await hooks.close();
    await log.close();
    const policy = createHooks();
    policy.guard(BeforeToolCall, ({ input }) => block(`Not ${JSON.stringify(input)}`), { id: 'quotes' });
    const compare = { name: 'policy.ts', replay: () => replay(source, policy) };
    await using open = await openView({ journal: source, compare });
    expect(JSON.stringify(await read('/api/comparison', open))).toContain('The diary');
    await eraseSession(source, 's');
    expect(JSON.stringify(await read('/api/comparison', open))).not.toContain('The diary');
  });

  it('runs of the newest day are listed before long days before it are read', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const source = temporaryFolder();
    const write = async (sessionId: string) => {
      const log = journal({ sink: source });
      const hooks = policyWith(log);
      await playQuestion(hooks, { sessionId });
      await hooks.close();
      await log.close();
    };
    await write('old');
    const day = join(source, '2026-03-01.jsonl');
    const lines = readFileSync(day, 'utf8');
    writeFileSync(day, lines.repeat(Math.ceil(40_000_000 / lines.length)));
    vi.setSystemTime(new Date('2026-03-02T12:00:00Z'));
    await write('new');
    await using open = await openView({ journal: source });
    let listed = await read('/api/runs', open);
    while (listed.length === 0) listed = await read('/api/runs', open);
    const run = listed.find(({ session }: { session: string }) => session === 'new');
    expect((await read(`/api/runs/${run.id}`, open)).events.length).toBeGreaterThan(10);
    expect((await wholeList(open)).map(({ session }) => session)).toEqual(['old', 'new']);
  });

  it('a missing journal is an empty list and is followed once it exists', async () => {
    const later = join(temporaryFolder(), 'journal');
    await using early = await openView({ journal: later });
    expect(await read('/api/runs', early)).toEqual([]);
    const [, token = ''] = early.url.split('#token=');
    const told = new Promise<string>((resolve) => {
      get(
        `${new URL(early.url).origin}/api/live`,
        { headers: { authorization: `Bearer ${token}` } },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
            if (/^event: runs\ndata: (.*)\n\n/m.test(text)) resolve(text);
          });
          response.on('error', () => {});
        },
      );
    });
    const log = journal({ sink: later });
    const hooks = policyWith(log);
    await playQuestion(hooks, { sessionId: 'later', prompt: 'Is anybody there?' });
    await log.close();
    expect(await told).toContain('Is anybody there?');
  });
});

it('a policy is found by the digest in the records', async () => {
  const [{ id }] = await read('/api/runs');
  const { events } = await read(`/api/runs/${id}`);
  const digest = events[1].record.policy;
  const { hooks } = await read(`/api/policies/${digest}`);
  expect(hooks.map(({ id: hook }: { id: string }) => hook)).toContain('acme/no-mass-delete');
});

it('an intact journal is reported as intact', async () => {
  expect(await read('/api/chain')).toMatchObject({ state: 'intact', problems: [], signatures: false });
});

it('openView refuses an option that has no effect', async () => {
  const unknown = openView({ journal: folder, stores: store } as never);
  await expect(unknown).rejects.toThrow('openView: stores is unknown; did you mean store?');
  await expect(openView({} as never)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});
