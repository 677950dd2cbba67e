import {
  createHooks,
  type EventPayload,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  type Tool,
  type ToolSet,
  tool,
} from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookedCall, hookTools } from '../src/index.ts';
import { pays, read, runBy, serve, unruly, watched, ways as waysToRun } from './fixtures.ts';

type Any = Tool<{ sum: number }, { paid: number }>;

/** A tool of a class: everything that the SDK reads is on the prototype, and uses private fields. */
class PayTool {
  readonly #ran: unknown[];
  readonly #limit = 100;
  constructor(ran: unknown[]) {
    this.#ran = ran;
  }
  get description(): string {
    return `Pays up to ${this.#limit}.`;
  }
  get inputSchema() {
    return z.object({ sum: z.number().max(this.#limit) });
  }
  needsApproval({ sum }: { sum: number }): boolean {
    return sum > this.#limit / 2;
  }
  execute(input: { sum: number }): { paid: number } {
    this.#ran.push(input);
    return { paid: input.sum };
  }
  toModelOutput({ output }: { output: { paid: number } }) {
    return { type: 'text' as const, value: `paid ${output.paid} of ${this.#limit}` };
  }
}

/** The same members in other forms. */
const forms: Readonly<Record<string, (ran: unknown[]) => Any>> = {
  'on the prototype of its class': (ran) => new PayTool(ran) as object as Any,
  'inherited by a subclass': (ran) => new (class extends PayTool {})(ran) as object as Any,
  'own arrow functions': (ran) => {
    const tool = new PayTool(ran);
    return {
      description: tool.description,
      inputSchema: tool.inputSchema,
      needsApproval: (input: { sum: number }) => tool.needsApproval(input),
      execute: (input: { sum: number }) => tool.execute(input),
      toModelOutput: (result: { output: { paid: number } }) => tool.toModelOutput(result),
    } as object as Any;
  },
  'properties of a frozen object': (ran) => {
    const tool = new PayTool(ran);
    return Object.freeze({
      tool,
      get description() {
        return this.tool.description;
      },
      get inputSchema() {
        return this.tool.inputSchema;
      },
      needsApproval(input: { sum: number }) {
        return this.tool.needsApproval(input);
      },
      execute(input: { sum: number }) {
        return this.tool.execute(input);
      },
      toModelOutput(result: { output: { paid: number } }) {
        return this.tool.toModelOutput(result);
      },
    }) as object as Any;
  },
  'not enumerable': (ran) => {
    const tool = new PayTool(ran);
    const names = ['description', 'inputSchema', 'needsApproval', 'execute', 'toModelOutput'] as const;
    const copy = {};
    for (const name of names) {
      const value: unknown = tool[name];
      Object.defineProperty(copy, name, { value: typeof value === 'function' ? value.bind(tool) : value });
    }
    return copy as Any;
  },
};

/** Ways to hook the tools of an agent without deciding anything. */
const ways: Readonly<Record<string, (tools: ToolSet) => ToolSet>> = {
  'hookTools with an empty registry': (tools) => hookTools(tools, watched().hooks),
  'hookTools twice': (tools) => hookTools(hookTools(tools, watched().hooks), watched().hooks),
  'a hooked agent': (tools) => tools,
};

const calls = (sum: number) => [
  { toolCalls: [{ id: 'c1', name: 'pay', arguments: { sum } }] },
  { text: 'Done.' },
];

describe.each(Object.entries(forms))('a tool whose members are %s', (_form, make) => {
  describe.each(Object.entries(ways))('under %s', (way, hook) => {
    const setUp = async (sum: number) => {
      const served = await serve(calls(sum));
      const ran: unknown[] = [];
      const { hooks, events } = watched();
      const tools = hook({ pay: make(ran) });
      const settings = { model: served.model, tools, stopWhen: isStepCount(3) };
      const agent = hookedAgent(settings, hooks);
      return { served, ran, events, agent };
    };

    test.each([false, true])(
      'asks for approval as it would without hooks (streamed: %s)',
      async (streamed) => {
        const { served, ran, agent } = await setUp(70);
        await using _ = served;
        const result = streamed
          ? await agent.stream({ prompt: 'Pay.' })
          : await agent.generate({ prompt: 'Pay.' });
        const content = await result.content;
        expect(content.map(({ type }) => type)).toContain('tool-approval-request');
        expect(ran).toEqual([]);
      },
    );

    test('checks its input', async () => {
      const { served, ran, agent } = await setUp(500);
      await using _ = served;
      await agent.generate({ prompt: 'Pay.' });
      expect(ran).toEqual([]);
      expect(read(served.server)['c1']).toContain('Too big');
    });

    test('runs, and the model reads what its toModelOutput makes of the output', async () => {
      const { served, ran, events, agent } = await setUp(5);
      await using _ = served;
      expect((await agent.generate({ prompt: 'Pay.' })).text).toBe('Done.');
      expect(ran).toEqual([{ sum: 5 }]);
      expect(read(served.server)).toEqual({ c1: 'paid 5 of 100' });
      expect(served.server.requests[0]?.tools).toMatchObject([{ description: 'Pays up to 100.' }]);
      expect(
        events.some(({ type }) => type === 'after_tool_call'),
        way,
      ).toBe(true);
    });
  });
});

test('a tool made of a hooked one, with another description, runs the function of the first', async () => {
  await using served = await serve(pays);
  const ran: unknown[] = [];
  const { hooks } = watched();
  const events: EventPayload[] = [];
  hooks.observe(HookEvent, (event) => void events.push(event));
  const { pay } = hookTools({ pay: new PayTool(ran) as object as Any }, hooks);
  const { inputSchema, execute } = pay;
  const tools = { pay: { inputSchema, execute, description: 'Another.' } as Any };
  await hookedAgent({ model: served.model, tools }, hooks).generate({ prompt: 'Pay.' });
  expect(ran).toEqual([{ sum: 5 }]);
  expect(served.server.requests[0]?.tools).toMatchObject([{ description: 'Another.' }]);
});

describe('an output that a hook replaced, of another shape than the tool gives', () => {
  const replacements: readonly (readonly [string, unknown, string])[] = [
    ['a text', 'Withheld.', 'Withheld.'],
    ['an object', { withheld: true }, '{"withheld":true}'],
    ['null', null, 'null'],
  ];
  const readers: Readonly<Record<string, (output: { lines: string[] }) => unknown>> = {
    throws: ({ lines }) => ({ type: 'text', value: lines.join() }),
    'gives a text without a value': ({ lines }) => ({ type: 'text', value: lines }),
    'gives content without a text': ({ lines }) => ({
      type: 'content',
      value: [{ type: 'text', text: lines }],
    }),
  };
  const cases = Object.entries(readers).flatMap(([name, reader]) =>
    replacements.map(([what, output, text]) => [what, name, reader, output, text] as const),
  );
  test.each(cases)('%s reaches the model though toModelOutput %s', async (_w, _n, reader, output, text) => {
    await using served = await serve(pays);
    const { hooks } = watched();
    hooks.on(TransformToolResult, () => modify({ output }));
    const pay = {
      inputSchema: z.object({ sum: z.number() }),
      execute: () => ({ lines: ['secret'] }),
      toModelOutput: (result: { output: { lines: string[] } }) => reader(Object(result.output)),
    } as object as Tool;
    const { messages } = await runOnce(served.model, { pay }, hooks);
    expect(read(served.server)).toEqual({ c1: text });
    expect(JSON.stringify(messages)).not.toContain('secret');
  });

  test.each(waysToRun)('%s: is read, though a run at the same time has a call with its id', async (way) => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, ({ input }) =>
      Object(input).sum === 5 ? modify({ output: 'Withheld.' }) : proceed(),
    );
    const pay = tool({
      inputSchema: z.object({ sum: z.number() }),
      execute: () => ({ lines: ['the output'] }),
      toModelOutput: ({ output }) => ({ type: 'text', value: output.lines.join() }),
    });
    const others = Promise.withResolvers<void>();
    const wait = tool({ inputSchema: z.object({}), execute: () => others.promise.then(() => 'Over.') });
    const one = (sum: number, ...more: readonly string[]) => {
      const calls = [
        { id: 'c1', name: 'pay', arguments: { sum } },
        ...more.map((name) => ({ id: name, name, arguments: {} })),
      ];
      const { model, results } = unruly([{ calls }]);
      const prompt: ModelMessage[] = [{ role: 'user', content: 'Pay.' }];
      return runBy(way, { model, tools: { pay, wait } }, prompt, hooks).then(() => JSON.stringify(results()));
    };
    const replaced = one(5, 'wait');
    expect(await one(6)).toContain('the output');
    others.resolve();
    expect(await replaced).toContain('Withheld.');
  });

  test('an output that no hook replaced fails with the error of toModelOutput', async () => {
    await using served = await serve(pays);
    const pay = {
      inputSchema: z.object({ sum: z.number() }),
      execute: () => 'the secret',
      toModelOutput: () => {
        throw new Error('cannot redact');
      },
    } as object as Tool;
    await expect(runOnce(served.model, { pay }, watched().hooks)).rejects.toThrow('cannot redact');
    expect(JSON.stringify(served.server.requests)).not.toContain('the secret');
  });
});

async function runOnce(model: LanguageModel, tools: ToolSet, hooks: Hooks) {
  const result = await generateText(
    hookedCall({ model, tools, prompt: 'Pay.', stopWhen: isStepCount(3) }, hooks),
  );
  return { messages: result.responseMessages };
}
