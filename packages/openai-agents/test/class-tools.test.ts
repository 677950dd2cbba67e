import { createHooks, type Hooks } from '@hooks/core';
import {
  Agent,
  type FunctionTool,
  type Model,
  type ModelProvider,
  RunContext,
  Runner,
  tool,
} from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attachHooks, hookedRunner, hookTool } from '../src/index.ts';
import { call, results, setup } from './setup.ts';

type Any = FunctionTool<unknown, never, string>;

/** A tool of a class: what the SDK reads is on the prototype, and uses private fields. */
class PayTool {
  readonly #limit = 100;
  readonly #inner: FunctionTool;
  constructor(ran: unknown[]) {
    this.#inner = tool({
      name: 'pay',
      description: 'Pays.',
      parameters: z.object({ sum: z.number() }),
      execute: (input) => {
        ran.push(input);
        return `paid ${input.sum} of ${this.#limit}`;
      },
    }) as object as FunctionTool;
  }
  get type() {
    return this.#inner.type;
  }
  get name() {
    return this.#inner.name;
  }
  get description(): string {
    return `Pays up to ${this.#limit}.`;
  }
  get parameters() {
    return this.#inner.parameters;
  }
  get strict() {
    return this.#inner.strict;
  }
  // The SDK calls these two without `this`.
  readonly needsApproval = async (_context: unknown, input: unknown): Promise<boolean> =>
    Number(Reflect.get(Object(input), 'sum')) > this.#limit / 2;
  readonly isEnabled = async (): Promise<boolean> => this.#limit > 0;
  invoke(...args: Parameters<FunctionTool['invoke']>): ReturnType<FunctionTool['invoke']> {
    return this.#inner.invoke(...args);
  }
}

const forms: Readonly<Record<string, (ran: unknown[]) => Any>> = {
  'a class with private fields': (ran) => new PayTool(ran) as object as Any,
  'a frozen object': (ran) => Object.freeze(new PayTool(ran)) as object as Any,
};

const ways: Readonly<Record<string, (tool: Any, hooks: Hooks) => Agent>> = {
  bare: (pay) => new Agent({ name: 'A', tools: [pay as never] }),
  hookTool: (pay, hooks) => new Agent({ name: 'A', tools: [hookTool(pay as never, hooks)] }),
  'hookTool twice': (pay, hooks) =>
    new Agent({ name: 'A', tools: [hookTool(hookTool(pay as never, hooks), createHooks())] }),
  attachHooks: (pay, hooks) => attachHooks(new Agent({ name: 'A', tools: [pay as never] }), hooks),
};

describe.each(Object.entries(forms))('a tool that is %s', (_form, make) => {
  test.each(Object.entries(ways))(
    'is told, runs and asks for approval as without hooks under %s',
    async (_way, hook) => {
      await using s = await setup([
        { toolCalls: [call('pay', { sum: 5 })] },
        { toolCalls: [call('pay', { sum: 70 }, 'c2')] },
        { text: 'Done.' },
      ]);
      const ran: unknown[] = [];
      const result = await s.runner.run(hook(make(ran), createHooks()), 'Pay.');
      expect(ran).toEqual([{ sum: 5 }]);
      expect(results(s)).toMatchObject({ call_pay: 'paid 5 of 100' });
      expect(s.server.requests[0]?.tools).toMatchObject([{ name: 'pay', description: 'Pays up to 100.' }]);
      expect(result.interruptions).toHaveLength(1);
    },
  );

  test('runs under a hooked runner', async () => {
    await using s = await setup([{ toolCalls: [call('pay', { sum: 5 })] }, { text: 'Done.' }]);
    const ran: unknown[] = [];
    const agent = new Agent({ name: 'A', tools: [make(ran) as never] });
    await hookedRunner(s.runner, createHooks()).run(agent, 'Pay.');
    expect(results(s)).toEqual({ call_pay: 'paid 5 of 100' });
  });

  test('keeps its members when it is hooked', async () => {
    const original = make([]);
    const copy = hookTool(original as never, createHooks()) as object as Any;
    expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf(original));
    expect([copy.name, copy.description]).toEqual(['pay', 'Pays up to 100.']);
    expect(await copy.needsApproval(new RunContext(), { sum: 70 } as never)).toBe(true);
    expect(await copy.invoke(new RunContext(), '{"sum":5}')).toBe('paid 5 of 100');
  });
});

test.each([false, true])(
  'a model and its provider of a class run under a hooked runner (frozen: %s)',
  async (frozen) => {
    await using s = await setup([{ text: 'Done.' }]);
    const { modelProvider } = s.runner.config;
    class Own implements Model, ModelProvider {
      readonly #inner = modelProvider;
      getModel = (): Model => this;
      async getResponse(...args: Parameters<Model['getResponse']>): ReturnType<Model['getResponse']> {
        return (await this.#inner.getModel()).getResponse(...args);
      }
      async *getStreamedResponse(...args: Parameters<Model['getStreamedResponse']>) {
        yield* (await this.#inner.getModel()).getStreamedResponse(...args);
      }
    }
    const own = new Own();
    if (frozen) Object.freeze(own);
    const runner = hookedRunner(new Runner({ modelProvider: own, tracingDisabled: true }), createHooks());
    const result = await runner.run(new Agent({ name: 'A', model: own }), 'Hi.');
    expect(result.finalOutput).toBe('Done.');
  },
);
