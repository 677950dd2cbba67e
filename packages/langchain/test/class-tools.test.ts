import { AfterToolCall, createHooks } from '@hooks/core';
import { StructuredTool } from '@langchain/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, hookTool } from '../src/index.ts';
import { calls, resultsOf, scripted, user } from './fixtures.ts';

/** A tool of a class: what LangChain reads is on the prototype, and uses private fields. */
class PayTool extends StructuredTool {
  readonly #limit = 100;
  readonly ran: unknown[] = [];
  override name = 'pay';
  override description = '';
  override schema = z.object({ sum: z.number() });
  get limit(): number {
    return this.#limit;
  }
  protected override async _call(input: { sum: number }): Promise<string> {
    this.ran.push(input);
    return this.told(input.sum);
  }
  told(sum: number): string {
    return `paid ${sum} of ${this.#limit}`;
  }
}

class WithAccessors extends PayTool {
  static make(): PayTool {
    const made = new WithAccessors();
    // LangChain declares them as fields, so those of the instance have to go.
    for (const field of ['description', 'schema'] as const) Reflect.deleteProperty(made, field);
    Object.defineProperty(WithAccessors.prototype, 'description', {
      get: () => 'Pays up to 100.',
      configurable: true,
    });
    Object.defineProperty(WithAccessors.prototype, 'schema', {
      get(this: PayTool) {
        return z.object({ sum: z.number().max(this.limit) });
      },
      configurable: true,
    });
    return made;
  }
}

class ArrowCall extends PayTool {
  readonly #word = 'arrow';
  protected override _call = async (input: { sum: number }): Promise<string> => {
    this.ran.push(input);
    return `${this.#word}: ${this.told(input.sum)}`;
  };
}

function frozen<T extends object>(tool: T): T {
  Object.freeze(tool);
  return tool;
}

const forms: Readonly<Record<string, () => PayTool>> = {
  'a class with private fields': () => new PayTool(),
  'a class with accessors': () => WithAccessors.make(),
  'a class whose function is an arrow function': () => new ArrowCall(),
  'a frozen object': () => frozen(new PayTool()),
  'a frozen object with own functions': () => frozen(new ArrowCall()),
};

describe.each(Object.entries(forms))('a tool that is %s', (_form, make) => {
  test('runs as it does without hooks when it is hooked alone', async () => {
    const bare = make();
    const hooked = hookTool(hookTool(make(), createHooks()), createHooks());
    expect(await hooked.invoke({ sum: 5 })).toEqual(await bare.invoke({ sum: 5 }));
    expect(hooked).toBeInstanceOf(PayTool);
    expect(hooked.told(5)).toBe(bare.told(5));
    expect(hooked.limit).toBe(100);
    expect([hooked.name, hooked.description]).toEqual([bare.name, bare.description]);
    for (const key of Object.keys(hooked)) expect(() => Reflect.get(hooked, key)).not.toThrow();
  });

  test('checks its input as it does without hooks', async () => {
    const hooked = hookTool(make(), createHooks());
    const problem = (tool: PayTool) =>
      tool.invoke({ sum: 'much' } as never).catch((error: Error) => error.name);
    expect(await problem(hooked)).toBe(await problem(make()));
    expect(hooked.ran).toEqual([]);
  });

  test.each([false, true])('runs in a hooked agent (hooked alone first: %s)', async (alone) => {
    await using served = await scripted(calls({ id: 'c1', name: 'pay', arguments: { sum: 5 } }));
    const hooks = createHooks();
    const tool = make();
    const tools = [alone ? hookTool(tool, createHooks()) : tool];
    const agent = createHookedAgent({ model: served.model, tools }, hooks);
    await agent.invoke(user('Pay.'));
    expect(tool.ran).toEqual([{ sum: 5 }]);
    expect(resultsOf(served.server)).toEqual({ c1: await make().invoke({ sum: 5 }) });
  });
});

/** Its own `call` gives the first value that its function yields. */
class FirstValue extends StructuredTool {
  override name = 'first';
  override description = '';
  override schema = z.object({});
  readonly leaves: boolean;
  constructor(leaves: boolean) {
    super();
    this.leaves = leaves;
  }
  // LangChain takes generators, and its types do not say so.
  protected override _call(): never {
    const values = async function* () {
      yield 'one';
      return 'two';
    };
    return values() as never;
  }
  override async call(): Promise<never> {
    const values: AsyncGenerator<unknown> = await this._call();
    const { value } = await values.next();
    if (this.leaves) await values.return(undefined);
    return value as never;
  }
}

test.each([true, false])(
  'a tool that does not read all that its function yields gives its result (leaves it: %s)',
  async (leaves) => {
    const hooks = createHooks();
    const outputs: unknown[] = [];
    hooks.observe(AfterToolCall, ({ output }) => void outputs.push(output));
    expect(await hookTool(new FirstValue(leaves), hooks).invoke({})).toBe('one');
    await using at = await scripted(calls({ name: 'first', arguments: {}, id: 'c1' }));
    await createHookedAgent({ model: at.model, tools: [new FirstValue(leaves)] }, hooks).invoke(user('go'));
    expect(resultsOf(at.server)).toEqual({ c1: 'one' });
    expect(outputs).toEqual(['one', 'one']);
  },
);
