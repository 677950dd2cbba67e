import { appendFileSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addContext,
  BeforeToolCall,
  block,
  createHooks,
  type HookOptions,
  modify,
  proceed,
  requireApproval,
  TransformToolResult,
} from '@hooks/core';
import { callTool, hashInput } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { expect, it } from 'vitest';
import {
  fileSink,
  type JournalReading,
  type JournalSource,
  journal,
  journalLineSchema,
  readJournal,
} from '../src/index.ts';

async function readAll(source: JournalSource): Promise<readonly JournalReading[]> {
  return collect(readJournal(source));
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function directory(): string {
  return mkdtempSync(join(tmpdir(), 'journal-'));
}

it.each(['a directory', 'a store'])('a journal in %s holds a call as hooks left it', async (where) => {
  const source = where === 'a store' ? memoryStore() : directory();
  const log = journal(typeof source === 'string' ? { sink: source } : { store: source });
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => addContext('be brief'), { id: 'brief' });
  hooks.on(BeforeToolCall.matching('search'), () => modify({ input: { query: 'a', key: '[redacted]' } }), {
    id: 'redact',
  });
  hooks.on(TransformToolResult, () => modify({ output: 'found [redacted]' }), { id: 'output' });
  hooks.guard(BeforeToolCall.matching('drop'), () => block('Never drop.'), { id: 'no-drop' });
  hooks.use(log);
  const session = hooks.session('s1');
  const execute = () => 'found tiger-lily';
  await callTool(
    hooks,
    { session, toolName: 'search', callId: 'c1', input: { query: 'a', key: 'tiger-lily' } },
    execute,
  );
  await callTool(hooks, { session, toolName: 'drop', callId: 'c2', input: {} }, execute);
  await hooks.close();
  await log.close();

  const readings = await readAll(source);
  expect(JSON.stringify(readings)).not.toContain('tiger-lily');
  const [before, after] = readings.filter(({ record }) => record.tool?.callId === 'c1');
  expect(before?.record).toMatchObject({
    type: 'hooks.before_tool_call',
    session: 's1',
    tool: { name: 'search', callId: 'c1' },
    decision: { kind: 'modify', fields: ['context', 'input'] },
  });
  expect(before?.record.hooks?.map(({ id, decision }) => [id, decision?.fields])).toEqual([
    ['brief', ['context']],
    ['redact', ['input']],
  ]);
  expect(before?.data).toMatchObject({ input: { query: 'a', key: '[redacted]' }, replaced: ['/input/key'] });
  expect(after?.record.type).toBe('hooks.transform_tool_result');
  const blocked = readings.find(
    ({ record }) => record.tool?.callId === 'c2' && record.decision?.kind === 'block',
  );
  expect(blocked?.record.decision).toEqual({ kind: 'block', by: 'no-drop' });
  expect(blocked?.data?.reason).toBe('Never drop.');
  const done = readings.filter(({ record }) => record.type === 'hooks.after_tool_call');
  expect(done.map(({ record, data }) => [record.status, data?.output])).toEqual([
    ['ok', 'found [redacted]'],
    ['blocked', undefined],
  ]);
  expect(readings.find(({ record }) => record.type === 'hooks.policy')?.record.registered).toMatchObject([
    { id: 'brief' },
    { id: 'redact' },
    { id: 'output' },
    { id: 'no-drop' },
  ]);
  expect(readings.at(-1)?.record.checkpoint).toMatchObject({ final: true, size: readings.length - 1 });
});

it.each([
  'postgres://ann:hunter2@db/app',
  'file:///hunter2',
  '~/hunter2',
  '~ann/hunter2',
  '$HUNTER2',
  ' hunter2',
])('the sink %j is refused: it would be a folder of that name, and hold a password', (sink) => {
  const cwd = process.cwd();
  const folder = directory();
  process.chdir(folder);
  try {
    for (const opened of [() => journal({ sink }), () => fileSink(sink)])
      expect(opened).toThrow(/^journal: the directory needs a path(?!.*hunter2)/i);
  } finally {
    process.chdir(cwd);
  }
  expect(readdirSync(folder)).toEqual([]);
});

it('each line of a journal fits the published schema, and a line that is cut off is named', async () => {
  const sink = directory();
  const log = journal({ sink });
  const hooks = createHooks();
  hooks.use(log);
  hooks.on(BeforeToolCall, () => proceed({ note: 'looked' }));
  await callTool(
    hooks,
    { session: hooks.session('s'), toolName: 'search', input: { text: 'ü\u2028\ud800' } },
    () => 1n,
  );
  await log.close();
  const [file = ''] = readdirSync(sink);
  const lines = readFileSync(join(sink, file), 'utf8').trimEnd().split('\n');
  for (const line of lines) expect(() => journalLineSchema.parse(JSON.parse(line))).not.toThrow();

  appendFileSync(join(sink, file), lines[0]!.slice(0, 90));
  expect(await readAll(sink)).toHaveLength(lines.length);
  const problems: string[] = [];
  const readings = await collect(readJournal(sink, { onProblem: ({ place }) => problems.push(place) }));
  expect(readings).toHaveLength(lines.length);
  expect(problems).toEqual([`${file}:${lines.length + 1}`]);
});

it.each([
  ['the version of the provider around it', { version: '2' }, {}],
  ['its priority', {}, { priority: 1 }],
])('the digest of a policy changes with %s', async (_, inProvider, inHook) => {
  const digestOf = async (provider: object, options: HookOptions) => {
    const store = memoryStore();
    const hooks = createHooks();
    hooks.use({
      name: 'acme',
      ...provider,
      register: (acme) =>
        void acme.use({
          name: 'inner',
          register: (inner) => void inner.guard(BeforeToolCall, () => proceed(), { id: 'guard', ...options }),
        }),
    });
    const log = journal({ store });
    hooks.use(log);
    await callTool(hooks, { session: hooks.session('s'), toolName: 'search', input: {} }, () => 'done');
    await log.close();
    return (await readAll(store)).find(({ record }) => record.type === 'hooks.policy')?.record.policy;
  };
  const digest = await digestOf({}, {});
  expect(await digestOf({}, {})).toBe(digest);
  expect(await digestOf(inProvider, inHook)).not.toBe(digest);
});

it('a line of a newer version says so', async () => {
  const sink = directory();
  const log = journal({ sink });
  await log.close();
  const [file = ''] = readdirSync(sink);
  const path = join(sink, file);
  const newer = readFileSync(path, 'utf8').replace('urn:hooks:journal:1', 'urn:hooks:journal:2');
  appendFileSync(path, newer);
  await expect(readAll(sink)).rejects.toMatchObject({ code: 'NEWER_VERSION' });
});

it('a record has the hashes of what was asked, what ran and what was approved, the tenant, and the span', async () => {
  const source = directory();
  const spanId = 'b7ad6b7169203331';
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const log = journal({ sink: source, span: () => ({ traceId, spanId }) });
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => modify({ input: { to: 'ann', amount: 5 } }));
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  hooks.use(log);
  let approved = '';
  const call = {
    session: hooks.session('s'),
    toolName: 'pay',
    input: { to: 'ann', amount: 50 },
    principal: { id: 'ada', tenant: 'acme' },
  };
  await callTool(hooks, call, () => 'paid', {
    approval: ({ hash }) => {
      approved = hash;
      return { decision: 'allow', by: 'grace' };
    },
  });
  await log.close();
  const readings = await readAll(source);
  const of = (type: string) => readings.find(({ record }) => record.type === `hooks.${type}`);
  expect(of('before_tool_call')?.data).toMatchObject({
    askedHash: await hashInput({ amount: 50, to: 'ann' }),
    inputHash: approved,
  });
  expect(of('tool_approval_decision')?.data).toMatchObject({
    approvedHash: approved,
    approvedBy: 'grace',
  });
  for (const type of ['before_tool_call', 'tool_approval_decision', 'after_tool_call'])
    expect(of(type)?.record).toMatchObject({ tenant: 'acme', traceId, spanId });
  const none = journal({ sink: directory(), span: () => ({ traceId: '0'.repeat(32), spanId: '' }) });
  createHooks().use(none);
  await none.close();
});

it('a key that a hook has removed is nowhere', async () => {
  const source = directory();
  const log = journal({ sink: source });
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => modify({ input: { headers: { '[redacted]': 1 } } }));
  hooks.use(log);
  const input = { headers: { 'tiger-lily': 1 } };
  await callTool(hooks, { session: hooks.session('s'), toolName: 'get', input }, () => 'done');
  await log.close();
  const readings = await readAll(source);
  expect(JSON.stringify(readings)).not.toContain('tiger-lily');
  expect(readings.find(({ data }) => data?.replaced)?.data?.replaced).toEqual([
    '/input/headers',
    '/input/headers/[redacted]',
  ]);
});

it('a journal leaves out an output whose JSON would repeat objects without end, and says so', async () => {
  const source = directory();
  const log = journal({ sink: source });
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ output }) => modify({ output: { ...(output as object), more: 1 } }));
  hooks.use(log);
  // Written as JSON, these are 2^40 texts.
  let shared: object = { text: 'x' };
  for (let level = 0; level < 40; level++) shared = { left: shared, right: shared };
  const session = hooks.session('s1');
  await callTool(hooks, { session, toolName: 'search', callId: 'c1', input: {} }, () => shared);
  await hooks.close();
  await log.close();
  const after = (await readAll(source)).filter(({ record }) => record.type === 'hooks.after_tool_call');
  expect(after.map(({ record }) => record.omitted)).toEqual([['output']]);
});

it('a journal holds an output in which a few objects stand in several places', async () => {
  const source = directory();
  const log = journal({ sink: source });
  const hooks = createHooks();
  hooks.use(log);
  const user = { name: 'Ann' };
  const output = Array.from({ length: 100 }, (_, id) => ({ id, user }));
  await callTool(hooks, { session: hooks.session('s1'), toolName: 'search', input: {} }, () => output);
  await hooks.close();
  await log.close();
  const after = (await readAll(source)).filter(({ record }) => record.type === 'hooks.after_tool_call');
  expect(after.map(({ data }) => data?.output)).toEqual([output]);
});

it('many journals of one process listen for its end once', async () => {
  const first = journal({ sink: directory() });
  const listeners = process.listenerCount('exit');
  const others = Array.from({ length: 12 }, () => journal({ sink: directory() }));
  expect(process.listenerCount('exit')).toBe(listeners);
  for (const log of [first, ...others]) await log.close();
});

it.each([
  'postgres://ann:pw@host/db',
  'redis:/ann:pw@host',
  'file:///var/journal',
  ...[':memory:', '~/journal', ' journal', 'journal\n', 'a\0b', ''],
])('the directory %j is refused, and not shown', (sink) => {
  const refused = { code: 'INVALID', message: expect.stringMatching(/director/) };
  for (const open of [() => journal({ sink }), () => fileSink(sink)]) {
    expect(open).toThrow(expect.objectContaining(refused));
    if (sink.includes('pw')) expect(open).not.toThrow('pw');
  }
});

it.each<[string, object]>([
  ['requried is unknown; did you mean required?', { requried: true }],
  ['required is a text; expected true or false', { required: 'yes' }],
  ['span is an empty object; expected a function', { span: {} }],
  ['onError is a text; expected a function', { onError: 'log' }],
  ['key is a text; expected an Ed25519 private key', { key: 'secret' }],
  ['one of the two', { store: memoryStore() }],
  ['sink is an empty object; expected a directory', { sink: {} }],
  ['store is a text; expected a store', { sink: undefined, store: 'redis://ann:pw@host' }],
  ['one of the two', { sink: undefined }],
])('an option that is wrong is refused: %s', (message, options) => {
  const open = () => journal({ sink: directory(), ...options } as Parameters<typeof journal>[0]);
  expect(open).toThrow(
    expect.objectContaining({ code: 'INVALID', message: expect.stringContaining(message) }),
  );
  expect(open).not.toThrow(/secret|pw/);
});

it('the records of a call that a hook renamed name the tool that runs', async () => {
  const directoryOfCall = directory();
  const log = journal({ sink: directoryOfCall });
  const hooks = createHooks({ aliases: { exec: 'shell', safe_exec: 'safe_shell' } });
  hooks.on(BeforeToolCall.matching('shell'), () => modify({ toolName: 'safe_shell' }));
  hooks.use(log);
  const call = { session: hooks.session('s1'), toolName: 'exec', callId: 'c1', input: 'ls' };
  const rename = (name: string) =>
    name === 'safe_exec'
      ? ({
          name,
          tool: { kind: 'function' },
          native: undefined,
          registries: hooks,
          unenforced: undefined,
          check: 'itself',
          execute: () => 'listed',
        } as const)
      : undefined;
  await callTool(hooks, call, () => 'ran', { rename });
  await hooks.close();
  await log.close();
  const tools = (await readAll(directoryOfCall)).flatMap(({ record }) => record.tool ?? []);
  expect(tools.length).toBeGreaterThan(1);
  for (const tool of tools)
    expect(tool).toMatchObject({ name: 'safe_shell', nativeName: 'exec', renamedTo: 'safe_exec' });
});
