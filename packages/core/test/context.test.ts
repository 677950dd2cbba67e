import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AfterToolCall, BeforeToolCall, createHooks, type HandlerContext, proceed } from '../src/index.ts';
import { deferred } from './support/call.ts';

describe('a signal that is read late', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const setUp = () => {
    const hooks = createHooks();
    const session = hooks.session('s');
    const toolCall = (toolName: string) => ({
      session,
      callId: 'c',
      toolName,
      nativeToolName: toolName,
      input: {},
    });
    return { hooks, toolCall };
  };

  it('does not fire for a hook of a dispatch within that of its own', async () => {
    const { hooks, toolCall } = setUp();
    hooks.on(BeforeToolCall.matching('plain'), () => proceed());
    hooks.on(BeforeToolCall.matching('inner'), () => new Promise<never>(() => {}), { timeoutMs: 100 });
    let own: HandlerContext | undefined;
    hooks.on(BeforeToolCall.matching('outer'), async (_call, context) => {
      own = context;
      await hooks.dispatch(BeforeToolCall, toolCall('inner'));
      return proceed();
    });
    await hooks.dispatch(BeforeToolCall, toolCall('plain'));
    const outer = hooks.dispatch(BeforeToolCall, toolCall('outer'));
    await vi.advanceTimersByTimeAsync(200);
    await outer;
    expect(own?.signal.aborted).toBe(false);
  });

  it('is that of its own run, and none of the run for events that run to completion', async () => {
    const { hooks, toolCall } = setUp();
    const [answer, first, second] = [deferred<void>(), new AbortController(), new AbortController()];
    const held: HandlerContext[] = [];
    const hold = async (context: HandlerContext) => {
      held.push(context);
      await answer.promise;
      return proceed();
    };
    hooks.on(BeforeToolCall.matching('plain'), () => proceed());
    hooks.on(BeforeToolCall.matching('slow'), (_call, context) => hold(context));
    hooks.on(AfterToolCall.matching('slow'), (_call, context) => hold(context));
    const plain = ({ signal }: AbortController) =>
      hooks.dispatch(BeforeToolCall, toolCall('plain'), { signal });
    await plain(first);
    const before = hooks.dispatch(BeforeToolCall, toolCall('slow'), { signal: second.signal });
    await plain(second);
    const over = { ...toolCall('slow'), status: 'ok', ran: true, durationMs: 0, attempt: 1 } as const;
    const after = hooks.dispatch(AfterToolCall, over, { signal: second.signal });
    first.abort();
    expect(held.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    second.abort();
    expect(held.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    answer.resolve();
    await Promise.all([before, after]);
  });
});
