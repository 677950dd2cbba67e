import { describe, expect, it } from 'vitest';
import {
  addContext,
  BeforeToolCall,
  type Block,
  block,
  createHooks,
  grantApproval,
  isDecision,
  modify,
  proceed,
  requireApproval,
  retry,
} from '../src/index.ts';
import { callTool } from '../src/tool-call/index.ts';

describe('decisions', () => {
  it('Proceed is a frozen singleton', () => {
    expect(proceed()).toBe(proceed());
    expect(Object.isFrozen(proceed())).toBe(true);
  });

  it('are plain data', () => {
    expect(block('no')).toEqual({ kind: 'block', reason: 'no' });
    expect(block('no', { stop: true })).toEqual({ kind: 'block', reason: 'no', stop: true });
    expect(modify({ input: 1 })).toEqual({ kind: 'modify', patch: { input: 1 } });
    expect(retry('later', { delayMs: 5 })).toEqual({ kind: 'retry', reason: 'later', delayMs: 5 });
    expect(addContext('a', 'b')).toEqual({ kind: 'modify', patch: { context: ['a', 'b'] } });
  });

  it.each(['', ' \n', undefined as never])('a Block with the reason %j is refused', async (reason) => {
    expect(() => block(reason)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/what the model reads/),
      }),
    );
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block(reason), { id: 'mute' });
    const call = { session: hooks.session(), toolName: 'exec', input: {} };
    expect(await callTool(hooks, call, () => 'ran')).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(/hook "mute" threw an error .*block needs a reason/),
    });
  });

  it('have the options of their constructors and no other fields', async () => {
    const others = { failed: true, by: 'someone', patch: {} } as object;
    expect(block('No.', { stop: true, ...others })).toEqual({ kind: 'block', reason: 'No.', stop: true });
    expect(retry('Again.', { delayMs: 1, ...others })).toEqual({
      kind: 'retry',
      reason: 'Again.',
      delayMs: 1,
    });
    expect(requireApproval('Sure?', { reasons: ['other'] } as object).patch.approval).toEqual({
      kind: 'required',
      reason: 'Sure?',
    });
    expect(grantApproval('Fine.', others).patch.approval).toEqual({ kind: 'granted', reason: 'Fine.' });
  });

  it('that say they failed, or who made them, are what the hook answered', async () => {
    const hooks = createHooks();
    const forged = { kind: 'block', reason: 'No.', failed: true, by: 'other' } as unknown as Block;
    hooks.on(BeforeToolCall, () => forged, { id: 'forger' });
    const seen: unknown[] = [];
    hooks.observe(BeforeToolCall, (_, decision) => void seen.push(decision));
    await callTool(hooks, { session: hooks.session(), toolName: 'exec', input: {} }, () => 'ran');
    expect(seen).toEqual([{ kind: 'block', reason: 'No.', by: 'forger' }]);
  });

  it('a Block with an unknown code is refused', () => {
    expect(() => block('No.', { code: 'enough' as never })).toThrow('unknown code');
  });

  it.each([
    undefined,
    null,
    'block',
    {},
    { kind: 'allow' },
    { kind: 'block' },
    { kind: 'block', reason: 1 },
    { kind: 'modify' },
    { kind: 'modify', patch: 'x' },
    { kind: 'retry' },
    { kind: 'retry', reason: 'x', delayMs: -1 },
    { kind: 'retry', reason: 'x', delayMs: Number.NaN },
  ])('%j is no decision', (value) => {
    expect(isDecision(value)).toBe(false);
  });

  it('of another copy of the package count, by their shape', () => {
    expect(isDecision({ kind: 'proceed' })).toBe(true);
    expect(isDecision({ kind: 'block', reason: 'no' })).toBe(true);
    expect(isDecision({ kind: 'modify', patch: {} })).toBe(true);
    expect(isDecision({ kind: 'retry', reason: 'x' })).toBe(true);
  });
});
