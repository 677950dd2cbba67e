import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HookedOptions, hookedAgent, hookTool } from '../src/index.ts';
import { callThenText, modelOf, quiet, serve } from './fixtures.ts';

/** Runs a tool that writes to the stream in each way that Mastra has, and gives what the reader of the stream got of it. */
async function written(
  hooks: Hooks,
  options: HookedOptions = {},
  fails = false,
): Promise<readonly unknown[]> {
  await using server = await serve(callThenText('look', {}));
  let attempt = 0;
  const look = createTool({
    id: 'look',
    description: 'Looks.',
    inputSchema: z.object({}),
    execute: async (_input, { writer, agent }) => {
      attempt++;
      await writer?.write(`write ${attempt}`);
      await writer?.custom({ type: 'data-custom', data: `custom ${attempt}` });
      await ReadableStream.from([`piped ${attempt}`]).pipeTo(writer as WritableStream, {
        preventClose: true,
      });
      const { outputWriter }: { readonly outputWriter?: (chunk: unknown) => unknown } = Object(agent);
      await outputWriter?.({ type: 'data-raw', data: `raw ${attempt}` });
      if (fails) throw new Error('Nothing there.');
      return 'nothing';
    },
  });
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { look, see: look } };
  const output = await quiet(hookedAgent(config, hooks, options)).stream('Go');
  const chunks: unknown[] = [];
  for await (const chunk of output.fullStream) {
    const { type, data, payload }: Chunk = Object(chunk);
    if (type.startsWith('data-')) chunks.push(data);
    if (type === 'tool-output') chunks.push(payload?.output);
    if (type === 'tool-result' || type === 'tool-error') chunks.push(type);
  }
  return chunks;
}

interface Chunk {
  readonly type: string;
  readonly data?: unknown;
  readonly payload?: { readonly output?: unknown };
}

const all = (attempt: number) => ['write', 'custom', 'piped', 'raw'].map((way) => `${way} ${attempt}`);

describe('what a tool writes to the stream', () => {
  test('passes where hooks only look', async () => {
    const hooks = createHooks();
    hooks.observe(AfterToolCall, () => {});
    expect(await written(hooks)).toEqual([...all(1), 'tool-result']);
  });

  test('is withheld where hooks decide about the result, which they see without it', async () => {
    const accepting = createHooks();
    accepting.on(AfterToolCall, () => proceed());
    expect(await written(accepting)).toEqual(['tool-result']);
    expect(await written(accepting, {}, true)).toEqual(['tool-error']);
    const replacing = createHooks();
    replacing.on(TransformToolResult, () => modify({ output: 'gone' }));
    expect(await written(replacing)).toEqual(['tool-result']);
    const refusing = createHooks();
    refusing.on(AfterToolCall, () => block('No.'));
    expect(await written(refusing)).toEqual(['tool-error']);
    const rewording = createHooks();
    rewording.on(TransformToolResult, () => modify({ errorMessage: 'gone' }));
    expect(await written(rewording, {}, true)).toEqual(['tool-error']);
  });

  test('is withheld where the call has values that only the tool is given, also with holdStream false', async () => {
    const hooks = createHooks();
    const concealed = { reveal: (input: unknown) => input, hide: (value: unknown) => value };
    hooks.on(BeforeToolCall, () => modify({ concealed }));
    expect(await written(hooks)).toEqual(['tool-result']);
    expect(await written(hooks, { holdStream: false })).toEqual(['tool-result']);
  });

  test('is withheld with one warning, which names the option', async () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (warning) => void warnings.push(warning) });
    hooks.on(TransformToolResult, () => proceed());
    await written(hooks);
    expect(warnings).toEqual([expect.stringMatching(/"look".*withheld.*`holdStream: false`/)]);
  });

  test('passes for each attempt with holdStream false', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('Again.') : proceed()));
    expect(await written(hooks, { holdStream: false })).toEqual([...all(1), ...all(2), 'tool-result']);
  });

  test('is withheld of a tool that runs in the place of another, too', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'see' }));
    hooks.on(TransformToolResult.matching('see'), () => modify({ output: 'gone' }));
    expect(await written(hooks)).toEqual(['tool-result']);
  });

  test.each([
    ['with further hooks, which decide about its result', {}, ['search'], 'tool-result'],
    ['whose stream is not held back', { holdStream: false }, ['search', 'look'], 'tool-error'],
  ] as const)(
    'is withheld of a tool that a hook puts in the place of one %s',
    async (_which, options, hooked, ends) => {
      await using server = await serve(callThenText('search', {}));
      const [outer, redacting] = [createHooks(), createHooks()];
      outer.on(BeforeToolCall.matching('search'), () => modify({ toolName: 'look' }));
      redacting.on(TransformToolResult, () => modify({ output: 'gone' }));
      const tools = Object.fromEntries(
        ['search', 'look'].map((id) => {
          const writes = createTool({
            ...{ id, description: 'Writes.', inputSchema: z.object({}) },
            execute: async (_input, { writer }) => writer?.custom({ type: 'data-custom', data: id }),
          });
          const own = id === 'search' ? options : {};
          return [id, hooked.some((one) => one === id) ? hookTool(writes, redacting, own) : writes];
        }),
      );
      const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
      const { fullStream } = await quiet(hookedAgent(config, outer)).stream('Go');
      const types: string[] = [];
      for await (const { type } of fullStream) types.push(type);
      expect(types).toContain(ends);
      expect(types).not.toContain('data-custom');
    },
  );

  test('passes unfiltered with holdStream false', async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ output: 'gone' }));
    expect(await written(hooks, { holdStream: false })).toEqual([...all(1), 'tool-result']);
  });

  test('before and after it paused is withheld where hooks decide about the result', async () => {
    await using server = await serve(callThenText('ask', {}));
    const hooks = createHooks();
    hooks.on(AfterToolCall, () => proceed());
    const ask = createTool({
      id: 'ask',
      description: 'Asks.',
      inputSchema: z.object({}),
      resumeSchema: z.object({ answer: z.string() }),
      execute: async (_input, { writer, agent }) => {
        const resumed = agent?.resumeData !== undefined;
        await writer?.custom({ type: 'data-custom', data: resumed ? 'after' : 'before' });
        return resumed ? 'asked' : agent?.suspend({});
      },
    });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { ask } };
    const agent = quiet(hookedAgent(config, hooks));
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const first = await agent.stream('Go');
    const written: unknown[] = [];
    const read = async (output: { readonly fullStream: AsyncIterable<object> }): Promise<void> => {
      for await (const chunk of output.fullStream) {
        const { type, data }: { readonly type?: string; readonly data?: unknown } = chunk;
        if (type === 'data-custom') written.push(data);
      }
    };
    await read(first);
    expect(written).toEqual([]);
    await read(await agent.resumeStream({ answer: 'Yes.' }, { runId: first.runId, toolCallId: 'c1' }));
    expect(written).toEqual([]);
  });

  test('is withheld of a tool that another calls, also after a call beside it is over', async () => {
    await using server = await serve(callThenText('both', {}));
    const hooks = createHooks();
    hooks.on(TransformToolResult.matching('look'), () => modify({ output: 'gone' }));
    let first: unknown;
    let calls = 0;
    const look = hookTool(
      createTool({
        id: 'look',
        description: 'Looks.',
        execute: async (_input, { writer }) => {
          if (++calls === 2) await first;
          await writer?.custom({ type: 'data-look', data: 'secret' });
        },
      }),
      hooks,
    );
    const both = createTool({
      id: 'both',
      description: 'Looks twice.',
      execute: async (_input, context) => {
        first = look.execute?.({}, context);
        await look.execute?.({}, context);
        await context.writer?.custom({ type: 'data-both', data: 'both' });
      },
    });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { both } };
    const output = await quiet(hookedAgent(config, hooks)).stream('Go');
    const types: string[] = [];
    for await (const { type } of output.fullStream) if (type.startsWith('data-')) types.push(type);
    expect(types).toEqual(['data-both']);
  });
});
