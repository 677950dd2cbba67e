import { describe, expect, it } from 'vitest';
import { SeenMessages } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  BeforeModelCall,
  createHooks,
  type ModelMessage,
  modify,
  proceed,
  TransformToolResult,
} from '../src/index.ts';
import { call } from './support/call.ts';

interface Native {
  content: string | readonly string[];
}

/** A framework's history, and how often the text of a message was read. */
function history(length: number) {
  const seen = new SeenMessages<Native>();
  let reads = 0;
  const natives = Array.from({ length }, (_, at): Native => ({ content: `text ${at}` }));
  return {
    natives,
    reads: () => reads,
    messages: (): readonly ModelMessage[] =>
      natives.map((native) =>
        seen.of(native, { role: 'user' }, native.content, () => {
          reads++;
          return String(native.content);
        }),
      ),
  };
}

describe('a history that is sent again', () => {
  it('is read once for each message, and hooks see the same sealed objects', async () => {
    const hooks = createHooks();
    const shown: (readonly ModelMessage[])[] = [];
    hooks.on(BeforeModelCall, ({ messages }) => (shown.push(messages), proceed()));
    const { messages, natives, reads } = history(10);
    const session = hooks.session('s');
    for (let call = 0; call < 5; call++) {
      natives.push({ content: `answer ${call}` });
      await hooks.dispatch(BeforeModelCall, { session, messages: messages(), tools: [], iteration: call });
    }
    expect(reads()).toBe(15);
    expect(shown.map(({ length }) => length)).toEqual([11, 12, 13, 14, 15]);
    expect(shown[4]?.slice(0, 11)).toEqual(shown[0]);
    for (const [at, message] of (shown[0] ?? []).entries()) expect(shown[4]?.[at]).toBe(message);
    expect(Object.isFrozen(shown[0]?.[0])).toBe(true);
  });

  it('is read again where a program has changed a message in place', () => {
    const { messages, natives, reads } = history(2);
    messages();
    Object.assign(natives[1] as Native, { content: 'redacted' });
    expect(messages().map(({ text }) => text)).toEqual(['text 0', 'redacted']);
    expect(reads()).toBe(3);
  });

  it('is read again where a message has parts, which may change unseen', () => {
    const { messages, natives } = history(0);
    const parts = ['a', 'b'];
    natives.push({ content: parts });
    expect(messages()[0]?.text).toBe('a,b');
    parts.push('c');
    expect(messages()[0]?.text).toBe('a,b,c');
  });

  it('names another call of a result where the history before it has changed', () => {
    const seen = new SeenMessages<Native>();
    const native = { content: 'found' };
    const read = (toolName: string) =>
      seen.of(native, { role: 'tool', toolName, callId: 'c' }, native.content, () => 'found');
    expect(read('search')).toBe(read('search'));
    expect([read('search').toolName, read('fetch').toolName]).toEqual(['search', 'fetch']);
  });

  it('is copied with all that it holds where a hook makes a result of it', async () => {
    const hooks = createHooks();
    const { messages, natives } = history(1);
    const [message] = messages();
    const judged: unknown[] = [];
    hooks.on(TransformToolResult, () => modify({ output: message }));
    hooks.guard(AfterToolCall, ({ output }) => {
      judged.push(output);
      Object.assign(natives[0] as Native, { content: 'changed later' });
      return proceed();
    });
    const { output } = await call(hooks);
    expect(judged).toEqual([{ role: 'user', text: 'text 0', native: { content: 'text 0' } }]);
    expect(output).toEqual({ role: 'user', text: 'text 0', native: { content: 'text 0' } });
  });

  it('that a hook changes stays as it is for the next call', async () => {
    const hooks = createHooks();
    hooks.on(BeforeModelCall, ({ messages }) =>
      modify({ messages: messages.map((message) => ({ ...message, text: '***' })) }),
    );
    const { messages } = history(2);
    const session = hooks.session('s');
    const about = { session, messages: messages(), tools: [], iteration: 1 };
    const decision = await hooks.dispatch(BeforeModelCall, about);
    expect(decision).toMatchObject({ patch: { messages: [{ text: '***' }, { text: '***' }] } });
    expect(messages().map(({ text }) => text)).toEqual(['text 0', 'text 1']);
  });
});
