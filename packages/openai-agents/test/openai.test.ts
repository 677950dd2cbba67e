import { type Step, startModelServer, toolResults } from '@hooks/conformance';
import {
  AfterToolCall,
  addContext,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  modify,
  proceed,
  requireApproval,
  retry,
  SessionEnd,
  TransformToolResult,
} from '@hooks/core';
import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { blockReason, hookTool, hookTools } from '../src/openai/index.ts';
import { call } from './setup.ts';

const parameters = z.object({ path: z.string() });

function toolsOf(execute: (input: { path: string }) => unknown) {
  return {
    zodFunction: zodFunction({ name: 'remove', parameters, function: execute }),
    'function with parse': {
      type: 'function' as const,
      function: {
        name: 'remove',
        description: '',
        parameters: { type: 'object', properties: { path: { type: 'string' } } } as const,
        parse: (raw: string) => parameters.parse(JSON.parse(raw)),
        function: execute,
      },
    },
    'function without parse': {
      type: 'function' as const,
      function: {
        name: 'remove',
        description: '',
        parameters: {
          type: 'object',
          properties: { path: { type: 'string' } },
          required: ['path'],
        } as const,
        function: (raw: string) => execute(JSON.parse(raw)),
      },
    },
  };
}

const oneCall: readonly Step[] = [{ toolCalls: [call('remove', { path: 'a' }, 'c1')] }, { text: 'Done.' }];

type Tools = Parameters<OpenAI['chat']['completions']['runTools']>[0]['tools'];

async function run(script: readonly Step[], tools: object[], stream: boolean) {
  await using server = await startModelServer({ script });
  const client = new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'go' }];
  // The SDK's type of `tools` cannot be written for tools of several kinds.
  const asked = { model: 'scripted', messages, tools: tools as unknown as Tools };
  const runner = stream
    ? client.chat.completions.runTools({ ...asked, stream })
    : client.chat.completions.runTools(asked);
  const answer = await runner.finalContent().catch((error: unknown) => error);
  const { requests } = server;
  return { runner, answer, requests, read: requests[1] && toolResults(requests[1]) };
}

describe.each(['with a parser', 'without a parser'])('A function of runTools %s', (kind) => {
  test.each([
    ['repeats a key', '{"path":"a","path":"b"}', '{"path":"b"}'],
    ['has a number of more digits than JavaScript keeps', '{"n":9007199254740993}', '{"n":9007199254740992}'],
  ])('is given what hooks have seen of a text that %s', async (_what, written, read) => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, ({ input }) => {
      seen.push(JSON.stringify(input));
      return proceed();
    });
    const given = vi.fn((raw: string) => raw);
    const parse = kind === 'with a parser' ? { parse: (raw: string) => raw } : {};
    const remove = {
      type: 'function' as const,
      function: { name: 'remove', description: '', parameters: {}, ...parse, function: given },
    };
    await run(
      [{ toolCalls: [call('remove', written)] }, { text: 'Done.' }],
      hookTools([remove], hooks),
      false,
    );
    expect(seen).toEqual([read]);
    expect(given.mock.calls.map(([raw]) => raw)).toEqual([read]);
  });

  test.each(["{path:'a'}", '{"path":"a"}{"path":"b"}', '"{}"', '[{"path":"a"}]', ''])(
    'does not run with the text %j, in which hooks see no fields',
    async (written) => {
      const hooks = createHooks();
      const asked = vi.fn(() => proceed());
      hooks.on(BeforeToolCall, asked);
      const given = vi.fn((raw: string) => raw);
      const parse = kind === 'with a parser' ? { parse: (raw: string) => raw } : {};
      const remove = {
        type: 'function' as const,
        function: { name: 'remove', description: '', parameters: {}, ...parse, function: given },
      };
      const script = [{ toolCalls: [call('remove', written, 'c1')] }, { text: 'Done.' }];
      const { read } = await run(script, hookTools([remove], hooks), false);
      expect(asked).not.toHaveBeenCalled();
      expect(given).not.toHaveBeenCalled();
      expect(read?.['c1']).toMatch(/must be a JSON object/);
    },
  );
});

describe.each(['zodFunction', 'function with parse', 'function without parse'] as const)(
  'runTools with a %s',
  (kind) => {
    describe.each([false, true])('(streamed: %s)', (stream) => {
      test('blocks: the model reads the reason, the callback does not run', async () => {
        const hooks = createHooks();
        const ids: string[] = [];
        hooks.on(BeforeToolCall, ({ callId }) => {
          ids.push(callId);
          return block('not this one');
        });
        const execute = vi.fn();
        const { read } = await run(oneCall, hookTools([toolsOf(execute)[kind]], hooks), stream);
        expect(execute).not.toHaveBeenCalled();
        expect(read).toEqual({ c1: 'not this one' });
        expect(ids).toEqual(['c1']);
      });

      test('rewrites input and output', async () => {
        const hooks = createHooks();
        hooks.on(BeforeToolCall, () => modify({ input: { path: 'b' } }));
        hooks.on(TransformToolResult, ({ output }) => modify({ output: `<${output}>` }));
        const tools = toolsOf(({ path }) => `removed ${path}`);
        const { read } = await run(oneCall, hookTools([tools[kind]], hooks), stream);
        expect(read).toEqual({ c1: '<removed b>' });
      });

      test('runs a failing callback again', async () => {
        const hooks = createHooks();
        hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('flaky') : proceed()));
        let runs = 0;
        const tools = toolsOf(() => {
          if (++runs < 2) throw new Error('flaky');
          return 'worked';
        });
        const { read } = await run(oneCall, hookTools([tools[kind]], hooks), stream);
        expect(read).toEqual({ c1: 'worked' });
      });
    });

    test('refuses a rewritten input that does not fit', async () => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => modify({ input: { path: 1 } }));
      const execute = vi.fn();
      const { read } = await run(oneCall, hookTools([toolsOf(execute)[kind]], hooks), false);
      expect(execute).not.toHaveBeenCalled();
      expect(read?.['c1']).toMatch(/changed input does not fit/);
    });

    test('asks no hook about an input that does not fit, and the model reads what is wrong', async () => {
      const hooks = createHooks();
      const before = vi.fn(() => proceed());
      hooks.on(BeforeToolCall, before);
      const script = [{ toolCalls: [call('remove', { path: 1 }, 'c1')] }, { text: 'Done.' }];
      const execute = vi.fn();
      const { read } = await run(script, hookTools([toolsOf(execute)[kind]], hooks), false);
      expect(before).not.toHaveBeenCalled();
      expect(execute).not.toHaveBeenCalled();
      expect(read?.['c1']).toMatch(/string/);
    });
  },
);

test.each(['zodFunction', 'function with parse', 'function without parse'] as const)(
  'Where no hook is registered a %s does as without hooks, also with an input that does not fit',
  async (kind) => {
    for (const args of [{ path: 'a' }, { wrong: 1 }]) {
      const script = [{ toolCalls: [call('remove', args, 'c1')] }, { text: 'Done.' }];
      const execute = vi.fn(({ path }: { path?: string }) => `removed ${path}`);
      const bare = await run(script, [toolsOf(execute)[kind]], false);
      const ran = execute.mock.calls.length;
      const hooked = await run(script, hookTools([toolsOf(execute)[kind]], createHooks()), false);
      expect(hooked.read).toEqual(bare.read);
      expect(execute).toHaveBeenCalledTimes(2 * ran);
    }
  },
);

test('Equal calls of one turn keep their own ids', async () => {
  const script = [
    { toolCalls: [call('remove', { path: 'a' }, 'c1'), call('remove', { path: 'a' }, 'c2')] },
    { text: 'Done.' },
  ];
  const hooks = createHooks();
  const ids: string[] = [];
  hooks.observe(BeforeToolCall, ({ callId }) => void ids.push(callId));
  await run(script, hookTools([toolsOf(() => 'ok').zodFunction], hooks), false);
  expect(ids).toEqual(['c1', 'c2']);
});

describe.each(['zodFunction', 'function with parse', 'function without parse'] as const)(
  'A %s that two hooks have hooked',
  (kind) => {
    test('has one id for both, also where the outer ones rewrite the input', async () => {
      const script = [
        { toolCalls: [call('remove', { path: 'a' }, 'c1'), call('remove', { path: 'a' }, 'c2')] },
        { text: 'Done.' },
      ];
      const [inner, outer] = [createHooks(), createHooks()];
      const ids: string[] = [];
      outer.on(BeforeToolCall, ({ callId }) => modify({ input: { path: `of ${callId}` } }));
      inner.observe(
        BeforeToolCall,
        ({ callId, input }) => void ids.push(`${callId} ${JSON.stringify(input)}`),
      );
      const execute = vi.fn(({ path }: { path: string }) => path);
      const { read } = await run(script, hookTools(hookTools([toolsOf(execute)[kind]], inner), outer), false);
      expect(ids).toEqual(['c1 {"path":"of c1"}', 'c2 {"path":"of c2"}']);
      expect(read).toEqual({ c1: 'of c1', c2: 'of c2' });
    });

    test('asks neither about an input that does not fit', async () => {
      const script = [{ toolCalls: [call('remove', { path: 1 }, 'c1')] }, { text: 'Done.' }];
      const [inner, outer] = [createHooks(), createHooks()];
      const before = vi.fn(() => proceed());
      for (const hooks of [inner, outer]) hooks.on(BeforeToolCall, before);
      const tools = hookTools(hookTools([toolsOf(vi.fn())[kind]], inner), outer);
      const { read } = await run(script, tools, false);
      expect(before).not.toHaveBeenCalled();
      expect(read?.['c1']).toMatch(/string/);
    });

    test('is not hooked twice by the same', async () => {
      const [inner, outer] = [createHooks(), createHooks()];
      const before = vi.fn(() => proceed());
      inner.on(BeforeToolCall, before);
      const tools = hookTools(hookTools(hookTools([toolsOf(() => 'ok')[kind]], inner), outer), inner);
      await run(oneCall, tools, false);
      expect(before).toHaveBeenCalledOnce();
    });
  },
);

test('A block with `stop` aborts the runner: no model call follows, and it tells why', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('over', { stop: true }));
  const { runner, answer, requests } = await run(
    oneCall,
    hookTools([toolsOf(vi.fn()).zodFunction], hooks),
    false,
  );
  expect(answer).toBeInstanceOf(Error);
  expect(blockReason(runner)).toBe('over');
  expect(requests).toHaveLength(1);
});

test('Context that a hook adds to a call, which no model is told of, is warned of', async () => {
  const onWarning = vi.fn();
  const hooks = createHooks({ onWarning });
  hooks.on(BeforeToolCall, () => addContext('Look twice.'));
  await run(oneCall, hookTools([toolsOf(() => 'removed').zodFunction], hooks), false);
  expect(onWarning.mock.calls).toEqual([[expect.stringContaining('context')]]);
});

test('A required approval is asked of the approver', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'));
  const tools = toolsOf(({ path }) => `removed ${path}`);
  const approver = vi.fn(() => ({ decision: 'allow' as const }));
  const { read } = await run(oneCall, hookTools([tools.zodFunction], hooks, { approval: approver }), false);
  expect(approver).toHaveBeenCalledOnce();
  expect(read).toEqual({ c1: 'removed a' });
  // @ts-expect-error the plain SDK has no pause
  expect(() => hookTools([tools.zodFunction], hooks, { approval: 'native' })).toThrow(/no pause/);
});

test.each([
  ['by another approver', { approval: () => ({ decision: 'deny' as const }) }],
  ['by nobody', { approval: 'deny' as const }],
  ['for another principal', { principal: () => ({ id: 'bob' }) }],
])('A call is not renamed to a tool that is approved %s', async (_whose, options) => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => modify({ toolName: 'erase' }));
  hooks.guard(BeforeToolCall, () => requireApproval('?'));
  const tools = toolsOf(vi.fn(() => 'removed'));
  const erased = vi.fn(() => 'erased');
  const erase = zodFunction({ name: 'erase', parameters, function: erased });
  const approval = () => ({ decision: 'allow' as const });
  const hooked = [
    hookTool(tools.zodFunction, hooks, { approval }),
    hookTool(erase, hooks, { approval, ...options }),
  ];
  const { read } = await run(oneCall, hookTools(hooked, createHooks()), false);
  expect(erased).not.toHaveBeenCalled();
  expect(read?.['c1']).toContain('other options');
});

test('The session opens with the first call and closes with the runner', async () => {
  const hooks = createHooks();
  const ended = vi.fn();
  hooks.observe(SessionEnd, () => ended());
  await run(oneCall, hookTools([toolsOf(() => 'ok').zodFunction], hooks), false);
  await hooks.settled();
  expect(ended).toHaveBeenCalledOnce();
});

test('A refusing hook on what `runTools` has no place for is refused itself', () => {
  const hooks = createHooks();
  hooks.guard(BeforeModelCall, () => block('no'));
  expect(() => hookTools([toolsOf(vi.fn()).zodFunction], hooks)).toThrow(/before_model_call/);
});

test('calls of runTools carry the principal that the tool context names', async () => {
  await using server = await startModelServer({
    script: [{ toolCalls: [call('remove', { path: 'a' })] }, { text: 'Done.' }],
  });
  const client = new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 });
  const hooks = createHooks();
  const told = new Set<string | undefined>();
  hooks.observe(HookEvent, ({ principal }) => void told.add(principal?.id));
  const principal = (context?: { user: string }) => context && { id: context.user };
  const tool = zodFunction({ name: 'remove', parameters, function: () => 'removed' });
  const messages = [{ role: 'user' as const, content: 'go' }];
  const tools = hookTools([tool], hooks, { principal });
  await client.chat.completions
    .runTools({ model: 'scripted', messages, tools, toolContext: { user: 'ann' } } as never)
    .finalContent();
  await hooks.settled();
  expect([...told]).toEqual(['ann']);
});

test('A tool that reads the raw text gets the data that hooks saw, where the text repeats a key', async () => {
  const seen = vi.fn((raw: string) => raw);
  const asked = vi.fn();
  const hooks = createHooks();
  hooks.on(BeforeToolCall, ({ input }) => {
    asked(input);
    return proceed();
  });
  const remove = {
    type: 'function',
    function: { name: 'remove', description: '', parameters: {}, function: seen },
  };
  const text = '{"path":"/etc","path":"a"}';
  await run(
    [{ toolCalls: [call('remove', text, 'c1')] }, { text: 'Done.' }],
    hookTools([remove as never], hooks),
    false,
  );
  expect(asked).toHaveBeenCalledWith({ path: 'a' });
  expect(seen.mock.calls.map(([raw]) => raw)).toEqual(['{"path":"a"}']);
});

describe('Tools that one registry hooks with different options', () => {
  const twoCalls: readonly Step[] = [
    { toolCalls: [call('read', { path: 'a' }, 'c1')] },
    { toolCalls: [call('remove', { path: 'a' }, 'c2')] },
    { text: 'Done.' },
  ];
  const toolOf = (name: string, ran: string[]) =>
    zodFunction({ name, parameters, function: () => void ran.push(name) });

  test.each([['deny' as const], [undefined]])('have each its own approver, also for %s', async (approval) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const ran: string[] = [];
    const read = hookTool(toolOf('read', ran), hooks, { approval: () => ({ decision: 'allow' }) });
    const remove = hookTool(toolOf('remove', ran), hooks, approval && { approval });
    await run(twoCalls, [read, remove], false);
    expect(ran).toEqual(['read']);
  });

  test.each([['guest'], [undefined]])('have each its own principal, also for %s', async (id) => {
    const [outer, inner] = [createHooks(), createHooks()];
    const seen: unknown[] = [];
    outer.observe(HookEvent, ({ type, principal }) => void seen.push([type, principal?.id]));
    inner.guard(BeforeToolCall, ({ principal }) => (principal?.id === 'admin' ? proceed() : block('no')));
    const ran: string[] = [];
    const read = hookTool(toolOf('read', ran), inner, { principal: () => ({ id: 'admin' }) });
    const remove = hookTool(toolOf('remove', ran), inner, { principal: () => (id ? { id } : undefined) });
    await run(twoCalls, [hookTool(read, outer), hookTool(remove, outer)], false);
    await outer.settled();
    expect(ran).toEqual(['read']);
    for (const user of ['admin', id])
      for (const type of ['session_start', 'before_tool_call', 'session_end'])
        expect(seen).toContainEqual([type, user]);
  });
});

test('A guard of the tool that a call is renamed to sees the descriptor of that tool', async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(BeforeToolCall.matching('remove'), () => modify({ toolName: 'erase' }));
  hooks.guard(BeforeToolCall.matching('erase'), ({ tool }) => {
    seen.push(tool?.description);
    return proceed();
  });
  const { zodFunction: remove } = toolsOf(() => 'removed');
  const erase = zodFunction({
    name: 'erase',
    description: 'Erases.',
    parameters,
    function: () => 'erased',
  });
  const { read } = await run(oneCall, hookTools([remove, erase], hooks), false);
  expect([seen, read?.['c1']]).toEqual([['Erases.'], 'erased']);
});

test('a call that a hook renames becomes none of a tool that further hooks decide on', async () => {
  const ran: string[] = [];
  const make = (name: string) => ({
    type: 'function' as const,
    function: {
      name,
      description: '',
      parameters: { type: 'object', properties: {} } as const,
      function: () => (ran.push(name), name),
    },
  });
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'see' }));
  const refusing = createHooks();
  refusing.guard(BeforeToolCall.matching('see'), () => block('Nobody sees.'));
  const read = async (tools: readonly object[]) => {
    const script = [{ toolCalls: [{ id: 'c1', name: 'look', arguments: {} }] }, { text: 'Done.' }];
    const server = await startModelServer({ script });
    const client = new OpenAI({ apiKey: 'none', baseURL: server.url });
    const messages = [{ role: 'user' as const, content: 'go' }];
    await client.chat.completions.runTools({ model: 'm', messages, tools: tools as never }).finalContent();
    const results = server.requests.map(toolResults).at(-1);
    await server.close();
    return results?.['c1'];
  };
  const [look, see] = hookTools([make('look'), make('see')], hooks);
  // Hooked once more by the same hooks, both are what they were.
  const [again] = hookTools(
    [make('look'), see].filter((one) => one !== undefined),
    hooks,
  );
  expect(await read([Object(again), Object(see)])).toBe('see');
  ran.length = 0;
  expect(await read([Object(look), hookTool(Object(see), refusing)])).toContain('was hooked again since');
  expect(ran).toEqual([]);
});
