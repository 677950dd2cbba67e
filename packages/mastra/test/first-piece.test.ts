import {
  AfterModelCall,
  BeforeModelCall,
  BeforeToolCall,
  createHooks,
  type Hooks,
  proceed,
  TransformToolResult,
  TurnEnd,
} from '@hooks/core';
import { expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { makeAdd, modelOf, quiet, serve } from './fixtures.ts';

/** Hooks that hold nothing of an answer back. */
const passing: Readonly<Record<string, (hooks: Hooks) => unknown>> = {
  'before a tool call': (hooks) => hooks.guard(BeforeToolCall, () => proceed()),
  'on the result of a tool': (hooks) => hooks.on(TransformToolResult, () => proceed()),
  'before a model call': (hooks) => hooks.on(BeforeModelCall, () => proceed()),
  'that observes a model call': (hooks) => hooks.observe(AfterModelCall, () => {}),
  'that observes the end of a turn': (hooks) => hooks.observe(TurnEnd, () => {}),
};

// The model says more once its first words have been read: if they were held back, nobody would ever read them.
test.each(Object.entries(passing))(
  'the first words of a streamed answer arrive before the model has said the others, with a hook %s',
  async (_, register) => {
    const read = Promise.withResolvers<void>();
    async function* pieces() {
      yield 'one ';
      await read.promise;
      yield 'two';
    }
    const hooks = createHooks();
    register(hooks);
    await using server = await serve([{ text: pieces() }]);
    const { add } = makeAdd();
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } };
    const { textStream } = await quiet(hookedAgent(config, hooks)).stream('go');
    let text = '';
    for await (const piece of textStream) {
      text += piece;
      read.resolve();
    }
    expect(text).toBe('one two');
  },
);
