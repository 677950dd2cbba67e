import { BeforeToolCall, block, createHooks, proceed, requireApproval } from '@hooks/core';
import {
  Agent,
  type AgentOutputItem,
  type Model,
  type ModelResponse,
  Runner,
  type StreamEvent,
  type Tool,
  tool,
  Usage,
} from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attachHooks, hookedRunner, hookedTool, hookTool } from '../src/index.ts';
import { restore } from './setup.ts';

/*
 * A model, or its server, may write anything into its calls. Whatever it writes: the input that hooks saw is the input that
 * runs, each call that runs was decided on, and none runs that a hook refused.
 */

const said = (text: string): AgentOutputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const called = (args: string, callId = 'c', name = 'shell'): AgentOutputItem => ({
  type: 'function_call',
  callId,
  name,
  status: 'completed',
  arguments: args,
});

class Scripted implements Model {
  #turn = 0;
  readonly #answers: readonly (readonly AgentOutputItem[])[];

  constructor(answers: readonly (readonly AgentOutputItem[])[]) {
    this.#answers = answers;
  }
  #next(): AgentOutputItem[] {
    return [...(this.#answers[this.#turn++] ?? [said('Done.')])];
  }
  async getResponse(): Promise<ModelResponse> {
    return { usage: new Usage(), output: this.#next() };
  }
  async *getStreamedResponse(): AsyncGenerator<StreamEvent> {
    const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    yield { type: 'response_started' };
    yield { type: 'response_done', response: { id: 'r', usage, output: this.#next() as never } };
  }
}

/** JSON with all own keys, those that assignment would lose included; in the order of their names. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(
          Object.entries(one)
            .map(([key, inner]) => [`.${key}`, inner] as const)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : one,
  );
}

type MakeTool = (ran: string[], needsApproval: boolean, name: string) => Tool;

const anything = {
  type: 'object' as const,
  properties: {},
  required: [],
  additionalProperties: true as const,
};

const tools: { readonly [kind: string]: MakeTool } = {
  'a JSON Schema': (ran, needsApproval, name) =>
    tool({
      name,
      description: '',
      parameters: anything,
      strict: false,
      needsApproval,
      execute: (input) => {
        ran.push(shown(input));
        return 'ran';
      },
    }),
  'hookedTool and a JSON Schema': (ran, needsApproval, name) =>
    hookedTool({
      name,
      description: '',
      parameters: anything,
      strict: false,
      needsApproval,
      execute: (input) => {
        ran.push(shown(input));
        return 'ran';
      },
    }),
  zod: (ran, needsApproval, name) =>
    tool({
      name,
      description: '',
      parameters: z.object({ command: z.string().nullable(), n: z.number().nullable() }),
      needsApproval,
      execute: (input: unknown) => {
        ran.push(shown(input));
        return 'ran';
      },
    }),
  'hookedTool and zod': (ran, needsApproval, name) =>
    hookedTool({
      name,
      description: '',
      parameters: z.object({ command: z.string().nullable(), n: z.number().nullable() }),
      needsApproval,
      execute: (input: unknown) => {
        ran.push(shown(input));
        return 'ran';
      },
    }),
};

/** How hooks come to a tool. */
const doors = ['runner', 'attachHooks', 'tool'] as const;
const ways = doors.flatMap((door) =>
  ['guard', 'native', 'own approval', 'saved'].flatMap((approval) =>
    [false, true].map((stream) => ({ door, approval, stream })),
  ),
);

interface Played {
  /** Inputs that hooks were asked about, and let pass. */
  readonly passed: string[];
  readonly ran: string[];
  readonly error?: unknown;
}

const isNative = ({ approval }: { readonly approval: string }) =>
  approval === 'native' || approval === 'saved';
const isBad = (text: string) => text.includes('rm -rf');

/** Plays answers with hooks that refuse whatever has `rm -rf` in it, and where a person allows everything that they are shown. */
async function play(
  answers: readonly (readonly AgentOutputItem[])[],
  make: MakeTool,
  { door, approval, stream }: (typeof ways)[number],
  name = 'shell',
): Promise<Played> {
  const passed: string[] = [];
  const ran: string[] = [];
  const native = isNative({ approval });
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ input }) => {
    const text = shown(input);
    if (isBad(text)) return block('No.');
    passed.push(text);
    return native ? requireApproval('Sure?') : proceed();
  });
  const options = native ? ({ approval: 'native' } as const) : {};
  const bare = make(ran, approval === 'own approval', name);
  const agent = new Agent({ name: 'A', tools: [door === 'tool' ? hookTool(bare, hooks, options) : bare] });
  if (door === 'attachHooks') attachHooks(agent, hooks, options);
  const model = new Scripted(answers);
  const plain = new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true });
  const runner = door === 'runner' ? hookedRunner(plain, hooks, options) : plain;
  const once = async (input: Parameters<typeof runner.run>[1]) => {
    if (!stream) return runner.run(agent, input as string, { maxTurns: 6 });
    const result = await runner.run(agent, input as string, { maxTurns: 6, stream: true });
    for await (const _event of result);
    await result.completed;
    return result;
  };
  try {
    let result = await once('go');
    for (let round = 0; result.interruptions.length > 0 && round < 5; round++) {
      const state = approval === 'saved' ? await restore(agent, result.state.toString()) : result.state;
      for (const item of state.getInterruptions()) state.approve(item);
      result = await once(state as never);
    }
    return { passed, ran };
  } catch (error) {
    return { passed, ran, error };
  }
}

const deep = (depth: number) => `${'{"a":'.repeat(depth)}{"command":"rm -rf /"}${'}'.repeat(depth)}`;

const inputs: { readonly [name: string]: string } = {
  __proto__: '{"__proto__":{"command":"rm -rf /"}}',
  'nested __proto__': '{"command":"ls","x":{"__proto__":{"command":"rm -rf /"}}}',
  'escaped __proto__': '{"\\u005f_proto__":{"command":"rm -rf /"}}',
  constructor: '{"constructor":{"prototype":{"command":"rm -rf /"}}}',
  'duplicate keys': '{"command":"rm -rf /","command":"ls"}',
  'duplicate keys, the other way': '{"command":"ls","command":"rm -rf /"}',
  toJSON: '{"command":"rm -rf /","toJSON":"ls"}',
  'deep nesting': deep(5_000),
  'a number out of range': '{"n":1e400,"command":"ls"}',
  'a negative zero': '{"n":-0,"command":"ls"}',
  array: '["rm -rf /"]',
  text: '"rm -rf /"',
  number: '1',
  null: 'null',
  malformed: '{"command":"rm -rf /"',
  empty: '',
  space: ' {"command":"ls"} ',
  'two values': '{"command":"ls"}{"command":"rm -rf /"}',
  'lone surrogate': '{"command":"\\ud800"}',
  'key with a null byte': '{"command\\u0000":"rm -rf /","command":"ls"}',
};

const ls = '{"command":"ls","n":null}';
const rm = '{"command":"rm -rf /","n":null}';

const conversations: { readonly [name: string]: readonly (readonly AgentOutputItem[])[] } = {
  ...Object.fromEntries(Object.entries(inputs).map(([name, args]) => [name, [[called(args)]]])),
  'two calls of one id': [[called(ls), called(rm)]],
  'two calls of one id, the other way': [[called(rm), called(ls)]],
  'two equal calls of one id': [[called(ls), called(ls)]],
  'empty ids': [[called(ls, ''), called(rm, '')]],
  'an id that returns': [[called(ls)], [called(rm)]],
  'an id that returns for the same': [[called(ls)], [called(ls)]],
  'an id of a refused call': [[called(rm)], [called(ls)], [called(rm)]],
  'three of one id': [[called(ls), called('{"command":"pwd","n":null}'), called(rm)]],
  'ids like keys of objects': [[called(ls, '__proto__'), called(rm, '__proto__'), called(rm, 'constructor')]],
};

const names = ['__proto__', 'constructor', 'toString'];

describe.each(Object.entries(tools))('A hostile model and a tool with %s:', (_kind, make) => {
  test.each(ways)('$door, $approval, streamed: $stream', async (way) => {
    const found: string[] = [];
    let calls = 0;
    const note = (name: string, { passed, ran }: Played) => {
      calls += ran.length;
      const times = (list: readonly string[], input: string) => list.filter((one) => one === input).length;
      const undecided = ran.filter((input) => isBad(input) || times(ran, input) > times(passed, input));
      if (undecided.length > 0) found.push(`${name}: ${undecided}, of ${passed}`);
    };
    for (const [name, answers] of Object.entries(conversations)) note(name, await play(answers, make, way));
    for (const name of names)
      note(name, await play([[called(ls, 'c', name), called(rm, 'd', name)]], make, way, name));
    expect(found).toEqual([]);
    // In a runner that is not hooked nobody can be asked for a hook.
    expect(calls > 0).toBe(way.door === 'runner' || !isNative(way));
  });
});
