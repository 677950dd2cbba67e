/**
 * A client may post any history, and answer for any run. A result that no run of the session has produced is decided on,
 * whoever should have run the tool; an answer counts for its own run, call and user, and once.
 */
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import type { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTool } from '../src/index.ts';
import { modelOf, quiet, serve } from './fixtures.ts';

const look = () =>
  createTool({
    id: 'look',
    description: '',
    inputSchema: z.object({}),
    execute: async () => ({ seen: true }),
  });

const result = (output: unknown, toolName = 'look', toolCallId = 'c'): object[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: { a: 1 } }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
];
const user = { role: 'user', content: 'Go on.' };

/** A message as Mastra stores it, which a client may post, too. */
const stored = (role: string, content: object): object => ({
  id: crypto.randomUUID(),
  role,
  createdAt: new Date(),
  content: { format: 2, parts: [], ...content },
});

/** What the model was sent in a run with these messages. */
async function sent(messages: readonly object[], hooks: Hooks): Promise<string> {
  await using server = await serve(() => ({ text: 'Done.' }));
  const agent = quiet(
    hookedAgent(
      { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { look: look() } },
      hooks,
    ),
  );
  await agent.generate([user, ...messages, user] as never);
  await hooks.settled();
  return JSON.stringify(server.requests);
}

function redacting(): { readonly hooks: Hooks; readonly seen: unknown[] } {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(TransformToolResult, ({ toolName, callId, input, output }) => {
    seen.push({ toolName, callId, input, output });
    const text = JSON.stringify(output);
    return text.includes('SECRET') ? modify({ output: text.replaceAll('SECRET', '***') }) : proceed();
  });
  return { hooks, seen };
}

describe('A result that a client has put into the messages', () => {
  test('is seen by hooks, with its call, and reaches the model as they leave it', async () => {
    const { hooks, seen } = redacting();
    const request = await sent(result({ type: 'json', value: { text: 'SECRET' } }), hooks);
    expect(seen).toEqual([{ toolName: 'look', callId: 'c', input: { a: 1 }, output: { text: 'SECRET' } }]);
    expect(request).not.toContain('SECRET');
    expect(request).toContain('***');
  });

  test.each<[string, object[]]>([
    ['a text', result({ type: 'text', value: 'SECRET' })],
    ['an error', result({ type: 'error-text', value: 'SECRET' })],
    ['a tool that the agent does not have', result({ type: 'text', value: 'SECRET' }, 'free')],
    [
      'no call',
      [
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'd',
              toolName: 'look',
              output: { type: 'text', value: 'SECRET' },
            },
          ],
        },
      ],
    ],
    [
      'a chat page',
      [
        {
          id: 'u',
          role: 'assistant',
          parts: [
            { type: 'tool-look', toolCallId: 'e', state: 'output-available', input: {}, output: 'SECRET' },
          ],
        },
      ],
    ],
    [
      'a chat page, of a tool it does not know',
      [
        {
          id: 'u',
          role: 'assistant',
          parts: [
            {
              type: 'dynamic-tool',
              toolName: 'free',
              toolCallId: 'f',
              state: 'output-available',
              input: {},
              output: 'SECRET',
            },
          ],
        },
      ],
    ],
    [
      'a chat page, with other words for the model',
      [
        {
          id: 'u',
          role: 'assistant',
          content: {
            format: 2,
            parts: [
              {
                type: 'tool-invocation',
                toolInvocation: {
                  state: 'result',
                  toolCallId: 'g',
                  toolName: 'look',
                  args: {},
                  result: 'clean',
                },
                providerMetadata: { mastra: { modelOutput: { type: 'text', value: 'SECRET' } } },
              },
            ],
          },
        },
      ],
    ],
    [
      'a chat page, in the older form',
      [
        stored('assistant', {
          parts: [{ type: 'text', text: 'Sure.' }],
          toolInvocations: [
            { state: 'result', toolCallId: 'h', toolName: 'look', args: {}, result: 'SECRET' },
          ],
        }),
      ],
    ],
    [
      'a chat page, as the reason of a denial',
      [
        {
          id: 'u',
          role: 'assistant',
          parts: [
            {
              type: 'tool-look',
              toolCallId: 'i',
              state: 'output-denied',
              input: {},
              approval: { id: 'a', approved: false, reason: 'SECRET' },
            },
          ],
        },
      ],
    ],
  ])('as %s reaches no model as it is', async (_as, messages) => {
    expect(await sent(messages, redacting().hooks)).not.toContain('SECRET');
    const blocking = createHooks();
    blocking.on(AfterToolCall, () => block('No.'));
    expect(await sent(messages, blocking)).not.toContain('SECRET');
    // Hooks that only look change nothing.
    const looking = createHooks();
    looking.observe(HookEvent, () => {});
    const bare = createHooks();
    expect(await sent(messages, looking)).toEqual(await sent(messages, bare));
  });

  test('is not decided on again where the session has produced it, unless the client has changed it', async () => {
    await using server = await serve(({ turn }) =>
      turn === 0 ? { toolCalls: [{ id: 'c', name: 'look', arguments: {} }] } : { text: 'Done.' },
    );
    const { hooks, seen } = redacting();
    const storage = new InMemoryStore();
    const memory = new Memory({ storage, options: { lastMessages: false } });
    const agent = quiet(
      hookedAgent(
        { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { look: look() }, memory },
        hooks,
      ),
    );
    const options = { memory: { thread: 't', resource: 'r' } };
    await agent.generate('Go', options);
    expect(seen).toHaveLength(1);
    const post = (value: object) =>
      agent.generate(
        [
          user,
          {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: {} }],
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolCallId: 'c', toolName: 'look', output: { type: 'json', value } },
            ],
          },
          user,
        ] as never,
        options,
      );
    await post({ seen: true });
    expect(seen).toHaveLength(1);
    await post({ seen: 'SECRET' });
    expect(seen).toHaveLength(2);
    expect(JSON.stringify(server.requests.at(-1))).not.toContain('SECRET');
  });
});

describe('Hooks that are limited to a tool', () => {
  const limited = (): Hooks => {
    const hooks = createHooks();
    hooks.on(TransformToolResult.matching('look'), () => modify({ output: 'clean' }));
    return hooks;
  };

  test('decide on its results in the messages', async () => {
    expect(await sent(result({ type: 'text', value: 'SECRET' }), limited())).not.toContain('SECRET');
  });

  test('decide on them where they hook the tool alone, in an agent with other hooks', async () => {
    await using server = await serve(() => ({ text: 'Done.' }));
    const tools = { look: hookTool(look(), limited()) };
    const others = createHooks();
    others.on(UserPromptSubmit, () => proceed());
    const agent = quiet(
      hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools }, others),
    );
    await agent.generate([user, ...result({ type: 'text', value: 'SECRET' }), user] as never);
    expect(JSON.stringify(server.requests)).not.toContain('SECRET');
  });

  test('decide on a result that names another tool than its call', async () => {
    const [call] = result({ type: 'text', value: '' });
    const [, answer] = result({ type: 'text', value: 'SECRET' }, 'free');
    expect(await sent([call!, answer!], limited())).not.toContain('SECRET');
  });
});

describe('A message that a client posts as one that was sent', () => {
  const parts = [{ type: 'text', text: 'SECRET' }];
  const clean = [{ type: 'text', text: 'Hello.' }];
  const posted: { readonly [what: string]: object } = {
    'without a type': stored('signal', { parts }),
    'of the user': stored('signal', { parts, metadata: { signal: { type: 'user' } } }),
    'of the user, in the older form': stored('signal', {
      parts,
      metadata: { signal: { type: 'user-message' } },
    }),
    'of the system': stored('signal', { parts, metadata: { signal: { type: 'system-reminder' } } }),
    'with other contents': stored('signal', {
      parts: clean,
      metadata: { signal: { type: 'user', contents: 'SECRET' } },
    }),
    'with attributes': stored('signal', {
      parts: clean,
      metadata: { signal: { type: 'user', attributes: { a: 'SECRET' } } },
    }),
    'as a text': { role: 'signal', content: 'SECRET' },
  };

  test.each(Object.entries(posted))('is a prompt: %s', async (_what, message) => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, ({ prompt }) =>
      prompt.includes('SECRET') ? modify({ prompt: 'Be kind.' }) : proceed(),
    );
    const request = await sent([message], hooks);
    expect(request).not.toContain('SECRET');
    expect(request).toContain('Be kind.');
  });
});

describe('An answer to a pending approval', () => {
  /** A paused run of alice, with that many calls that wait. */
  async function paused(
    count: number,
    memory = false,
    last = Promise.resolve(),
    asks: 'hook' | 'tool' = 'hook',
    requestContext = contextOf('alice'),
  ) {
    const server = await serve(async ({ turn }) =>
      turn === 0
        ? {
            toolCalls: Array.from({ length: count }, (_, n) => ({
              id: `c${n}`,
              name: 'wipe',
              arguments: { n },
            })),
          }
        : last.then(() => ({ text: 'Done.' })),
    );
    const ran: number[] = [];
    const wipe = createTool({
      id: 'wipe',
      description: '',
      inputSchema: z.object({ n: z.number() }),
      requireApproval: asks === 'tool',
      execute: async ({ n }) => {
        ran.push(n);
        return { n };
      },
    });
    const storage = new InMemoryStore();
    const make = () => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => (asks === 'hook' ? requireApproval('Sure?') : proceed()));
      const agent = hookedAgent(
        {
          id: 'a',
          name: 'a',
          instructions: '',
          model: modelOf(server),
          tools: { wipe },
          ...(memory && { memory: new Memory({ storage }) }),
        },
        hooks,
        {
          approval: 'native',
          principal: (context: { get(key: string): unknown }) => {
            const user = context.get('user');
            const id: unknown = typeof user === 'function' ? user() : user;
            return typeof id === 'string' ? { id } : undefined;
          },
        },
      );
      new Mastra({ agents: { agent }, storage, logger: false });
      return quiet(agent) as Agent;
    };
    const agent = make();
    const thread = memory ? { memory: { thread: 't', resource: 'alice' } } : {};
    const { runId = '' } = await agent.generate('Go', { requestContext, ...thread } as never);
    return { agent, make, runId, ran, [Symbol.asyncDispose]: () => server.close() };
  }

  const contextOf = (user: string) => new RequestContext([['user', user]]) as RequestContext;

  test.each([false, true])('of another user does not count (another process: %s)', async (other) => {
    await using p = await paused(1);
    const agent = other ? p.make() : p.agent;
    const answer = { runId: p.runId, toolCallId: 'c0' };
    for (const requestContext of [contextOf('bob'), new RequestContext() as RequestContext, undefined])
      await expect(
        agent.approveToolCallGenerate({ ...answer, ...(requestContext && { requestContext }) }),
      ).rejects.toThrow('another principal');
    expect(p.ran).toEqual([]);
    await agent.approveToolCallGenerate({ ...answer, requestContext: contextOf('alice') });
    expect(p.ran).toEqual([0]);
  });

  test.each([false, true])('from another thread does not count (another process: %s)', async (other) => {
    await using p = await paused(1, true);
    const agent = other ? p.make() : p.agent;
    const answer = { runId: p.runId, toolCallId: 'c0', requestContext: contextOf('alice') };
    const options = { ...answer, memory: { thread: 'of-bob', resource: 'bob' } };
    await expect(agent.approveToolCallGenerate(options as never)).rejects.toThrow('another memory thread');
    expect(p.ran).toEqual([]);
    await agent.approveToolCallGenerate({ ...answer, memory: { thread: 't', resource: 'alice' } } as never);
    expect(p.ran).toEqual([0]);
  });

  test('for a call that does not wait runs nothing', async () => {
    await using p = await paused(2);
    for (const toolCallId of ['nope', 'c1', '__proto__', '']) {
      const answer = { runId: p.runId, toolCallId, requestContext: contextOf('alice') };
      await p.agent.approveToolCallGenerate(answer).catch(() => {});
      expect(p.ran.filter((n) => n !== 0)).toEqual([]);
    }
  });

  test.each([false, true])(
    'runs the call once where it comes twice at once (another process: %s)',
    async (other) => {
      await using p = await paused(1);
      const agent = other ? p.make() : p.agent;
      const answer = { runId: p.runId, toolCallId: 'c0', requestContext: contextOf('alice') };
      await Promise.all([1, 2, 3].map(() => agent.approveToolCallGenerate(answer).catch(() => {})));
      await agent.approveToolCallGenerate(answer).catch(() => {});
      expect(p.ran).toEqual([0]);
    },
  );

  test('in another process does not count where what is stored does not tell whose the run is', async () => {
    const untold = new RequestContext([['user', () => 'alice']]) as RequestContext;
    await using p = await paused(1, false, undefined, 'hook', untold);
    const answer = { runId: p.runId, toolCallId: 'c0', requestContext: contextOf('bob') };
    for (const agent of [p.agent, p.make()])
      await expect(agent.approveToolCallGenerate(answer)).rejects.toThrow('principal');
    expect(p.ran).toEqual([]);
  });

  test('that comes again while the model answers runs nothing more', async () => {
    const model = Promise.withResolvers<void>();
    await using p = await paused(1, false, model.promise);
    const answer = { runId: p.runId, toolCallId: 'c0', requestContext: contextOf('alice') };
    const first = p.agent.approveToolCallGenerate(answer);
    await expect.poll(() => p.ran).toEqual([0]);
    await expect(p.agent.approveToolCallGenerate(answer)).rejects.toThrow('answered');
    model.resolve();
    await first;
    expect(p.ran).toEqual([0]);
  });

  test.each([
    [false, true],
    [false, false],
    [true, true],
    [true, false],
  ])(
    'that comes twice runs a tool that asks by itself once (another process: %s, at the same time: %s)',
    async (other, together) => {
      const model = Promise.withResolvers<void>();
      await using p = await paused(1, false, model.promise, 'tool');
      const agent = other ? p.make() : p.agent;
      const answer = { runId: p.runId, toolCallId: 'c0', requestContext: contextOf('alice') };
      const yes = () => agent.approveToolCallGenerate(answer).catch(String);
      const first = yes();
      if (!together) await expect.poll(() => p.ran).toEqual([0]);
      const again = yes();
      expect(await Promise.race([first, again])).toContain('answered');
      model.resolve();
      await Promise.all([first, again]);
      expect(p.ran).toEqual([0]);
    },
  );

  test('that is a no, and then a yes, runs nothing', async () => {
    await using p = await paused(1);
    const answer = { runId: p.runId, toolCallId: 'c0', requestContext: contextOf('alice') };
    await p.agent.declineToolCallGenerate(answer);
    await p.agent.approveToolCallGenerate(answer).catch(() => {});
    expect(p.ran).toEqual([]);
  });
});
