import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  type ApprovalRequired,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  requireApproval,
  retry,
} from '../src/index.ts';
import { call, deferred, tick } from './support/call.ts';

describe('guards', () => {
  it('see exactly what will run, whatever the interceptors did', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, (event) => (event.input === 'rm' ? block('no rm') : proceed()), {
      priority: 1000,
    });
    hooks.on(BeforeToolCall, () => modify({ input: 'rm' }), { priority: -1000 });
    expect(await call(hooks)).toMatchObject({ status: 'blocked', reason: 'no rm', input: 'rm' });
  });

  it('may not answer other than Proceed, Block or requireApproval; anything else is a failure, and blocks', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => modify({ input: 'sneaky' }) as never, { id: 'sneaky' });
    const outcome = await call(hooks);
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
    expect(outcome.reason).toContain('hook "sneaky"');
    const after = createHooks();
    after.guard(AfterToolCall, () => retry('once more') as never, { id: 'eager' });
    expect(await call(after)).toMatchObject({ status: 'blocked', ran: true, attempts: 1 });
  });

  it('do not see each other’s answers', async () => {
    const hooks = createHooks();
    const seen: (ApprovalRequired | unknown)[] = [];
    hooks.guard(BeforeToolCall, (event) => (seen.push(event.approval), requireApproval('ask')));
    hooks.guard(BeforeToolCall, (event) => (seen.push(event.approval), proceed()));
    await call(hooks);
    expect(seen).toEqual([undefined, undefined]);
  });

  it('that are asynchronous run concurrently', async () => {
    const hooks = createHooks();
    const first = deferred<void>();
    const started: string[] = [];
    hooks.guard(BeforeToolCall, async () => {
      started.push('one');
      await first.promise;
      return proceed();
    });
    hooks.guard(BeforeToolCall, async () => {
      started.push('two');
      return proceed();
    });
    const calling = call(hooks);
    await tick();
    expect(started).toEqual(['one', 'two']);
    first.resolve();
    expect(await calling).toMatchObject({ status: 'ok' });
  });

  it.each([
    ['first', 'second'],
    ['second', 'first'],
  ] as const)(
    'the first in order to block gives the reason, whoever answers first (%s)',
    async (quick, slow) => {
      const hooks = createHooks();
      const gates = { first: deferred<void>(), second: deferred<void>() };
      for (const name of ['first', 'second'] as const) {
        hooks.guard(
          BeforeToolCall,
          async () => {
            await gates[name].promise;
            return block(name);
          },
          { id: name },
        );
      }
      const calling = call(hooks);
      await tick();
      gates[quick].resolve();
      await tick();
      gates[slow].resolve();
      expect(await calling).toMatchObject({ reason: 'first', by: 'first' });
    },
  );

  it('a Block aborts those behind it, and waits for those ahead of it', async () => {
    const hooks = createHooks();
    const ahead = deferred<void>();
    let aborted = false;
    hooks.guard(BeforeToolCall, async () => {
      await ahead.promise;
      return proceed();
    });
    hooks.guard(BeforeToolCall, async () => block('no'));
    hooks.guard(
      BeforeToolCall,
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve(proceed());
          });
        }),
    );
    const calling = call(hooks);
    await tick();
    expect(aborted).toBe(false);
    ahead.resolve();
    expect(await calling).toMatchObject({ reason: 'no' });
    await tick();
    expect(aborted).toBe(true);
  });

  it('exist only on points that permit Block', () => {
    const hooks = createHooks();
    expect(() =>
      hooks.guard({ spec: { ...BeforeToolCall.spec, permits: ['modify'] } }, () => proceed() as never),
    ).toThrow(/does not permit Block/);
  });
});
