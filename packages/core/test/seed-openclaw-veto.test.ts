// The nine cases of the openclaw-veto seed, with their names.
import { describe, expect, it } from 'vitest';
import { concerns } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
} from '../src/index.ts';
import { callTool } from '../src/tool-call/index.ts';

const theCall = (hooks: Hooks, execute: (input: unknown) => unknown = (input) => input) =>
  callTool(
    hooks,
    { session: hooks.session('key-1'), agent: 'agent-1', toolName: 'exec', input: { command: 'ls' } },
    execute,
  );

describe('openclaw-veto', () => {
  it('1. before_tool_call receives correct payload', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, ({ toolName, input, agent }) => {
      seen.push({ toolName, input, agent });
      return proceed();
    });
    await theCall(hooks);
    expect(seen).toEqual([{ toolName: 'exec', input: { command: 'ls' }, agent: 'agent-1' }]);
  });

  it('2. Veto blocks tool execution', async () => {
    const hooks = createHooks();
    let ran = false;
    hooks.on(BeforeToolCall, () => block('Policy violation'));
    await theCall(hooks, () => {
      ran = true;
    });
    expect(ran).toBe(false);
  });

  it('3. Blocked call includes blockReason', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, () => block('Policy violation'));
    hooks.observe(AfterToolCall, ({ status, reason }) => seen.push({ status, reason }));
    expect(await theCall(hooks)).toMatchObject({ reason: 'Policy violation' });
    expect(seen).toEqual([{ status: 'blocked', reason: 'Policy violation' }]);
  });

  it('4. after_tool_call receives result/error/durationMs', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.observe(AfterToolCall, ({ output, errorMessage, durationMs }) =>
      seen.push({ output, errorMessage, timed: durationMs >= 0 }),
    );
    await theCall(hooks, () => 'out');
    await theCall(hooks, () => {
      throw new Error('boom');
    });
    expect(seen).toEqual([
      { output: 'out', errorMessage: undefined, timed: true },
      { output: undefined, errorMessage: 'boom', timed: true },
    ]);
  });

  it('5. sessionKey present in context', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(BeforeToolCall, ({ session }) => seen.push(session.id));
    hooks.observe(AfterToolCall, ({ session }) => seen.push(session.id));
    await theCall(hooks);
    expect(seen).toEqual(['key-1', 'key-1']);
  });

  it('6. Parameter modification works', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { command: 'pwd' } }));
    expect(await theCall(hooks)).toMatchObject({ output: { command: 'pwd' } });
  });

  it('7. No-hooks bypass works', async () => {
    const hooks = createHooks();
    expect(concerns(hooks, 'exec')).toBe(false);
    expect(await theCall(hooks)).toMatchObject({ status: 'ok', output: { command: 'ls' } });
  });

  it('8. Hook error resilience: here a failing gate stays closed, and a failing observer changes nothing', async () => {
    const hooks = createHooks();
    hooks.observe(BeforeToolCall, () => {
      throw new Error('boom');
    });
    expect(await theCall(hooks)).toMatchObject({ status: 'ok' });
    hooks.on(BeforeToolCall, () => {
      throw new Error('boom');
    });
    expect(await theCall(hooks)).toMatchObject({ status: 'blocked', ran: false });
  });

  it('9. Error case handling', async () => {
    const hooks = createHooks();
    const boom = new Error('boom');
    hooks.on(AfterToolCall, () => proceed());
    const outcome = await theCall(hooks, () => {
      throw boom;
    });
    expect(outcome).toMatchObject({ status: 'error', ran: true });
    expect(outcome.error).toBe(boom);
  });
});
