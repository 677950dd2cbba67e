import { type AdapterHarness, Stage } from '@hooks/conformance';
import {
  type ApprovalRequest,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  proceed,
  requireApproval,
} from '@hooks/core';
import { openRun } from '@hooks/core/adapter';
import { testAgent } from '@hooks/core/testing';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore, type Store } from '@hooks/store';
import { HARNESSES_OF_ENDPOINTS } from '@hooks/testing/adapters';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { pii, redactSecrets } from '../src/index.ts';

const ann = 'ann.smith@acme.dev';
const options = { kinds: { email: 'redact' }, hashKey: 'k', reveal: { send_mail: ['to'] } } as const;

const mail = {
  name: 'send_mail',
  description: 'Sends.',
  schema: z.object({ to: z.string(), body: z.string() }),
};

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return String(value);
  }
}

/** The placeholder that stands in a text. */
const placeholderIn = (text: string): string => /\[REDACTED:[\w-]+#[\da-f]+\]/.exec(text)?.[0] ?? 'none';

describe.each(HARNESSES_OF_ENDPOINTS)('reveal in $name', ({ name, harness: url }) => {
  test('the named argument of the named tool gets the value, guards judge it, and nobody else sees it', async () => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, true);
    stage.hooks.use(pii(options));
    const judged: unknown[] = [];
    const events: unknown[] = [];
    stage.hooks.guard(BeforeToolCall, ({ input }) => {
      judged.push(input);
      return proceed();
    });
    stage.hooks.observe(HookEvent, ({ session: _, native, ...event }) => void events.push(event));
    stage.hooks.trace(
      ({ event: { session: _, native, ...event }, hooks }) => void events.push([event, hooks]),
    );
    const asked: ApprovalRequest[] = [];
    stage.hooks.on(BeforeToolCall, () => requireApproval('It is sent to a person.'));
    const sent: unknown[] = [];
    const tool = {
      ...mail,
      execute: (input: unknown) => {
        sent.push(input);
        return `Sent to ${ann}.`;
      },
    };
    const lookup = {
      name: 'find_address',
      description: 'Finds.',
      schema: z.object({ name: z.string() }),
      execute: () => `Ann: ${ann}`,
    };
    const { requests, result } = await stage.play(
      ({ turn, messages }) => {
        const to = placeholderIn(JSON.stringify(messages));
        if (turn === 0)
          return { toolCalls: [{ id: 'c0', name: 'find_address', arguments: { name: 'Ann' } }] };
        return turn === 1
          ? { toolCalls: [{ id: 'c1', name: 'send_mail', arguments: { to, body: `Dear ${to}` } }] }
          : { text: 'Done.' };
      },
      {
        tools: [lookup, tool],
        attach: {
          approval: (request) => {
            asked.push(request);
            return { decision: 'allow' };
          },
        },
      },
      { prompt: 'Write to Ann.', session: 's1' },
    );
    expect(result.error).toBeUndefined();
    const [, { to, body }] = judged as [unknown, { to: string; body: string }];
    expect(to).toBe(ann);
    expect(body).toMatch(/^Dear \[REDACTED:email#/);
    expect(sent).toEqual([{ to: ann, body }]);
    expect(JSON.stringify(asked)).not.toContain(ann);
    expect(asked.some(({ reveal }) => reveal !== undefined)).toBe(false);
    expect(JSON.stringify(requests)).not.toContain(ann);
    // What a tool returned is shown to those who transform it.
    const shown = events.filter((event) => !JSON.stringify(event).includes('transform_tool_result'));
    expect(shown.length).toBeGreaterThan(5);
    expect(JSON.stringify(shown)).not.toContain(ann);
    const shows = result.seen.filter(({ value }) => textOf(value).includes(ann)).map(({ kind }) => kind);
    // LangChain tells what it calls a tool with.
    expect([...new Set(shows)]).toEqual(name === 'langchain' ? ['stream tools', 'tool start'] : []);
  });
});

/** What a sub-agent is told: the same text in each field that its tool requires. */
function helperInput(schema: unknown, text: string): object | string {
  const { properties = {}, required = [] } = Object(schema) as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
  if (required.length === 0) return text;
  return Object.fromEntries(required.map((field) => [field, helperInput(properties[field], text)]));
}

describe.each(HARNESSES_OF_ENDPOINTS)('reveal with a sub-agent in $name', ({ harness: url }) => {
  test.each([
    ['who finds it', ['find_address'], ['send_mail']],
    ['whose tool gets it', ['send_mail'], ['find_address']],
  ])('has one placeholder of a value with it, %s', async (_what, ofHelper, ofAgent) => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, false);
    stage.hooks.use(pii(options));
    const sent: unknown[] = [];
    const tools = [
      { ...mail, name: 'find_address', execute: () => `Ann: ${ann}` },
      { ...mail, execute: (input: unknown) => sent.push(input) && `Sent to ${ann}.` },
    ];
    const toolsOf = (names: readonly string[]) => tools.filter(({ name }) => names.includes(name));
    const read = new Set<string>();
    const { result } = await stage.play(
      ({ messages, tools: offered }) => {
        const text = JSON.stringify(messages);
        for (const [placeholder] of text.matchAll(/\[REDACTED:[\w-]+#[\da-f]+\]/g)) read.add(placeholder);
        const to = placeholderIn(text);
        if (messages.at(-1)?.role === 'tool' && to !== 'none' && text.includes('Sent to'))
          return { text: `Sent to ${to}.` };
        const named = (part: string) => offered.find(({ name }) => name.includes(part));
        const find = to === 'none' ? named('find_address') : undefined;
        const tool = find ?? (to === 'none' ? undefined : named('send_mail')) ?? named('helper');
        if (tool === undefined || text.includes('Blocked')) return { text: `It is ${to}.` };
        const isHelper = tool.name.includes('helper');
        const args = isHelper ? helperInput(tool.parameters, to) : { to, body: 'Hello.' };
        return { toolCalls: [{ id: `c${messages.length}`, name: tool.name, arguments: args }] };
      },
      {
        tools: toolsOf(ofAgent),
        subagents: [
          { name: 'helper', description: 'Helps.', instructions: 'Help.', tools: toolsOf(ofHelper) },
        ],
      },
      { prompt: 'Write to Ann.', session: 's1' },
    );
    expect(result.error).toBeUndefined();
    expect(sent).toEqual([{ to: ann, body: 'Hello.' }]);
    expect(read.size).toBe(1);
  });
});

// A sub-agent of the AI SDK is a tool's own code, which cannot pause.
const pausing = HARNESSES_OF_ENDPOINTS.filter(({ name }) => name !== 'ai-sdk');

describe.each(pausing)('reveal in a sub-agent that pauses in $name', ({ harness: url }) => {
  test('gives the tool the value where another process resumes it', async () => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, false);
    const store = memoryStore();
    const storage = await stage.directory();
    const sent: unknown[] = [];
    const tools = [
      { ...mail, name: 'find_address', execute: () => `Ann: ${ann}` },
      { ...mail, execute: (input: unknown) => sent.push(input) && `Sent to ${ann}.` },
    ];
    const inAProcess = () => {
      const hooks = stage.registry();
      hooks.use(pii({ ...options, store }));
      hooks.guard(BeforeToolCall.matching('send_mail'), () => requireApproval('It is sent.'));
      return stage.agent(
        ({ messages, tools: offered }) => {
          const text = JSON.stringify(messages);
          const to = placeholderIn(text);
          const tool = offered.find(({ name }) =>
            name.includes('helper') ? true : name === (to === 'none' ? 'find_address' : 'send_mail'),
          );
          if (tool === undefined || text.includes('Sent to')) return { text: `Sent to ${to}.` };
          const isHelper = tool.name.includes('helper');
          const args = isHelper ? helperInput(tool.parameters, 'Mail Ann.') : { to, body: 'Hello.' };
          return { toolCalls: [{ id: `${tool.name}-1`, name: tool.name, arguments: args }] };
        },
        {
          hooks: [hooks],
          attach: { approval: 'native' },
          tools: [],
          subagents: [{ name: 'helper', description: 'Helps.', instructions: 'Help.', tools }],
          storage,
        },
      );
    };
    const first = await (await inAProcess()).run({ session: 's1' });
    const [pending] = first.result.pending;
    expect(pending).toMatchObject({
      toolName: 'send_mail',
      input: { to: expect.stringContaining('REDACTED') },
    });
    const answers = [{ callId: pending?.callId ?? '', decision: 'allow' }] as const;
    const { result } = await (await inAProcess()).resume('s1', answers);
    expect(result.error).toBeUndefined();
    expect(sent).toEqual([{ to: ann, body: 'Hello.' }]);
  });
});

/** One process: reads a text in a tool's result, and calls `send_mail` with what the model read. */
function processWith(policy: Parameters<ReturnType<typeof createHooks>['use']>[0]) {
  const hooks = createHooks({ onWarning: () => {} });
  hooks.use(policy);
  const session = hooks.session('s');
  return {
    hooks,
    read: async (text: string): Promise<string> =>
      String((await callTool(hooks, { session, toolName: 'read', input: {} }, () => text)).output),
    send: async (input: object, toolName = 'send_mail') => {
      let got: unknown = 'nothing';
      const outcome = await callTool(hooks, { session, toolName, input }, (given) => {
        got = given;
        return 'sent';
      });
      return { got, outcome };
    },
  };
}

test('another tool and another argument get the placeholder', async () => {
  const { read, send } = processWith(pii(options));
  const to = await read(ann);
  expect((await send({ to, cc: [to] })).got).toEqual({ to: ann, cc: [to] });
  expect((await send({ to: [{ address: to }] })).got).toEqual({ to: [{ address: ann }] });
  expect((await send({ to }, 'search')).got).toEqual({ to });
});

test('a placeholder whose value is not known blocks the call', async () => {
  const { send } = processWith(pii(options));
  const { got, outcome } = await send({ to: '[REDACTED:email#00000000]' });
  expect(got).toBe('nothing');
  expect(outcome.reason).toContain('the value of [REDACTED:email#00000000] is not known');
});

test('pii reveals no secret, and redactSecrets no personal data', async () => {
  const secret = 'DB_PASSWORD=hunter2-hunter2-x9Q';
  const hooks = processWith(redactSecrets({ reveal: { login: ['password'] }, placeholderKey: 'k' }));
  hooks.hooks.use(pii(options));
  const password = placeholderIn(await hooks.read(secret));
  expect(password).toMatch(/password/);
  expect((await hooks.send({ to: password })).got).toEqual({ to: password });
  expect((await hooks.send({ password }, 'login')).got).toEqual({ password: 'hunter2-hunter2-x9Q' });
});

test('what a guard quotes of the value is hidden from the model and the trace', async () => {
  const { hooks, read, send } = processWith(pii(options));
  hooks.guard(BeforeToolCall, ({ input }) => block(`No mail to ${Object(input).to}.`));
  const traced: unknown[] = [];
  hooks.trace(({ hooks: asked, decision }) => void traced.push(asked, decision));
  const to = await read(ann);
  const { outcome } = await send({ to });
  expect(outcome.reason).toBe(`No mail to ${to}.`);
  expect(JSON.stringify(traced)).not.toContain(ann);
});

test('a value is hidden also where a guard or a tool quotes it in JSON or in a URL', async () => {
  const { hooks, send } = processWith(
    redactSecrets({ reveal: { login: ['password'] }, placeholderKey: 'k' }),
  );
  const value = 'hunter2"hunter2/x9Q';
  const quotes = `${JSON.stringify({ to: value })} https://acme.dev/?q=${encodeURIComponent(value)}`;
  const run = (toolName: string, input: unknown, output: unknown) =>
    callTool(hooks, { session: hooks.session('s'), toolName, input }, () => output);
  const { output } = await run('read', {}, { password: value });
  const password = placeholderIn(JSON.stringify(output));
  expect((await send({ password }, 'login')).got).toEqual({ password: value });
  const hidden = quotes
    .replace('hunter2\\"hunter2/x9Q', password)
    .replace(encodeURIComponent(value), password);
  expect((await run('login', { password }, quotes)).output).toBe(hidden);
  hooks.guard(BeforeToolCall.matching('login'), () => block(quotes));
  expect((await send({ password }, 'login')).outcome.reason).toBe(hidden);
});

test('a field of an argument gets the value, also in each item of a list, and its neighbour does not', async () => {
  const reveal = { send_mail: ['message.to', 'copies.to.address', 'a.b', 'list'] };
  const { read, send } = processWith(pii({ ...options, reveal }));
  const to = await read(ann);
  const copy = { to: { address: to, name: to } };
  const input = {
    to,
    message: { to: [to, 'x'], body: to },
    copies: [copy, copy, 'y'],
    'a.b': to,
    list: [{ to }],
  };
  const got = { to: { address: ann, name: to } };
  expect((await send(input)).got).toEqual({
    to,
    message: { to: [ann, 'x'], body: to },
    copies: [got, got, 'y'],
    'a.b': ann,
    list: [{ to: ann }],
  });
});

test('a placeholder that the model shortened blocks the call', async () => {
  const { read, send } = processWith(pii(options));
  const to = await read(ann);
  expect((await send({ to: to.replace(/.\]$/, ']') })).got).toBe('nothing');
});

test('an approver sees the value where the policy says so, and no copy of the request has it', async () => {
  const { hooks, read } = processWith(pii({ ...options, showTo: 'approver' }));
  hooks.on(BeforeToolCall.matching('send_mail'), () => requireApproval('It is sent.'));
  const to = await read(ann);
  const asked: ApprovalRequest[] = [];
  await callTool(hooks, { session: hooks.session('s'), toolName: 'send_mail', input: { to } }, () => 'sent', {
    approval: (request) => {
      asked.push(request);
      return { decision: 'deny' };
    },
  });
  expect(asked[0]?.input).toEqual({ to });
  expect(asked[0]?.reveal?.()).toEqual({ to: ann });
  expect(JSON.stringify(structuredClone(asked[0]))).not.toContain(ann);
});

test('with a store, another process has the value, and the store does not have it in plain', async () => {
  const store = memoryStore();
  const kept: unknown[] = [];
  const watched: Pick<Store, 'append' | 'read'> = {
    append: (stream, records, more) => {
      kept.push(...records);
      return store.append(stream, records, more);
    },
    read: (stream, more) => store.read(stream, more),
  };
  const to = await processWith(pii({ ...options, store: watched })).read(ann);
  expect(kept).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toMatch(/ann|acme/);
  expect((await processWith(pii({ ...options, store })).send({ to })).got).toEqual({ to: ann });
  expect((await processWith(pii(options)).send({ to })).got).toBe('nothing');
  const other = await processWith(pii({ ...options, hashKey: 'another', store })).send({ to });
  expect(other.got).toBe('nothing');
});

/** Their digests begin with the same eight digits, in session `s` and with the key `k`. */
const alike = ['u7585@acme.dev', 'u16857@acme.dev'] as const;

test('two values whose digests begin alike have two placeholders, and each reveals its own', async () => {
  const { read, send } = processWith(pii(options));
  for (const address of alike) expect((await send({ to: await read(address) })).got).toEqual({ to: address });
  expect(await read(alike[1])).not.toBe(await read(alike[0]));
});

test('a placeholder that two processes gave to two values reveals neither', async () => {
  const store = memoryStore();
  const [to] = await Promise.all(
    alike.map((address) => processWith(pii({ ...options, store })).read(address)),
  );
  expect((await processWith(pii({ ...options, store })).send({ to })).got).toBe('nothing');
});

test('a placeholder that another process gives to another value reveals neither, also where the first was known before', async () => {
  const store = memoryStore();
  const first = processWith(pii({ ...options, store }));
  const to = await first.read(alike[0]);
  expect((await first.send({ to })).got).toEqual({ to: alike[0] });
  expect(await processWith(pii({ ...options, store })).read(alike[1])).toBe(to);
  expect((await first.send({ to })).got).toBe('nothing');
});

test('a value that each process found by another name is revealed by the placeholders of both', async () => {
  const store = memoryStore();
  const policy = () => redactSecrets({ placeholderKey: 'k', store, reveal: { login: ['with'] } });
  const value = 'x9Qk3vT8mW2pL7rZ5bN4';
  const [one, other] = [processWith(policy()), processWith(policy())];
  const password = placeholderIn(await one.read(`DB_PASSWORD=${value}`));
  const token = placeholderIn(await other.read(`api_token: "${value}"`));
  expect(token).not.toBe(password);
  for (const process of [one, other, processWith(policy())])
    for (const placeholder of [password, token])
      expect((await process.send({ with: placeholder }, 'login')).got).toEqual({ with: value });
});

test('guards with different keys share a store, and each keeps its own values only', async () => {
  const store = memoryStore();
  const both = () => {
    const one = processWith(pii({ ...options, store }));
    one.hooks.use(redactSecrets({ placeholderKey: 'other', store, reveal: { login: ['password'] } }));
    return one;
  };
  const text = await both().read(`${ann} DB_PASSWORD=hunter2-hunter2-x9Q`);
  const [to, password] = text.match(/\[REDACTED:[^\]]+\]/g) ?? [];
  expect((await both().send({ to })).got).toEqual({ to: ann });
  expect((await both().send({ password }, 'login')).got).toEqual({ password: 'hunter2-hunter2-x9Q' });

  const kept: unknown[] = [];
  const counting: Pick<Store, 'append' | 'read'> = {
    append: (stream, records, more) => {
      kept.push(...records);
      return store.append(stream, records, more);
    },
    read: (stream, more) => store.read(stream, more),
  };
  const one = processWith(pii({ ...options, store: counting }));
  one.hooks.use(redactSecrets());
  await one.read(`${ann} DB_PASSWORD=hunter2-hunter2-x9Q`);
  await one.read('another text');
  expect(kept).toHaveLength(1);
});

test('a store without a key, and a tool without arguments, are errors', () => {
  expect(() => pii({ reveal: { a: ['b'] }, store: memoryStore() })).toThrow(/store needs hashKey/);
  expect(() => redactSecrets({ reveal: { a: ['b'] }, store: memoryStore() })).toThrow(
    /store needs placeholderKey/,
  );
  expect(() => pii({ reveal: { a: [] } })).toThrow(/reveal.a is an empty list/);
});

test('a tool gets a secret as it is, whatever escapes the text has in which it was read', async () => {
  const agent = testAgent(redactSecrets({ reveal: { login: ['password'] } }));
  const password = 'Kx9v&L2q\\Pz"71';
  const escaped = JSON.stringify({ password }).replace('&', '\\u0026');
  const { output } = (await agent.callTool('read', {}, { execute: () => escaped })) as { output?: string };
  const placeholder = JSON.parse(output ?? '').password;
  const got: unknown[] = [];
  await agent.callTool('login', { password: placeholder }, { execute: ({ password }) => got.push(password) });
  expect(got).toEqual([password]);
  // It is known from then on, with and without the escapes.
  for (const text of [`echo ${password}`, escaped.replace('password', 'note')]) {
    const shown = (await agent.callTool('read', {}, { execute: () => text })) as { output?: string };
    expect(shown.output).toContain(placeholder);
    expect(shown.output).not.toMatch(/Kx9v|L2q/);
  }
});

test('the history of a helper that users share is cleaned of the secrets of the user who asks it now', async () => {
  const hooks = createHooks();
  hooks.use(redactSecrets());
  const secretOf = (user: string) => `hunter2-${user}-x9Q7`;
  const sent: string[] = [];
  for (const sessionId of ['ann', 'bob']) {
    const user = openRun(hooks, { sessionId });
    const output = `DB_PASSWORD=${secretOf(sessionId)}`;
    await user.callTool({ toolName: 'read', input: {} }, () => output);
    const helper = user.openChild({ sessionId: 'helper', ownsSession: false });
    await helper.startTurn();
    const messages = [{ role: 'user' as const, text: `It is ${secretOf('bob')}.` }];
    const prepared = await helper.modelCall({}).prepare(() => ({ messages, tools: [] }));
    sent.push(JSON.stringify(prepared));
  }
  const [first, second] = sent;
  expect(first).not.toContain('REDACTED');
  expect(second).toContain('[REDACTED:password#');
});
