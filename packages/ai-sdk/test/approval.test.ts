import {
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type Hooks,
  isHooksError,
  PermissionRequest,
  proceed,
  requireApproval,
} from '@hooks/core';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  type ToolApprovalStatus,
  type ToolSet,
  tool,
} from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { conversation, hookedAgent, hookedCall, hookTools, pendingApprovals } from '../src/index.ts';
import { answered, asking, pays, payTool, read, runBy, secret, serve, watched, ways } from './fixtures.ts';

const asked: ModelMessage[] = [{ role: 'user', content: 'Pay.' }];

describe('the own approval of a tool', () => {
  test('needsApproval still asks a person where hooks do not decide', async () => {
    await using served = await serve(pays);
    const ran: unknown[] = [];
    const { hooks } = watched();
    const tools = { pay: payTool(ran, { needsApproval: true }) };
    const paused = await hookedAgent({ model: served.model, tools }, hooks).generate({ messages: asked });
    expect(await pendingApprovals(paused)).toMatchObject([
      { callId: 'c1', toolName: 'pay', input: { sum: 5 } },
    ]);
    expect(ran).toEqual([]);
  });

  test('pendingApprovals has the reason of the hook also where it knows the tool by an alias', async () => {
    await using served = await serve(pays);
    const hooks = createHooks({ aliases: { pay: 'transfer' } });
    hooks.on(BeforeToolCall.matching('transfer'), () => requireApproval('Sure?'));
    const settings = { tools: { pay: payTool([]) }, experimental_toolApprovalSecret: secret };
    const agent = hookedAgent({ model: served.model, ...settings }, hooks, { approval: 'native' });
    expect(await pendingApprovals(await agent.generate({ messages: asked }))).toMatchObject([
      { callId: 'c1', toolName: 'transfer', reason: 'Sure?' },
    ]);
  });

  test('a grant of a PermissionRequest hook lifts the question', async () => {
    await using served = await serve(pays);
    const ran: unknown[] = [];
    const { hooks } = watched();
    hooks.on(PermissionRequest, () => grantApproval('Small sums are fine.'));
    const tools = { pay: payTool(ran, { needsApproval: true }) };
    const { text } = await hookedAgent({ model: served.model, tools }, hooks).generate({ prompt: 'Pay.' });
    expect(text).toBe('Paid.');
    expect(ran).toEqual([{ sum: 5 }]);
  });

  const denied: ToolApprovalStatus = { type: 'denied', reason: 'Not on Sundays.' };
  test.each([
    ['a map', { pay: denied }],
    ['a map of functions', { pay: () => denied }],
    ['a function', () => denied],
  ])('toolApproval as %s still denies', async (_form, toolApproval) => {
    await using served = await serve(pays);
    const ran: unknown[] = [];
    const { hooks } = watched();
    const agent = hookedAgent({ model: served.model, tools: { pay: payTool(ran) }, toolApproval }, hooks);
    expect((await agent.generate({ prompt: 'Pay.' })).text).toBe('Paid.');
    expect(ran).toEqual([]);
    expect(read(served.server)).toEqual({ c1: 'Not on Sundays.' });
  });

  test('a toolApproval that throws denies the call, and the stream goes on', async () => {
    await using served = await serve(pays);
    const ran: unknown[] = [];
    const { hooks } = watched();
    const toolApproval = () => {
      throw new Error('The policy is down.');
    };
    const agent = hookedAgent({ model: served.model, tools: { pay: payTool(ran) }, toolApproval }, hooks);
    const result = await agent.stream({ prompt: 'Pay.' });
    expect(await result.text).toBe('Paid.');
    expect(ran).toEqual([]);
    expect(read(served.server)['c1']).toContain('The policy is down.');
  });
});

describe('approval: native', () => {
  test('needs the signature secret of the AI SDK', async () => {
    await using served = await serve(pays);
    const { hooks } = watched();
    const settings = { model: served.model, tools: { pay: payTool([]) } };
    const refused = (act: () => unknown): unknown => {
      try {
        act();
      } catch (error) {
        return error;
      }
      return undefined;
    };
    for (const attach of [
      () => hookedAgent(settings, hooks, { approval: 'native' }),
      () => hookedCall({ ...settings, prompt: 'Pay.' }, hooks, { approval: 'native' }),
    ])
      expect(refused(attach)).toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('experimental_toolApprovalSecret'),
      });
    // The SDK takes an empty one, and fails at the first request.
    const empty = { ...settings, experimental_toolApprovalSecret: '' };
    for (const attach of [
      () => hookedAgent(empty, hooks, { approval: 'native' }),
      () => hookedAgent(empty, hooks),
      () => hookedCall({ ...empty, prompt: 'Pay.' }, hooks),
    ])
      expect(refused(attach)).toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('is empty'),
      });
    const prepared = hookedAgent({ ...settings, prepareCall: (call) => call }, hooks, { approval: 'native' });
    const error = await prepared.generate({ prompt: 'Pay.' }).catch((cause) => cause);
    expect(isHooksError(error)).toBe(true);
    expect(served.server.requests).toEqual([]);
  });

  test('an input that was changed between pause and resume does not run', async () => {
    await using served = await serve(pays);
    const { settings, hooks, ran } = asking(served.model);
    const agent = hookedAgent(settings, hooks, { approval: 'native' });
    const messages = answered(await conversation(asked, await agent.generate({ messages: asked })), true);
    await expect(agent.generate({ messages: forged(messages) })).rejects.toThrow(/signature/);
    expect(ran).toEqual([]);
  });

  test('an input of a tool that asks by itself, changed between pause and resume, is denied without a secret', async () => {
    await using served = await serve(pays);
    const ran: unknown[] = [];
    const { hooks } = watched();
    hooks.on(BeforeToolCall, () => proceed());
    const agent = hookedAgent(
      { model: served.model, tools: { pay: payTool(ran, { needsApproval: true }) } },
      hooks,
    );
    const messages = answered(await conversation(asked, await agent.generate({ messages: asked })), true);
    const { text } = await agent.generate({ messages: forged(messages) });
    expect(text).toBe('Paid.');
    expect(ran).toEqual([]);
    expect(read(served.server)['c1']).toContain('changed since');
  });

  test('works for generateText: the run goes on where it paused, and no hook is asked again', async () => {
    await using served = await serve(pays);
    const { settings, hooks, ran, asked: askedOf } = asking(served.model);
    const options = (messages: ModelMessage[]) =>
      hookedCall({ ...settings, stopWhen: isStepCount(4), messages }, hooks, { approval: 'native' });
    const paused = await generateText(options(asked));
    expect(await pendingApprovals(paused)).toMatchObject([{ reason: 'It costs money.' }]);
    const messages = answered(await conversation(asked, paused), true);
    const { text } = await generateText(options(messages));
    expect({ text, ran, askedOf }).toEqual({ text: 'Paid.', ran: [{ sum: 5 }], askedOf: ['c1'] });
  });
});

describe('a call that the client runs, and that a hook wants a person to approve', () => {
  const client = (needsApproval: boolean): ToolSet => ({
    pay: tool({ inputSchema: z.object({ sum: z.number() }), needsApproval }),
  });
  const settingsOf = (model: LanguageModel) => ({
    model,
    tools: client(false),
    experimental_toolApprovalSecret: secret,
  });
  const requiresApproval = (): Hooks => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
    return hooks;
  };

  test.each(ways)("%s: is denied with 'native', for a reason that says what to do instead", async (way) => {
    await using served = await serve(pays);
    const { messages } = await runBy(way, settingsOf(served.model), asked, requiresApproval(), {
      approval: 'native',
    });
    const { content } = messages.find(({ role }) => role === 'tool') ?? {};
    const reason = `Approval is required (It costs money.), but there is no approver: set the adapter's \`approval\` option to an approver: the AI SDK cannot pause the run for a call that its client runs.`;
    expect(content).toContainEqual(
      expect.objectContaining({ toolCallId: 'c1', output: { type: 'execution-denied', reason } }),
    );
    expect(await pendingApprovals(messages)).toEqual([]);
  });

  test.each(ways)('%s: goes to the client where an approver allows it, as that reason says', async (way) => {
    await using served = await serve(pays);
    const shown: unknown[] = [];
    const approval: Approver = (request) => {
      shown.push(request.input);
      return { decision: 'allow' };
    };
    const { messages } = await runBy(way, settingsOf(served.model), asked, requiresApproval(), { approval });
    expect(shown).toEqual([{ sum: 5 }]);
    expect(JSON.stringify(messages)).toContain('"tool-call"');
    expect(JSON.stringify(messages)).not.toContain('denied');
    expect(served.server.requests).toHaveLength(1);
  });

  test('could not be paused: the AI SDK, without hooks, does not go on after a yes to such a call', async () => {
    await using served = await serve(pays);
    const tools = client(true);
    const paused = await generateText({ model: served.model, tools, messages: asked });
    const messages = answered([...asked, ...paused.response.messages], true);
    await expect(generateText({ model: served.model, tools, messages })).rejects.toThrow(
      'Tool result is missing for tool call c1',
    );
  });
});

/** The messages as a client may send them back: with another sum. */
function forged(messages: readonly ModelMessage[]): ModelMessage[] {
  return JSON.parse(JSON.stringify(messages).replaceAll('"sum":5', '"sum":5000'));
}

describe.each(['deny', 'native'] as const)(
  'a tool hooked by itself, in an agent with approval: %s',
  (approval) => {
    const user = z.object({ id: z.string() });
    test.each([
      ['of its own context', 'guest', user],
      ['that its schema makes of its context', 'admin', user.transform(() => ({ id: 'guest' }))],
    ])('is judged for the user %s, not of the run', async (_which, id, contextSchema) => {
      await using served = await serve(pays);
      const ran: unknown[] = [];
      const hooks = createHooks();
      hooks.guard(BeforeToolCall, ({ principal }) =>
        principal?.id === 'admin' ? proceed() : block('Not you.'),
      );
      const pay = tool({
        inputSchema: z.object({ sum: z.number() }),
        contextSchema,
        execute: (input) => void ran.push(input),
      });
      const tools = hookTools({ pay }, hooks, {
        principal: ({ runtimeContext }) => (runtimeContext ? user.parse(runtimeContext) : undefined),
      });
      const agent = hookedAgent(
        {
          model: served.model,
          tools,
          toolsContext: { pay: { id } },
          experimental_toolApprovalSecret: secret,
        },
        createHooks(),
        { approval, principal: () => ({ id: 'admin' }) },
      );
      await agent.generate({ messages: asked });
      expect(ran).toEqual([]);
      expect(served.server.requests).toHaveLength(2);
    });
  },
);
