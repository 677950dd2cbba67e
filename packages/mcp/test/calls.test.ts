import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { connect, KINDS, textOf } from './connect.ts';

describe.each(KINDS)('a tool call of a %s client', (kind) => {
  test('passes where no hook concerns it', async () => {
    const { call } = await connect({ kind });
    expect(await call('echo', { q: 'hi' })).toMatchObject({
      content: [{ type: 'text', text: 'said hi' }],
      structuredContent: { q: 'hi' },
      _meta: { vendor: 1 },
    });
  });

  test('is blocked with the reason as its result', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('danger|echo'), ({ toolName }) => block(`No ${toolName} here.`));
    const { call, client } = await connect({ kind, hooks });
    await client.listTools();
    expect(textOf(await call('danger'))).toBe('error: No danger here.');
    // Also where the tool has an outputSchema.
    expect(textOf(await call('echo', { q: 'x' }))).toBe('error: No echo here.');
  });

  test('runs with the input that a hook has put in place', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('echo'), () => modify({ input: { q: 'rewritten' } }));
    const { call } = await connect({ kind, hooks });
    expect(textOf(await call('echo', { q: 'x' }))).toBe('said rewritten');
  });
});
void AfterToolCall;
void proceed;
void retry;
void TransformToolResult;
