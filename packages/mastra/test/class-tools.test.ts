import type { ModelServer } from '@hooks/conformance';
import { AfterToolCall, createHooks } from '@hooks/core';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { Tool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTool } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

/** A tool of a class, with private fields. */
class PayTool extends Tool<{ sum: number }, unknown> {
  readonly #limit = 100;
  readonly ran: unknown[];
  constructor(ran: unknown[], more: object = {}) {
    super({
      id: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ sum: z.number().max(100) }),
      execute: async (input: { sum: number }) => {
        ran.push(input);
        return { said: this.told(input.sum) };
      },
      ...more,
    } as never);
    this.ran = ran;
  }
  get limit(): number {
    return this.#limit;
  }
  told(sum: number): string {
    return `paid ${sum} of ${this.#limit}`;
  }
}

/** The same as a plain object of the AI SDK's kind, whose members use `this` and private fields. */
class PlainTool {
  readonly #limit = 100;
  readonly ran: unknown[];
  constructor(ran: unknown[]) {
    this.ran = ran;
  }
  get id(): string {
    return 'pay';
  }
  get description(): string {
    return 'Pays.';
  }
  get inputSchema() {
    return z.object({ sum: z.number().max(this.#limit) });
  }
  get limit(): number {
    return this.#limit;
  }
  told(sum: number): string {
    return `paid ${sum} of ${this.#limit}`;
  }
  async execute(input: { sum: number }) {
    this.ran.push(input);
    return { said: this.told(input.sum) };
  }
  toModelOutput(output: { said: string }) {
    return { type: 'text', value: `${output.said}, limit ${this.#limit}` };
  }
  needsApproval({ sum }: { sum: number }): boolean {
    return sum > this.#limit / 2;
  }
}

function frozen<T extends object>(tool: T): T {
  Object.freeze(tool);
  return tool;
}

const made: Readonly<Record<string, (ran: unknown[]) => PayTool>> = {
  'a class with private fields': (ran) => new PayTool(ran),
  'a frozen object': (ran) => frozen(new PayTool(ran)),
};

/** Mastra's agents cannot run these themselves. */
const alone: Readonly<Record<string, (ran: unknown[]) => PayTool | PlainTool>> = {
  ...made,
  'an object with everything on its prototype': (ran) => new PlainTool(ran),
  'a frozen object with everything on its prototype': (ran) => frozen(new PlainTool(ran)),
};

test.each(Object.entries(alone))(
  'a tool that is %s keeps its class and members when it is hooked',
  async (_form, make) => {
    const ran: unknown[] = [];
    const tool = make(ran);
    const copy = hookTool(hookTool(tool, createHooks()), createHooks());
    expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf(tool));
    expect([copy.id, copy.description, copy.limit, copy.told(5)]).toEqual([
      'pay',
      'Pays.',
      100,
      'paid 5 of 100',
    ]);
    expect(await copy.execute?.({ sum: 5 }, {} as never)).toEqual({ said: 'paid 5 of 100' });
    expect(ran).toEqual([{ sum: 5 }]);
  },
);

const kinds = ['bare', 'alone', 'agent'] as const;

/** An agent with the tool: without hooks, with the tool hooked alone, or hooked as a whole. */
function agentWith(tool: PayTool, kind: (typeof kinds)[number], server: ModelServer, hooks = createHooks()) {
  const config = {
    id: 'a',
    name: 'a',
    instructions: 'Be brief.',
    model: modelOf(server),
    tools: { pay: kind === 'alone' ? hookTool(tool, hooks) : tool },
  };
  return quiet(kind === 'agent' ? hookedAgent(config, hooks) : new Agent(config));
}

describe.each(Object.entries(made))('a tool that is %s', (_form, make) => {
  test.each([false, true])('runs in an agent as it does without hooks (streamed: %s)', async (streamed) => {
    const results: unknown[] = [];
    for (const kind of kinds) {
      const ran: unknown[] = [];
      await using server = await serve(callThenText('pay', { sum: 5 }));
      const hooks = createHooks();
      const calls: unknown[] = [];
      hooks.observe(AfterToolCall, ({ status }) => void calls.push(status));
      const tool = make(ran);
      const agent = agentWith(tool, kind, server, hooks);
      await runAgent(agent, 'Pay.', streamed);
      results.push([ran, readByModel(server), server.requests[0]?.tools]);
      expect(calls).toEqual(kind === 'bare' ? [] : ['ok']);
    }
    expect(results).toEqual([results[0], results[0], results[0]]);
  });

  test('checks its input as it does without hooks', async () => {
    const read: unknown[] = [];
    for (const kind of kinds) {
      const ran: unknown[] = [];
      await using server = await serve(callThenText('pay', { sum: 500 }));
      const tool = make(ran);
      const agent = agentWith(tool, kind, server);
      await runAgent(agent, 'Pay.', false);
      read.push(ran);
    }
    expect(read).toEqual([read[0], read[0], read[0]]);
  });

  test('asks for approval as it does without hooks', async () => {
    const states: unknown[] = [];
    for (const kind of kinds) {
      const ran: unknown[] = [];
      await using server = await serve(callThenText('pay', { sum: 70 }));
      const tool = make(ran);
      const agent = agentWith(tool, kind, server);
      new Mastra({ agents: { a: agent }, storage: new InMemoryStore(), logger: false });
      const { finishReason } = await runAgent(agent, 'Pay.', false);
      states.push([finishReason, ran]);
    }
    expect(states).toEqual([states[0], states[0], states[0]]);
  });
});
