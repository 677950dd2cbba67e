import { AfterToolCall, BeforeToolCall, block, modify, proceed, requireApproval } from '@hooks/core';
import { generateText, isStepCount, type ModelMessage, streamText, type Tool, type ToolSet, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedCall, hookTools, pendingApprovals } from '../src/index.ts';
import { type Answer, answered, payTool, runBy, secret, unruly, watched, ways } from './fixtures.ts';

const asked: ModelMessage[] = [{ role: 'user', content: 'Go.' }];

interface Command {
  readonly command: string;
}

function shellTool(ran: string[]): Tool<Command, string> {
  return tool({
    description: 'Runs a command.',
    inputSchema: z.object({ command: z.string() }),
    execute: async ({ command }) => {
      ran.push(command);
      return `ran ${command}`;
    },
  });
}

function calls(...commands: readonly (readonly [id: string, command: string])[]): Answer {
  return { calls: commands.map(([id, command]) => ({ id, name: 'shell', arguments: { command } })) };
}

/** A registry that blocks everything but `ls`. */
function onlyLs() {
  const { hooks, events } = watched();
  const judged: string[] = [];
  hooks.on(BeforeToolCall, ({ input }) => {
    const { command } = input as Command;
    judged.push(command);
    return command === 'ls' ? proceed() : block(`"${command}" is not allowed.`);
  });
  return { hooks, events, judged };
}

test.each(ways)('%s: a call nested too deep does not run, and the calls beside it end', async (way) => {
  const deep = `{"command":"ls","data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const { model } = unruly([
    {
      calls: [
        { id: 'c1', name: 'shell', arguments: { command: 'ls' } },
        { id: 'c2', name: 'shell', written: deep },
      ],
    },
    { text: 'Done.' },
  ]);
  const ran: string[] = [];
  const { hooks, events } = watched();
  hooks.on(BeforeToolCall, () => proceed());
  const settings = { model, tools: { shell: shellTool(ran) }, experimental_toolApprovalSecret: secret };
  // The SDK itself may fail on such arguments.
  await runBy(way, settings, asked, hooks, { approval: 'native' }).catch(() => {});
  await hooks.settled();
  const of = (type: string) =>
    events.flatMap((event) => (event.type === type && 'callId' in event ? [event.callId] : []));
  expect(of('after_tool_call')).toEqual(expect.arrayContaining(of('before_tool_call')));
  expect(of('before_tool_call')).toContain('c1');
});

test.each(ways)(
  '%s: a call for which the SDK makes no approval request is refused and answered',
  async (way) => {
    const { model, results } = unruly([calls(['__proto__', 'rm -rf /']), { text: 'Done.' }]);
    const ran: string[] = [];
    const { hooks, events } = watched();
    hooks.on(BeforeToolCall, () => requireApproval('It deletes.'));
    const settings = { model, tools: { shell: shellTool(ran) }, experimental_toolApprovalSecret: secret };
    const { text } = await runBy(way, settings, asked, hooks, { approval: 'native' });
    await hooks.settled();
    expect({ ran, text }).toEqual({ ran: [], text: 'Done.' });
    expect(results()).toMatchObject([{ toolCallId: '__proto__', output: { type: 'error-text' } }]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'after_tool_call', status: 'denied' }));
  },
);

describe('calls of one answer with the same id', () => {
  const pairs = [
    ['other inputs', 'c1', ['ls', 'rm -rf /']],
    ['other inputs, the allowed one last', 'c1', ['rm -rf /', 'ls']],
    ['the same input', 'c1', ['ls', 'ls']],
    ['an empty id', '', ['ls', 'rm -rf /']],
    ['three calls', 'c1', ['ls', 'ls', 'rm -rf /']],
    ['an id that objects have', '__proto__', ['ls', 'rm -rf /']],
  ] as const;

  for (const way of ways)
    test.each(pairs)(`${way}: %s: are refused with the reason`, async (_what, id, commands) => {
      const served = unruly([calls(...commands.map((command) => [id, command] as const)), { text: 'Done.' }]);
      const ran: string[] = [];
      const { hooks, judged, events } = onlyLs();
      const { text } = await runBy(
        way,
        { model: served.model, tools: { shell: shellTool(ran) } },
        asked,
        hooks,
      );
      await hooks.settled();
      expect({ ran, judged, text }).toEqual({ ran: [], judged: [], text: 'Done.' });
      expect(served.results()).toMatchObject(
        commands.map(() => ({ output: { type: 'error-text', value: expect.stringContaining('same id') } })),
      );
      const over = events.filter(({ type }) => type === 'after_tool_call');
      expect(over.map((event) => Reflect.get(event, 'input'))).toEqual(
        expect.arrayContaining(commands.map((command) => ({ command }))),
      );
    });

  test.each(ways)('%s: are refused where a person is asked', async (way) => {
    for (const approval of ['native', () => ({ decision: 'allow' as const })] as const) {
      const served = unruly([calls(['c1', 'ls'], ['c1', 'rm -rf /']), { text: 'Done.' }]);
      const ran: string[] = [];
      const { hooks } = watched();
      hooks.on(BeforeToolCall, () => requireApproval('It runs.'));
      const settings = {
        model: served.model,
        tools: { shell: shellTool(ran) },
        experimental_toolApprovalSecret: secret,
      };
      const { text, messages } = await runBy(way, settings, asked, hooks, { approval });
      expect({ ran, text, waiting: await pendingApprovals(messages) }).toEqual({
        ran: [],
        text: 'Done.',
        waiting: [],
      });
    }
  });

  test.each(ways)('%s: are refused where the tool itself asks', async (way) => {
    const served = unruly([calls(['c1', 'ls'], ['c1', 'rm -rf /']), { text: 'Done.' }]);
    const ran: string[] = [];
    const { hooks } = onlyLs();
    const tools = { shell: { ...shellTool(ran), needsApproval: true } };
    const { messages } = await runBy(way, { model: served.model, tools }, asked, hooks);
    expect({ ran, waiting: await pendingApprovals(messages) }).toEqual({ ran: [], waiting: [] });
  });

  test.each(ways)('%s: are not handed to the client', async (way) => {
    const served = unruly([calls(['c1', 'ls'], ['c1', 'rm -rf /']), { text: 'Done.' }]);
    const { hooks, judged } = onlyLs();
    const { execute: _, ...shell } = shellTool([]);
    const { messages } = await runBy(way, { model: served.model, tools: { shell } }, asked, hooks);
    expect(judged).toEqual([]);
    const denied = messages.flatMap(({ role, content }) =>
      role === 'tool' ? content.filter((part) => part.type === 'tool-approval-response') : [],
    );
    expect(denied.length).toBeGreaterThan(0);
    for (const part of denied) expect(part).toMatchObject({ approved: false });
  });

  test('of two tools are both refused, and others of the answer run', async () => {
    const served = unruly([
      {
        calls: [
          { id: 'c1', name: 'shell', arguments: { command: 'ls' } },
          { id: 'c1', name: 'pay', arguments: { sum: 5 } },
          { id: 'c2', name: 'pay', arguments: { sum: 6 } },
        ],
      },
      { text: 'Done.' },
    ]);
    const ran: string[] = [];
    const paid: unknown[] = [];
    const tools = { shell: shellTool(ran), pay: payTool(paid) };
    await runBy('generateText', { model: served.model, tools }, asked, watched().hooks);
    expect({ ran, paid }).toEqual({ ran: [], paid: [{ sum: 6 }] });
  });

  test.each(ways)('%s: are refused where the provider runs one of them', async (way) => {
    const served = unruly([
      {
        calls: [
          { id: 'c1', name: 'shell', arguments: { command: 'ls' }, providerExecuted: true },
          { id: 'c1', name: 'shell', arguments: { command: 'rm -rf /' } },
        ],
      },
      { text: 'Done.' },
    ]);
    const ran: string[] = [];
    const { hooks, judged } = onlyLs();
    await runBy(way, { model: served.model, tools: { shell: shellTool(ran) } }, asked, hooks);
    expect({ ran, judged }).toEqual({ ran: [], judged: [] });
  });

  test('a tool that calls another one with an id that the model has written is decided on by its own input', async () => {
    const { hooks, judged } = onlyLs();
    const ran: string[] = [];
    let inner: ToolSet = {};
    const script = tool({
      inputSchema: z.object({ command: z.string() }),
      execute: async ({ command }, options): Promise<unknown> =>
        inner['shell']?.execute?.({ command: `rm ${command}` }, { ...options, toolCallId: 'c2' }),
    });
    const served = unruly([
      {
        calls: [
          { id: 'c1', name: 'script', arguments: { command: 'ls' } },
          { id: 'c2', name: 'shell', arguments: { command: 'ls' } },
        ],
      },
      { text: 'Done.' },
    ]);
    const hookedSettings = hookedCall(
      {
        model: served.model,
        tools: { shell: shellTool(ran), script },
        messages: asked,
        stopWhen: isStepCount(3),
      },
      hooks,
    );
    inner = hookedSettings.tools ?? {};
    await generateText(hookedSettings);
    expect({ ran, judged: judged.toSorted() }).toEqual({ ran: ['ls'], judged: ['ls', 'ls', 'rm ls'] });
  });

  test.each(['generateText', 'streamText'] as const)(
    '%s with hookTools alone: each is decided on its own input',
    async (way) => {
      const served = unruly([calls(['c1', 'ls'], ['c1', 'rm -rf /']), { text: 'Done.' }]);
      const ran: string[] = [];
      const { hooks, judged } = onlyLs();
      const settings = {
        model: served.model,
        tools: hookTools({ shell: shellTool(ran) }, hooks),
        stopWhen: isStepCount(4),
        messages: asked,
      };
      if (way === 'generateText') await generateText(settings);
      else await streamText(settings).consumeStream();
      expect({ ran, judged }).toEqual({ ran: ['ls'], judged: ['ls', 'rm -rf /'] });
    },
  );
});

describe('ids that repeat', () => {
  test.each(ways)('%s: from step to step: each call is decided on its own', async (way) => {
    const served = unruly([
      calls(['c1', 'ls']),
      calls(['c1', 'rm -rf /']),
      calls(['c1', 'ls']),
      { text: 'Done.' },
    ]);
    const ran: string[] = [];
    const { hooks, judged } = onlyLs();
    await runBy(way, { model: served.model, tools: { shell: shellTool(ran) } }, asked, hooks);
    expect({ ran, judged }).toEqual({ ran: ['ls', 'ls'], judged: ['ls', 'rm -rf /', 'ls'] });
  });

  test.each(ways)(
    '%s: a blocked call that the model repeats with its id is decided on again',
    async (way) => {
      const served = unruly([calls(['c1', 'ls']), calls(['c1', 'ls']), { text: 'Done.' }]);
      const ran: string[] = [];
      let asks = 0;
      const { hooks } = watched();
      hooks.on(BeforeToolCall, () => (++asks === 1 ? block('Not now.') : proceed()));
      const settings = {
        model: served.model,
        tools: { shell: shellTool(ran) },
        experimental_toolApprovalSecret: secret,
      };
      await runBy(way, settings, asked, hooks, { approval: 'native' });
      expect({ ran, asks }).toEqual({ ran: ['ls'], asks: 2 });
    },
  );

  test.each(ways)('%s: a yes to one call is none to the next with its id and input', async (way) => {
    const served = unruly([calls(['c1', 'ls']), calls(['c1', 'ls']), { text: 'Done.' }]);
    const ran: string[] = [];
    const { hooks } = watched();
    hooks.on(BeforeToolCall, () => requireApproval('It runs.'));
    const settings = {
      model: served.model,
      tools: { shell: shellTool(ran) },
      experimental_toolApprovalSecret: secret,
    };
    const options = { approval: 'native', session: () => 's1' } as const;
    const first = await runBy(way, settings, asked, hooks, options);
    const second = await runBy(way, settings, answered(first.messages, true), hooks, options);
    expect(ran).toEqual(['ls']);
    expect(await pendingApprovals(second.messages)).toMatchObject([{ callId: 'c1' }]);
  });

  test.each(ways)('%s: from run to run: what waits is the call of this run', async (way) => {
    const served = unruly([calls(['c1', 'ls']), { text: 'Done.' }, calls(['c1', 'rm -rf /'])]);
    const ran: string[] = [];
    const { hooks } = watched();
    hooks.on(BeforeToolCall, ({ input }) =>
      (input as Command).command === 'ls' ? proceed() : requireApproval('It deletes.'),
    );
    const settings = {
      model: served.model,
      tools: { shell: shellTool(ran) },
      experimental_toolApprovalSecret: secret,
    };
    const first = await runBy(way, settings, asked, hooks, { approval: 'native' });
    const again: ModelMessage[] = [...first.messages, { role: 'user', content: 'More.' }];
    const second = await runBy(way, settings, again, hooks, { approval: 'native' });
    expect(ran).toEqual(['ls']);
    // As another process reads it: from the messages alone.
    const stored: ModelMessage[] = JSON.parse(JSON.stringify(second.messages));
    expect(await pendingApprovals(stored)).toMatchObject([{ callId: 'c1', input: { command: 'rm -rf /' } }]);
    await runBy(way, settings, answered(second.messages, false), hooks, { approval: 'native' });
    expect(ran).toEqual(['ls']);
  });

  test('an attempt of a stream that broke off decides nothing for the next', async () => {
    const { model } = unruly([{ ...calls(['c1', 'ls']), cut: true }, calls(['c1', 'rm -rf /'])]);
    const ran: string[] = [];
    const { hooks, judged } = onlyLs();
    const result = streamText(
      hookedCall(
        {
          model,
          tools: { shell: shellTool(ran) },
          messages: asked,
          stopWhen: isStepCount(3),
          streamRetries: 2,
          onError: () => {},
        },
        hooks,
      ),
    );
    await result.consumeStream();
    expect({ ran, judged }).toEqual({ ran: [], judged: ['rm -rf /'] });
  });
});

test('a hook that changes one of two calls changes only that one', async () => {
  const served = unruly([calls(['c1', 'ls'], ['c2', 'ls']), { text: 'Done.' }]);
  const ran: string[] = [];
  const { hooks } = watched();
  hooks.on(BeforeToolCall, ({ callId }) =>
    callId === 'c2' ? modify({ input: { command: 'ls -a' } }) : proceed(),
  );
  hooks.on(AfterToolCall, () => proceed());
  await runBy('streamText', { model: served.model, tools: { shell: shellTool(ran) } }, asked, hooks);
  expect(ran.toSorted()).toEqual(['ls', 'ls -a']);
  expect(served.results()).toMatchObject([
    { toolCallId: 'c1', output: { value: 'ran ls' } },
    { toolCallId: 'c2', output: { value: 'ran ls -a' } },
  ]);
});
