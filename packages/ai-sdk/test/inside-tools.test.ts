import { BeforeToolCall, block, createHooks, SessionEnd, SubagentStart } from '@hooks/core';
import { generateText, isStepCount, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookedCall, hookTools } from '../src/index.ts';
import { type Answer, runBy, unruly, ways } from './fixtures.ts';

type Inner = () => Promise<string>;

/** What a tool's function may return, and when its code then runs. */
const forms: Readonly<Record<string, (inner: Inner) => (input: object) => unknown>> = {
  'a promise': (inner) => () => inner(),
  'a thenable': (inner) => () => ({
    // biome-ignore lint/suspicious/noThenProperty: what a lazy query builder is.
    then: (resolve: (text: string) => void, reject: (error: unknown) => void) =>
      inner().then(resolve, reject),
  }),
  'what a generator yields': (inner) =>
    async function* () {
      yield 'Asking.';
      yield await inner();
    },
  'a generator': (inner) => () =>
    (async function* () {
      yield await inner();
    })(),
  'an iterable': (inner) => () => ({
    async *[Symbol.asyncIterator]() {
      yield await inner();
    },
  }),
};

const callsShell: Answer = { calls: [{ id: 'i1', name: 'shell', arguments: { command: 'ls' } }] };
const delegates: Answer = { calls: [{ id: 'o1', name: 'delegate', arguments: {} }] };

describe.each(Object.entries(forms))('an agent that runs inside a tool that returns %s', (_form, execute) => {
  for (const way of ways)
    test.each(['hookedAgent', 'hookedCall'])(
      `${way}: obeys the hooks of the outer agent, if none of them concerns the tool: %s`,
      async (how) => {
        const outer = createHooks();
        const principals: unknown[] = [];
        const started: string[] = [];
        outer.guard(BeforeToolCall.matching('shell'), ({ principal }) => {
          principals.push(principal?.id);
          return block('No shell.');
        });
        outer.observe(SubagentStart, ({ session }) => void started.push(session.id));
        const own = createHooks();
        own.observe(BeforeToolCall.matching('other'), () => {});
        const ran: unknown[] = [];
        const shell = tool({
          inputSchema: z.object({ command: z.string() }),
          execute: (input) => void ran.push(input),
        });
        const inner: Inner = async () => {
          const settings = {
            model: unruly([callsShell]).model,
            tools: { shell },
            stopWhen: isStepCount(4),
          };
          const { text } =
            how === 'hookedCall'
              ? await generateText(hookedCall({ ...settings, prompt: 'List.' }, own))
              : await hookedAgent(settings, own).generate({ prompt: 'List.' });
          return text;
        };
        const delegate = tool({ inputSchema: z.object({}), execute: execute(inner) });
        const { model } = unruly([delegates]);
        await runBy(way, { model, tools: { delegate } }, [{ role: 'user', content: 'Ask.' }], outer, {
          session: () => 's1',
          principal: () => ({ id: 'ann' }),
        });
        expect({ ran, started, principals }).toEqual({ ran: [], started: ['s1'], principals: ['ann'] });
      },
    );

  test('obeys the hooks of the tool that is hooked by itself, if none of them concerns the tool', async () => {
    const outer = createHooks();
    const ended: string[] = [];
    outer.guard(BeforeToolCall.matching('shell'), () => block('No shell.'));
    outer.observe(SessionEnd, ({ reason }) => void ended.push(reason));
    const ran: unknown[] = [];
    const shell = tool({
      inputSchema: z.object({ command: z.string() }),
      execute: (input) => void ran.push(input),
    });
    const own = createHooks();
    own.observe(BeforeToolCall, () => {});
    const inner: Inner = async () => {
      const agent = hookedAgent({ model: unruly([callsShell]).model, tools: { shell } }, own);
      return (await agent.generate({ prompt: 'List.' })).text;
    };
    const tools = hookTools(
      { delegate: tool({ inputSchema: z.object({}), execute: execute(inner) }) },
      outer,
    );
    const { model } = unruly([delegates]);
    await generateText({ model, tools, prompt: 'Ask.', stopWhen: isStepCount(2) });
    await outer.settled();
    expect(ran).toEqual([]);
    // The session of the sub-agent, and that of the call.
    expect(ended).toHaveLength(2);
  });
});
