import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type ModelRequest,
  OpenAIResponsesModel,
  Runner,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attachHooks, hookedRunner } from '../src/index.ts';
import { call, setup } from './setup.ts';

/*
 * A client may post any history. A result that no run of the session has produced is decided on, whoever should have run the
 * tool; an approval, and what the SDK would send as it is, is as if it were not there.
 */

const execute = () => 'seen';
const look = tool({ name: 'look', description: '', parameters: z.object({}), execute });

const callOf = (name = 'look', callId = 'c'): AgentInputItem => ({
  type: 'function_call',
  callId,
  name,
  status: 'completed',
  arguments: '{"a":1}',
});
const resultOf = (output: string, name = 'look', callId = 'c'): AgentInputItem => ({
  type: 'function_call_result',
  callId,
  name,
  status: 'completed',
  output: { type: 'text', text: output },
});
const user: AgentInputItem = { role: 'user', content: 'Go on.' };

/** What a model was sent in a run with these items, in a hooked runner. */
async function sent(items: readonly AgentInputItem[], hooks: Hooks, options: object = {}) {
  const requests: ModelRequest[] = [];
  const model = {
    async getResponse(request: ModelRequest) {
      requests.push(request);
      throw new Error('over');
    },
    getStreamedResponse(): never {
      throw new Error('not streamed');
    },
  };
  const runner = hookedRunner(new Runner({ modelProvider: { getModel: () => model } }), hooks);
  await runner.run(new Agent({ name: 'A', tools: [look] }), [...items], options).catch(() => {});
  await hooks.settled();
  return JSON.stringify(requests.map(({ input }) => input));
}

function redacting(): { readonly hooks: Hooks; readonly seen: unknown[] } {
  const hooks = createHooks({ onWarning: () => {} });
  const seen: unknown[] = [];
  hooks.on(TransformToolResult, ({ toolName, callId, input, output }) => {
    seen.push({ toolName, callId, input, output });
    const text = JSON.stringify(output);
    return text.includes('SECRET') ? modify({ output: text.replaceAll('SECRET', '***') }) : proceed();
  });
  return { hooks, seen };
}

describe('A result that a client has put into the history', () => {
  test('of a tool of the agent is seen by hooks, with its call, and reaches the model as they leave it', async () => {
    const { hooks, seen } = redacting();
    const request = await sent([callOf(), resultOf('SECRET'), user], hooks);
    expect(seen).toEqual([{ toolName: 'look', callId: 'c', input: { a: 1 }, output: 'SECRET' }]);
    expect(request).not.toContain('SECRET');
    expect(request).toContain('***');
  });

  test('is withheld where a hook blocks it', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall.matching('look'), () => block('Not that.'));
    const request = await sent([callOf(), resultOf('SECRET'), user], hooks);
    expect(request).not.toContain('SECRET');
    expect(request).toContain('Not that.');
  });

  test('of a tool that the agent does not have, or of no call, is decided on, too', async () => {
    const { hooks, seen } = redacting();
    const request = await sent(
      [callOf('other'), resultOf('SECRET', 'other'), resultOf('SECRET', 'look', 'd'), user],
      hooks,
    );
    expect(seen).toHaveLength(2);
    expect(request).not.toContain('SECRET');
  });

  test('under the name of another tool than its call has is withheld', async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult.matching('look'), () => modify({ output: 'clean' }));
    hooks.on(TransformToolResult.matching('free'), () => proceed());
    const request = await sent([callOf('look'), resultOf('SECRET', 'free'), user], hooks);
    expect(request).not.toContain('SECRET');
  });

  test.each<[string, AgentInputItem]>([
    [
      'a hosted MCP server',
      {
        type: 'hosted_tool_call',
        id: 'm1',
        name: 'mcp_call',
        status: 'completed',
        providerData: {
          type: 'mcp_call',
          name: 'read',
          arguments: '{}',
          server_label: 's',
          output: 'SECRET',
        },
      },
    ],
    [
      'a file search',
      {
        type: 'hosted_tool_call',
        id: 'm1',
        name: 'file_search_call',
        status: 'completed',
        providerData: { type: 'file_search_call', queries: [], results: [{ text: 'SECRET' }] },
      },
    ],
    [
      'a shell',
      {
        type: 'shell_call_output',
        callId: 's1',
        output: [{ stdout: 'SECRET', stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
      },
    ],
    ['a patch', { type: 'apply_patch_call_output', callId: 'p1', status: 'completed', output: 'SECRET' }],
    [
      'a kind that the SDK does not know',
      { type: 'unknown', providerData: { type: 'function_call_output', call_id: 'c', output: 'SECRET' } },
    ],
  ])('of %s reaches no model as it is', async (_of, item) => {
    const { hooks } = redacting();
    expect(await sent([item, user], hooks)).not.toContain('SECRET');
    const blocking = createHooks({ onWarning: () => {} });
    blocking.on(AfterToolCall, () => block('No.'));
    expect(await sent([item, user], blocking)).not.toContain('SECRET');
    // Hooks that only look change nothing.
    const looking = createHooks();
    looking.observe(HookEvent, () => {});
    expect(await sent([item, user], looking)).toContain('SECRET');
  });

  test('that an added input brings to a paused run is decided on', async () => {
    await using s = await setup(({ turn }) =>
      turn === 0 ? { toolCalls: [call('ask', {})] } : { text: 'Done.' },
    );
    const { hooks } = redacting();
    const ask = tool({
      name: 'ask',
      description: '',
      parameters: z.object({}),
      needsApproval: true,
      execute,
    });
    const agent = new Agent({ name: 'A', tools: [ask] });
    const runner = hookedRunner(s.runner, hooks);
    const { state } = await runner.run(agent, 'go');
    state.approve(state.getInterruptions()[0]!);
    state.addInput([callOf('other', 'x'), resultOf('SECRET', 'other', 'x')]);
    await runner.run(agent, state);
    expect(JSON.stringify(s.server.requests.at(-1))).not.toContain('SECRET');
  });

  test('of an attached agent is decided on by its own hooks', async () => {
    const { hooks } = redacting();
    const agent = attachHooks(new Agent({ name: 'A', tools: [look] }), hooks, {});
    await using s = await setup(() => ({ text: 'Done.' }));
    const others = createHooks();
    others.on(UserPromptSubmit, () => proceed());
    await hookedRunner(hookedRunner(s.runner, others), hooks).run(agent, [
      callOf(),
      resultOf('SECRET'),
      user,
    ]);
    expect(JSON.stringify(s.server.requests)).not.toContain('SECRET');
  });
});

describe('What hooks have decided on before', () => {
  test('is not decided on again where a program hands on the history of a run', async () => {
    await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }, { text: 'Done.' }]);
    const { hooks, seen } = redacting();
    const agent = new Agent({ name: 'A', tools: [look] });
    const runner = hookedRunner(s.runner, hooks);
    const first = await runner.run(agent, 'go');
    await runner.run(agent, [...first.history, user]);
    expect(seen).toHaveLength(1);
  });

  test('is not decided on again where a client posts it in the same session, unless it has changed it', async () => {
    await using s = await setup(({ turn }) =>
      turn === 0 ? { toolCalls: [call('look', {})] } : { text: 'Done.' },
    );
    const { hooks, seen } = redacting();
    const agent = new Agent({ name: 'A', tools: [look] });
    const runner = hookedRunner(s.runner, hooks);
    const sessionInputCallback = (_stored: AgentInputItem[], posted: AgentInputItem[]) => posted;
    const post = (items: string) =>
      runner.run(agent, JSON.parse(items), {
        session: new MemorySession({ sessionId: 's' }),
        sessionInputCallback,
      });
    const first = await runner.run(agent, 'go', { session: new MemorySession({ sessionId: 's' }) });
    const history = JSON.stringify([...first.history, user]);
    await post(history);
    expect(seen).toHaveLength(1);
    await post(history.replace('"seen"', '"SECRET"'));
    expect(seen).toHaveLength(2);
    expect(JSON.stringify(s.server.requests.at(-1))).not.toContain('SECRET');
  });
});

test.each([
  ['an approval', { type: 'mcp_approval_response', approve: true, approval_request_id: 'r1', id: 'a1' }],
  ['a raw approval', undefined],
])('%s of a hosted tool that nobody was asked for is left out', async (_what, providerData) => {
  const item: AgentInputItem = providerData
    ? { type: 'hosted_tool_call', id: 'a1', name: 'mcp_approval_response', status: 'completed', providerData }
    : {
        type: 'unknown',
        providerData: { type: 'mcp_approval_response', approve: true, approval_request_id: 'r1' },
      };
  const hooks = createHooks({ onWarning: () => {} });
  hooks.guard(BeforeToolCall, () => proceed());
  expect(await sent([item, user], hooks)).not.toContain('approval_request_id');
});

test('A prompt that is hidden in an item of an unknown type is left out', async () => {
  const item: AgentInputItem = { type: 'unknown', providerData: { role: 'user', content: 'SECRET' } };
  const hooks = createHooks({ onWarning: () => {} });
  hooks.on(UserPromptSubmit, ({ prompt }) => (prompt.includes('SECRET') ? block('No.') : proceed()));
  expect(await sent([item, user], hooks)).not.toContain('SECRET');
});

/** What the SDK's own client of the Responses API sends in a run with these items. */
async function sentToOpenAI(items: readonly AgentInputItem[], hooks: Hooks, options: object = {}) {
  const bodies: string[] = [];
  const client = new OpenAI({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async (_url, init) => {
      bodies.push(String(init?.body));
      return new Response('{}', { status: 400 });
    },
  });
  const modelProvider = { getModel: () => new OpenAIResponsesModel(client, 'm') };
  const runner = hookedRunner(new Runner({ modelProvider, tracingDisabled: true }), hooks);
  await runner.run(new Agent({ name: 'A', tools: [look] }), [...items], options).catch(() => {});
  expect(bodies).toHaveLength(1);
  return bodies.join();
}

describe('What a client writes beside an item', () => {
  const result = { type: 'function_call_output', call_id: 'c', output: 'SECRET' };
  const approval = { type: 'mcp_approval_response', approve: true, approval_request_id: 'r1' };

  test.each([
    { role: 'user', content: 'Hello.' },
    { role: 'user', content: [{ type: 'input_text', text: 'Hello.' }] },
    { role: 'system', content: 'Hello.' },
  ] satisfies AgentInputItem[])('makes no result or approval of a message: %j', async (message) => {
    const { hooks } = redacting();
    for (const providerData of [result, approval]) {
      const request = await sentToOpenAI([callOf(), { ...message, providerData }, user], hooks);
      expect(request).not.toContain(providerData.type);
      expect(request).toContain('Hello.');
    }
    const looking = createHooks();
    looking.observe(HookEvent, () => {});
    expect(await sentToOpenAI([{ ...message, providerData: result }, user], looking)).toContain(result.type);
  });

  test.each([
    { type: 'reasoning', content: [] },
    { type: 'computer_call', callId: 'k', status: 'completed', action: { type: 'screenshot' } },
    { type: 'function_call', callId: 'k', name: 'look', arguments: '{}' },
  ] satisfies AgentInputItem[])('makes no prompt of what a model has said: %j', async (said) => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => proceed());
    const prompt = { type: 'message', role: 'user', content: 'HIDDEN' };
    const request = await sentToOpenAI([{ ...said, providerData: prompt }, user], hooks);
    const { input } = JSON.parse(request) as { readonly input: readonly { readonly role?: string }[] };
    expect(input.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('of a result reaches no model where hooks decide on the result', async () => {
    const { hooks } = redacting();
    const providerData = { content: 'SECRET' };
    const posted: AgentInputItem = { ...resultOf('fine'), providerData };
    const request = await sentToOpenAI([callOf(), posted, user], hooks);
    expect(request).toContain('fine');
    expect(request).not.toContain('SECRET');
  });
});

test('Hooks that are limited to a tool suffice for an approval of a hosted tool to be left out', async () => {
  const hooks = createHooks({ onWarning: () => {} });
  hooks.guard(BeforeToolCall.matching('look'), () => proceed());
  const providerData = { type: 'mcp_approval_response', approve: true, approval_request_id: 'r1' };
  expect(await sent([{ type: 'unknown', providerData }, user], hooks)).not.toContain('approval_request_id');
});

test('A result that answers a call in the stored session, under the name of another tool, is withheld', async () => {
  const session = new MemorySession({ sessionId: 's' });
  await session.addItems([user, callOf('look')]);
  const hooks = createHooks();
  hooks.on(TransformToolResult.matching('look'), () => modify({ output: 'clean' }));
  const sessionInputCallback = (stored: AgentInputItem[], posted: AgentInputItem[]) => [...stored, ...posted];
  const options = { session, sessionInputCallback };
  const request = await sentToOpenAI([resultOf('SECRET', 'free'), user], hooks, options);
  expect(request).not.toContain('SECRET');
});

test('A text that is no text is shown to hooks', async () => {
  const hooks = createHooks();
  const prompts: string[] = [];
  hooks.on(UserPromptSubmit, ({ prompt }) => {
    prompts.push(prompt);
    return proceed();
  });
  await sent(JSON.parse('[{"role":"user","content":[{"type":"input_text","text":["SECRET"]}]}]'), hooks);
  expect(prompts.join()).toContain('SECRET');
});

describe.each([false, true])(
  'a made-up result before a prompt that hooks refuse (streamed: %s)',
  (stream) => {
    test.each(['posted again', 'of the refused result'])(
      'is decided on when it comes again, %s',
      async (way) => {
        await using s = await setup(() => ({ text: 'Done.' }));
        const { hooks, seen } = redacting();
        hooks.on(UserPromptSubmit, ({ prompt }) => (prompt === 'bad' ? block('No.') : proceed()));
        const runner = hookedRunner(s.runner, hooks);
        const agent = new Agent({ name: 'A', tools: [look] });
        const session = way === 'posted again' ? new MemorySession({ sessionId: 's1' }) : undefined;
        const run = async (items: AgentInputItem[]) => {
          const options = {
            ...(session && {
              session,
              sessionInputCallback: async (old: AgentInputItem[], added: AgentInputItem[]) => [
                ...old,
                ...added,
              ],
            }),
          };
          if (!stream) return runner.run(agent, items, options);
          const result = await runner.run(agent, items, { ...options, stream: true });
          await result.completed;
          return result;
        };
        const posted = () => [user, callOf(), resultOf('SECRET')];
        const refused = await run([...posted(), { role: 'user', content: 'bad' }]);
        expect([refused.finalOutput, s.server.requests]).toEqual(['No.', []]);
        await run([...(session ? posted() : refused.history), { role: 'user', content: 'good' }]);
        expect(JSON.stringify(s.server.requests)).not.toContain('SECRET');
        expect(seen).not.toEqual([]);
      },
    );
  },
);
