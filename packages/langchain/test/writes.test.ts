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
import { dispatchCustomEvent } from '@langchain/core/callbacks/dispatch';
import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import { StructuredTool } from '@langchain/core/tools';
import { getWriter, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, type HookedOptions, hookTools } from '../src/index.ts';
import { calls, scripted, user } from './fixtures.ts';

const schema = z.object({});
const failing = 'Nothing there.';

/** Writes in each way that a tool has; `getWriter()` finds one only where LangChain leaves the node's config around. */
async function write(attempt: number, config: LangGraphRunnableConfig): Promise<void> {
  config.writer?.(`writer ${attempt}`);
  const { config: node }: { readonly config?: LangGraphRunnableConfig } = Object(config);
  node?.writer?.(`node's writer ${attempt}`);
  getWriter()?.(`getWriter ${attempt}`);
  await dispatchCustomEvent(`event ${attempt}`, {});
  await dispatchCustomEvent(`event by config ${attempt}`, {}, config);
}

const always = (attempt: number) => [
  `writer ${attempt}`,
  `node's writer ${attempt}`,
  `event ${attempt}`,
  `event by config ${attempt}`,
];
const alsoFound = (attempt: number) => [...always(attempt), `getWriter ${attempt}`];

/** The forms of a tool. */
const forms = {
  function: (name: string, run: (config: LangGraphRunnableConfig) => Promise<string>) =>
    tool((_input, config) => run(config), { name, description: 'Looks.', schema }),
  generator: (name: string, run: (config: LangGraphRunnableConfig) => Promise<string>) =>
    tool(
      async function* (_input, config) {
        yield 'looking';
        return await run(config);
      },
      { name, description: 'Looks.', schema },
    ),
  class: (name: string, run: (config: LangGraphRunnableConfig) => Promise<string>) => {
    class Look extends StructuredTool {
      readonly name = name;
      readonly description = 'Looks.';
      readonly schema = schema;
      protected override _call(
        _input: unknown,
        _manager: CallbackManagerForToolRun | undefined,
        config: LangGraphRunnableConfig,
      ): Promise<string> {
        return run(config);
      }
    }
    return new Look();
  },
};

describe.each([
  ['function', 'agent', always],
  ['generator', 'agent', alsoFound],
  ['class', 'agent', alsoFound],
  ['function', 'tool', always],
  ['generator', 'tool', alsoFound],
  ['class', 'tool', alsoFound],
] as const)('what a tool writes to the stream (%s, hooked %s)', (form, how, all) => {
  /** Runs the tool, and gives what the reader of the stream and a callback got of what it wrote. */
  async function written(
    hooks: Hooks,
    options: HookedOptions = {},
    fails = false,
    inner: readonly (readonly [Hooks, HookedOptions])[] = [],
  ): Promise<unknown[]> {
    await using at = await scripted(calls({ name: 'look', arguments: {} }));
    let attempt = 0;
    const run = async (config: LangGraphRunnableConfig): Promise<string> => {
      await write(++attempt, config);
      if (fails) throw new Error(failing);
      return 'nothing';
    };
    const { model } = at;
    const bare = ['look', 'see'].map((name) => forms[form](name, run));
    const tools = inner.reduce((list, [registry, its]) => hookTools(list, registry, its), bare);
    const agent =
      how === 'agent'
        ? createHookedAgent({ model, tools }, hooks, options)
        : createAgent({ model, tools: hookTools(tools, hooks, options) });
    const got: unknown[] = [];
    const callbacks = [{ handleCustomEvent: (name: string) => void got.push(name), awaitHandlers: true }];
    for await (const [, chunk] of await agent.stream(user('go'), { callbacks, streamMode: ['custom'] }))
      got.push(chunk);
    expect(at.server.requests).toHaveLength(2);
    return got.sort();
  }

  const sorted = (attempt: number) => all(attempt).sort();

  test('passes where hooks only look', async () => {
    const hooks = createHooks();
    hooks.observe(AfterToolCall, () => {});
    expect(await written(hooks)).toEqual(sorted(1));
  });

  test('is withheld where hooks decide about the result, which they see without it', async () => {
    const accepting = createHooks();
    accepting.on(AfterToolCall, () => proceed());
    expect(await written(accepting)).toEqual([]);
    expect(await written(accepting, {}, true)).toEqual([]);
    const replacing = createHooks();
    replacing.on(TransformToolResult, () => modify({ output: 'gone' }));
    expect(await written(replacing)).toEqual([]);
    const refusing = createHooks();
    refusing.on(AfterToolCall, () => block('No.'));
    expect(await written(refusing)).toEqual([]);
    const rewording = createHooks();
    rewording.on(TransformToolResult, () => modify({ errorMessage: 'gone' }));
    expect(await written(rewording, {}, true)).toEqual([]);
  });

  test('is withheld where the call has values that only the tool is given, also with holdStream false', async () => {
    const hooks = createHooks();
    const concealed = { reveal: (input: unknown) => input, hide: (value: unknown) => value };
    hooks.on(BeforeToolCall, () => modify({ concealed }));
    expect(await written(hooks)).toEqual([]);
    expect(await written(hooks, { holdStream: false })).toEqual([]);
  });

  test('is withheld with one warning, which names the option', async () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (warning) => void warnings.push(warning) });
    hooks.on(TransformToolResult, () => proceed());
    await written(hooks);
    expect(warnings).toEqual([expect.stringMatching(/"look".*withheld.*`holdStream: false`/)]);
  });

  test('is withheld unless each registry with such a hook opts out', async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => proceed());
    const looking = createHooks();
    looking.observe(AfterToolCall, () => {});
    const other = createHooks();
    other.on(AfterToolCall, () => proceed());
    const off = { holdStream: false };
    expect(await written(hooks, off, false, [[looking, {}]])).toEqual(sorted(1));
    expect(await written(hooks, off, false, [[other, {}]])).toEqual([]);
    expect(await written(hooks, off, false, [[other, off]])).toEqual(sorted(1));
  });

  test('passes for each attempt with holdStream false', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('Again.') : proceed()));
    expect(await written(hooks, { holdStream: false })).toEqual([...all(1), ...all(2)].sort());
  });

  test('is withheld of a tool that runs in the place of another, too', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'see' }));
    hooks.on(TransformToolResult.matching('see'), () => modify({ output: 'gone' }));
    expect(await written(hooks)).toEqual([]);
  });

  test('passes unfiltered with holdStream false', async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ output: 'gone' }));
    expect(await written(hooks, { holdStream: false })).toEqual(sorted(1));
  });
});
