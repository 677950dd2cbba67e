/**
 * A model, or its server, may write anything into its calls. Whatever it writes: the input that hooks saw is the input
 * that runs, each call that runs was decided on, and none runs that a hook refused.
 */
import { BeforeToolCall, block, createHooks, proceed, requireApproval } from '@hooks/core';
import { sampled } from '@hooks/testing/random';
import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTools } from '../src/index.ts';
import { quiet } from './fixtures.ts';

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

const called = (args: string, id = 'c', name = 'shell'): Call => ({ id, name, args });

/** A model of the AI SDK that answers with calls, in order. */
class Scripted {
  readonly specificationVersion = 'v2';
  readonly provider = 'scripted';
  readonly modelId = 'gpt-5';
  readonly supportedUrls = {};
  turn = 0;
  readonly #answers: readonly (readonly Call[])[];

  constructor(answers: readonly (readonly Call[])[]) {
    this.#answers = answers;
  }
  #next() {
    const calls = this.#answers[this.turn++];
    const content =
      calls === undefined
        ? [{ type: 'text', text: 'Done.' }]
        : calls.map(({ id, name, args }) => ({
            type: 'tool-call',
            toolCallId: id,
            toolName: name,
            input: args,
          }));
    return { content, finishReason: calls === undefined ? 'stop' : 'tool-calls', usage: {}, warnings: [] };
  }
  async doGenerate() {
    return this.#next();
  }
  async doStream() {
    const { content, finishReason, usage } = this.#next();
    const parts = content.flatMap((part): readonly object[] =>
      'text' in part
        ? [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: part.text },
            { type: 'text-end', id: 't' },
          ]
        : [part],
    );
    return {
      stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason, usage },
      ]),
    };
  }
}

/** JSON with all own keys, those that assignment would lose included; in the order of their names. */
function shown(value: unknown): string {
  return (
    JSON.stringify(value, (_key, one: unknown) =>
      typeof one === 'object' && one !== null && !Array.isArray(one)
        ? Object.fromEntries(
            Object.entries(one)
              .map(([key, inner]) => [`.${key}`, inner] as const)
              .toSorted(([a], [b]) => (a < b ? -1 : 1)),
          )
        : one,
    ) ?? 'undefined'
  );
}

/** Also what a tool could read of an input that has it from its prototype. */
function inherited(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const keys: string[] = [];
  for (const key in value)
    if (!Object.hasOwn(value, key)) keys.push(`${key}=${JSON.stringify(Reflect.get(value, key))}`);
  return [...keys, ...Object.values(value).map(inherited)].join('');
}

type Tools = Readonly<Record<string, object>>;
type Execute = (input: unknown) => Promise<object>;

const kinds: {
  readonly [kind: string]: (execute: Execute, requireApproval: boolean) => object;
} = {
  'an open schema': (execute, requireApproval) =>
    createTool({ id: 'shell', description: '', inputSchema: z.looseObject({}), requireApproval, execute }),
  'no schema': (execute, requireApproval) =>
    createTool({ id: 'shell', description: '', requireApproval, execute }),
  'a schema of any value': (execute, requireApproval) =>
    createTool({ id: 'shell', description: '', inputSchema: z.any(), requireApproval, execute }),
};

const ways = ['agent', 'tools'].flatMap((door) =>
  ['guard', 'native', 'own approval'].flatMap((approval) =>
    [false, true].map((stream) => ({ door, approval, stream })),
  ),
);

interface Played {
  readonly passed: string[];
  readonly ran: string[];
}

const isBad = (text: string) => text.includes('rm -rf');

interface Result {
  readonly finishReason?: unknown;
  readonly runId?: string;
  readonly suspendPayload?: { readonly toolCallId?: string };
}

/** Plays answers with hooks that refuse whatever has `rm -rf` in it, and where a person allows everything. */
async function play(
  answers: readonly (readonly Call[])[],
  kind: string,
  { door, approval, stream }: (typeof ways)[number],
  name = 'shell',
): Promise<Played> {
  const passed: string[] = [];
  const ran: string[] = [];
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ input }) => {
    const text = shown(input);
    if (isBad(text)) return block('No.');
    passed.push(text);
    return approval === 'native' ? requireApproval('Sure?') : proceed();
  });
  const execute: Execute = async (input) => {
    ran.push(shown(input) + inherited(input));
    return { ran: true };
  };
  const tool = kinds[kind]!(execute, approval === 'own approval');
  const options = approval === 'native' ? ({ approval: 'native' } as const) : {};
  const tools: Tools = Object.fromEntries([[name, tool]]);
  const config = {
    id: 'a',
    name: 'a',
    instructions: '',
    model: new Scripted(answers) as unknown as MastraModelConfig,
    tools: door === 'tools' ? hookTools(tools, hooks) : tools,
  } as AgentConfig;
  const agent = quiet(door === 'agent' ? hookedAgent(config, hooks, options) : new Agent(config)) as Agent;
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const end = async (output: unknown): Promise<Result> =>
    stream ? (output as { getFullOutput(): Promise<Result> }).getFullOutput() : (output as Result);
  const limits = { maxSteps: 6, modelSettings: { maxRetries: 0 } };
  try {
    let result = await end(await (stream ? agent.stream('Go', limits) : agent.generate('Go', limits)));
    for (let round = 0; result.finishReason === 'suspended' && round < 6; round++) {
      const answer = {
        runId: result.runId ?? '',
        ...(result.suspendPayload?.toolCallId !== undefined && {
          toolCallId: result.suspendPayload.toolCallId,
        }),
      };
      result = await end(
        await (stream ? agent.approveToolCall(answer) : agent.approveToolCallGenerate(answer)),
      );
    }
  } catch {
    // A run may fail; what counts is what ran.
  }
  return { passed, ran };
}

const deep = (depth: number) => `${'{"a":'.repeat(depth)}{"command":"rm -rf /"}${'}'.repeat(depth)}`;
const ls = '{"command":"ls"}';
const rm = '{"command":"rm -rf /"}';

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
  nulls: '{"command":"ls","x":null,"y":{"z":null}}',
  'JSON in a text': '{"command":"{\\"rm\\":\\"rm -rf /\\"}"}',
  'a query for a prompt': '{"query":"rm -rf /"}',
  array: '["rm -rf /"]',
  text: '"rm -rf /"',
  number: '1',
  null: 'null',
  malformed: '{"command":"rm -rf /"',
  'malformed, and repaired': "{command:'rm -rf /'}",
  empty: '',
  'two values': '{"command":"ls"}{"command":"rm -rf /"}',
  'key with a null byte': '{"command\\u0000":"rm -rf /","command":"ls"}',
};

const conversations: { readonly [name: string]: readonly (readonly Call[])[] } = {
  ...Object.fromEntries(Object.entries(inputs).map(([name, args]) => [name, [[called(args)]]])),
  'two calls of one id': [[called(ls), called(rm)]],
  'two calls of one id, the other way': [[called(rm), called(ls)]],
  'two equal calls of one id': [[called(ls), called(ls)]],
  'empty ids': [[called(ls, ''), called(rm, '')]],
  'an id that returns': [[called(ls)], [called(rm)]],
  'an id that returns for the same': [[called(ls)], [called(ls)]],
  'an id of a refused call': [[called(rm)], [called(ls)], [called(rm)]],
  'three of one id': [[called(ls), called('{"command":"pwd"}'), called(rm)]],
  'ids like keys of objects': [[called(ls, '__proto__'), called(rm, '__proto__'), called(rm, 'constructor')]],
};

const names = ['__proto__', 'constructor', 'toString'];

const numbered = Object.keys(kinds).map((kind, offset) => ({ kind, offset }));

// Each way with one kind of tool; with all of them with `HOOKS_RANDOM=1`.
describe.concurrent.each(numbered)('A hostile model and a tool with $kind:', ({ kind, offset }) => {
  test.each(sampled(ways, numbered.length, offset))('$door, $approval, streamed: $stream', async (way) => {
    const found: string[] = [];
    let calls = 0;
    const times = (list: readonly string[], input: string) => list.filter((one) => one === input).length;
    const note = (name: string, { passed, ran }: Played) => {
      calls += ran.length;
      const undecided = ran.filter((input) => isBad(input) || times(ran, input) > times(passed, input));
      if (undecided.length > 0)
        found.push(`${name}: ${undecided.map((one) => one.slice(0, 80))}, of ${passed}`);
    };
    for (const [name, answers] of Object.entries(conversations)) note(name, await play(answers, kind, way));
    for (const name of names)
      note(name, await play([[called(ls, 'c', name), called(rm, 'd', name)]], kind, way, name));
    expect(found).toEqual([]);
    expect(calls > 0).toBe(way.door === 'agent' || way.approval !== 'native');
  });
});
