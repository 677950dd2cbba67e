import { drawn } from '@hooks/testing/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AfterModelCall,
  BeforeModelCall,
  BeforeToolCall,
  createHooks,
  modify,
  proceed,
} from '../src/index.ts';
import { call } from './support/call.ts';

/** A registry with a guard that first waits for what the caller does meanwhile. */
function whileGuarded(act: () => void) {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, async () => {
    act();
    return proceed();
  });
  return hooks;
}

class Cursor {
  at = 1;
}

describe('The input that a tool gets', () => {
  it.each([
    ['nothing', undefined],
    ['a text', 'ls'],
    ['an object', { command: 'ls', options: { all: true, depth: [1, { of: 2 }] } }],
    ['a list', ['ls', ['-l']]],
    ['an object without prototype', Object.assign(Object.create(null), { command: 'ls' })],
  ])('is a copy of its own (%s), which is like the caller’s', async (_what, input) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ context: ['noted'] }));
    const ran: unknown[] = [];
    await call(hooks, { input, execute: (given) => void ran.push(given) });
    expect(ran).toStrictEqual([input]);
    expect(Object.isFrozen(ran[0])).toBe(Object.isFrozen(input));
    if (typeof input === 'object') expect(ran[0]).not.toBe(input);
  });

  it.each([
    ['a value', { command: 'ls' }, (input: object) => void Object.assign(input, { command: 'rm' })],
    ['a field more', { command: 'ls' }, (input: object) => void Object.assign(input, { force: true })],
    ['a field less', { command: 'ls', dry: true }, (input: { dry?: boolean }) => void delete input.dry],
    [
      'another field',
      { dry: true },
      (input: { dry?: boolean }) => {
        delete input.dry;
        Object.assign(input, { force: true });
      },
    ],
    ['an entry', { paths: ['a', 'b'] }, (input: { paths: string[] }) => void input.paths.pop()],
    ['deep inside', { a: { b: [{ c: 1 }] } }, (input: never) => void Reflect.set(input['a']['b'][0], 'c', 2)],
    ['a list for an object', { at: { 0: 'x' } }, (input: object) => void Object.assign(input, { at: ['x'] })],
    ['an object for a text', { at: 'x' }, (input: object) => void Object.assign(input, { at: { 0: 'x' } })],
    [
      'an instance for an object',
      { at: { at: 1 } },
      (input: object) => void Object.assign(input, { at: new Cursor() }),
    ],
  ] as readonly (readonly [string, object, (input: never) => void])[])(
    'is what the guards saw, whatever its caller changes meanwhile: %s',
    async (_what, input, change) => {
      const before = structuredClone(input);
      const ran: unknown[] = [];
      await call(
        whileGuarded(() => change(input as never)),
        { input, execute: (given) => void ran.push(given) },
      );
      expect(input).not.toStrictEqual(before);
      expect(ran).toStrictEqual([before]);
    },
  );

  it('is what the guards saw, for any data that its caller puts in its place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.json(), async (seen, put) => {
        const input = { data: JSON.parse(seen) };
        const hooks = whileGuarded(() => {
          input.data = JSON.parse(put);
        });
        const ran: unknown[] = [];
        await call(hooks, { input, execute: (given) => void ran.push(given) });
        expect(ran).toStrictEqual([{ data: JSON.parse(seen) }]);
      }),
      { numRuns: drawn(30) },
    );
  });
});

describe('What hooks see of a framework’s own objects', () => {
  it('is the object itself, which stays as it is', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.observe(BeforeModelCall, ({ native, messages, tools }) => {
      seen.push(native, messages[0]?.native, tools[0]?.native);
    });
    const session = hooks.session('s');
    const natives = [{ request: 1 }, { message: { text: 'hi' } }, { tool: 1 }] as const;
    const [native, message, tool] = natives;
    await hooks.dispatch(BeforeModelCall, {
      session,
      native,
      messages: [{ role: 'user', text: 'hi', native: message }],
      tools: [{ name: 'exec', native: tool }],
      settings: {},
      iteration: 1,
    });
    expect(seen.map((one, nth) => one === natives[nth])).toEqual([true, true, true]);
    expect(natives.some(Object.isFrozen)).toBe(false);
  });

  it('is kept in what a hook answers, too: the adapter gets the very object', async () => {
    const hooks = createHooks();
    const own = { part: 1 };
    hooks.on(AfterModelCall, () => modify({ response: { text: 'other', toolCalls: [], native: own } }));
    const decision = await hooks.dispatch(AfterModelCall, {
      session: hooks.session('s'),
      iteration: 1,
      attempt: 1,
      response: { text: 'hi', toolCalls: [] },
    });
    expect(decision.kind === 'modify' && decision.patch.response?.native).toBe(own);
    expect(Object.isFrozen(own)).toBe(false);
  });
});
