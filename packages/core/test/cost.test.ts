import { describe, expect, it, vi } from 'vitest';
import { attachAdapter, native } from '../src/adapter/index.ts';
import { hashInput } from '../src/approval/hash.ts';
import type { Registration } from '../src/dispatch/chain.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  HookEvent,
  type HooksOptions,
  proceed,
  TransformToolResult,
} from '../src/index.ts';
import { internalOf } from '../src/registry/internal.ts';
import { Registrations } from '../src/registry/registrations.ts';
import { call } from './support/call.ts';

/** How often each field of an object and of those below it was read. */
class Reads {
  readonly #counts: Map<string, number> = new Map();

  watch<T extends object>(target: T, path = ''): T {
    const count = (kind: string, key: string | symbol) => {
      const field = `${kind} ${path}.${String(key)}`;
      this.#counts.set(field, (this.#counts.get(field) ?? 0) + 1);
    };
    return new Proxy(target, {
      get: (of, key) => {
        count('get', key);
        return this.#below(Reflect.get(of, key), `${path}.${String(key)}`);
      },
      getOwnPropertyDescriptor: (of, key) => {
        const field = Reflect.getOwnPropertyDescriptor(of, key);
        if (field && 'value' in field && field.configurable) {
          count('describe', key);
          Object.assign(field, { value: this.#below(field.value, `${path}.${String(key)}`) });
        }
        return field;
      },
    });
  }

  #below(value: unknown, path: string): unknown {
    return typeof value === 'object' && value !== null ? this.watch(value, path) : value;
  }

  of(kind: 'get' | 'describe'): readonly number[] {
    return [...this.#counts].flatMap(([field, count]) => (field.startsWith(kind) ? count : []));
  }
}

/** A tree with three fields an object: 3 + 9 + 27 objects, and 81 texts. */
function tree(depth = 4): unknown {
  return depth === 0 ? 'leaf' : { a: tree(depth - 1), b: tree(depth - 1), c: tree(depth - 1) };
}

/** Hooks on everything that shows an input or a result. */
function hookAll(options?: HooksOptions) {
  const hooks = createHooks(options);
  const shown: unknown[] = [];
  hooks.on(BeforeToolCall, () => proceed());
  hooks.guard(BeforeToolCall, () => proceed());
  for (const _ of [1, 2]) hooks.on(TransformToolResult, ({ output }) => (shown.push(output), proceed()));
  hooks.on(AfterToolCall, ({ output }) => (shown.push(output), proceed()));
  hooks.guard(AfterToolCall, ({ output }) => (shown.push(output), proceed()));
  hooks.observe(HookEvent, () => {});
  hooks.trace(() => {});
  return { hooks, shown };
}

describe('on the way of a call', () => {
  it('each field of an input is read once, whatever hooks there are', async () => {
    const { hooks } = hookAll();
    const reads = new Reads();
    const outcome = await call(hooks, { input: reads.watch(tree() as object) });
    expect(outcome.status).toBe('ok');
    expect(reads.of('get')).toEqual([]);
    expect(reads.of('describe')).toEqual(Array(3 + 9 + 27 + 81).fill(1));
  });

  it('each field of a result is read once, and all hooks see the same copy', async () => {
    const { hooks, shown } = hookAll();
    const reads = new Reads();
    const output = reads.watch(tree() as object);
    const outcome = await call(hooks, { execute: () => output });
    expect(outcome.output).toBe(output);
    expect(reads.of('describe')).toEqual(Array(3 + 9 + 27 + 81).fill(1));
    expect(shown).toHaveLength(4);
    expect(new Set(shown).size).toBe(1);
    expect(shown[0]).toEqual(tree());
  });

  it('each field of what a tool threw is read once', async () => {
    const { hooks } = hookAll();
    const reads = new Reads();
    const error = reads.watch(tree() as object);
    await call(hooks, {
      execute: () => {
        throw error;
      },
    });
    // Whether it is a promise, and whether it has a text form, is asked of its class.
    expect(reads.of('describe')).toEqual(Array(3 + 9 + 27 + 81).fill(1));
  });

  it('a result that a hook hands on as it is, is not copied again', async () => {
    const { hooks, shown } = hookAll();
    hooks.on(TransformToolResult, ({ output }) => ({ kind: 'modify', patch: { output } }) as never, {
      priority: 1,
    });
    await call(hooks, { execute: () => tree() });
    expect(new Set(shown).size).toBe(1);
  });
});

describe('the hash of an input', () => {
  it('reads each field once', async () => {
    const reads = new Reads();
    expect(await hashInput(reads.watch(tree() as object))).toBe(await hashInput(tree()));
    expect(reads.of('describe')).toEqual(Array(3 + 9 + 27 + 81).fill(1));
  });

  it('is the same whatever keys the objects before it have', async () => {
    const rows = [{ b: 1, a: 2 }, { b: 1, c: 2 }, { b: 1 }, { b: 1, a: 2, c: 3 }, {}, { b: 3, a: 4 }];
    const sorted = [{ a: 2, b: 1 }, { b: 1, c: 2 }, { b: 1 }, { a: 2, b: 1, c: 3 }, {}, { a: 4, b: 3 }];
    expect(await hashInput(rows)).toBe(await hashInput(sorted));
    const bytes = new TextEncoder().encode(JSON.stringify(sorted));
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    expect(await hashInput(rows)).toBe(Buffer.from(digest).toString('hex'));
  });
});

describe('a registry', () => {
  it('registers and removes a hook without a look at the others', () => {
    let looks = 0;
    const registrations = new Registrations();
    const hook = (id: string): Registration =>
      ({
        get info() {
          looks++;
          return { id, provider: `p/${id}`, verb: 'on', event: 'x', priority: 0 };
        },
      }) as Registration;
    const made = Array.from({ length: 1000 }, (_, at) => registrations.add(hook(String(at))));
    expect(registrations.all).toHaveLength(1000);
    for (const one of made) one[Symbol.dispose]();
    expect(registrations.all).toEqual([]);
    expect(looks).toBeLessThan(10 * 1000);
  });

  it('stops at names that are far from a matcher, and compares them once for all hooks with the same one', () => {
    const hooks = createHooks();
    const matcher = 'some_quite_long_name_of_a_tool';
    for (let at = 0; at < 50; at++) hooks.observe(AfterToolCall.matching(matcher), () => {});
    const names = Array.from({ length: 100 }, (_, at) => `another_name_with_many_letters_${at}`);
    attachAdapter(hooks, { supports: { adapter: 'test', events: {} }, tools: names });
    const compared = vi.spyOn(String.prototype, 'charCodeAt');
    const unmatched = hooks.unmatched();
    const { length } = compared.mock.calls;
    compared.mockRestore();
    expect(unmatched).toHaveLength(50);
    const all = 2 * names.join('').length * matcher.length;
    expect(length).toBeLessThan(0.6 * all);
  });

  it('compares few of many similar names letter by letter', () => {
    const words = [
      'read',
      'write',
      'delete',
      'search',
      'order',
      'customer',
      'refund',
      'report',
      'user',
      'page',
    ];
    const nameOf = (nth: number) => [1, 2, 3].map((step) => words[(nth >> step) % 10]).join('_') + nth;
    const hooks = createHooks();
    for (let at = 0; at < 60; at++) hooks.observe(AfterToolCall.matching(`${nameOf(at)}x`), () => {});
    const tools = Array.from({ length: 100 }, (_, at) => nameOf(at + 1_000));
    attachAdapter(hooks, { supports: { adapter: 'test', events: {} }, tools });
    const compared = vi.spyOn(String.prototype, 'charCodeAt');
    const unmatched = hooks.unmatched();
    const { length } = compared.mock.calls;
    compared.mockRestore();
    expect(unmatched).toHaveLength(60);
    // Each letter of a name with two of another one would be 4,000,000.
    expect(length).toBeLessThan(500_000);
  });

  it('looks at the name of each tool once to say which of many hooks match none', () => {
    const hooks = createHooks();
    for (let at = 0; at < 200; at++) hooks.on(BeforeToolCall.matching(`misspelt_${at}`), () => proceed());
    const supports = {
      adapter: 'test',
      events: {
        before_tool_call: { fires: native(), decisions: { block: native(), 'modify.input': native() } },
      },
    };
    attachAdapter(hooks, { supports, tools: Array.from({ length: 100 }, (_, at) => `mispelt_${at}`) });
    const lowered = vi.spyOn(String.prototype, 'toLowerCase');
    const unmatched = hooks.unmatched();
    expect(lowered).toHaveBeenCalledTimes(100 + 200);
    lowered.mockRestore();
    expect(unmatched).toHaveLength(200);
    expect(unmatched[7]).toEqual({
      id: 'before_tool_call-8',
      matcher: 'misspelt_7',
      nearest: ['mispelt_7', 'mispelt_0', 'mispelt_1'],
    });
  });

  it('keeps one chain for all tools that have the same hooks', () => {
    const hooks = createHooks();
    for (const name of ['a', 'b']) hooks.on(BeforeToolCall.matching(name), () => proceed());
    hooks.observe(HookEvent, () => {});
    const chains = ['a', 'b', 'c', 'd', 'e'].map((name) => internalOf(hooks).chain(BeforeToolCall, name));
    expect(new Set(chains).size).toBe(3);
    expect(chains[2]).toBe(chains[4]);
  });

  it('keeps no chain for a name of any length', () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    const { chain } = internalOf(hooks);
    const name = 'x'.repeat(10_000);
    expect(chain(BeforeToolCall, name)).not.toBe(chain(BeforeToolCall, name));
    expect(chain(BeforeToolCall, name)).toEqual(chain(BeforeToolCall, 'x'));
  });
});

describe('above the maximum of sessions', () => {
  it('a new one looks at the oldest only', async () => {
    const hooks = createHooks({ sessions: { max: 500 } });
    let looks = 0;
    for (let at = 0; at < 500; at++)
      Object.defineProperty(hooks.session(`s${at}`), 'calling', { get: () => (looks++, 0) });
    for (let at = 0; at < 100; at++) hooks.session(`new${at}`);
    expect(looks).toBe(100);
    await hooks.close();
  });

  it('sessions with running calls are passed over, and a few at a time', async () => {
    const hooks = createHooks({ sessions: { max: 500 } });
    const going = Promise.withResolvers<string>();
    const calls = Array.from({ length: 350 }, (_, at) =>
      call(hooks, { session: hooks.session(`busy${at}`), execute: () => going.promise }),
    );
    const idle = Array.from({ length: 150 }, (_, at) => hooks.session(`idle${at}`));
    for (let at = 0; at < 6; at++) hooks.session(`new${at}`);
    expect(idle.filter(({ state }) => state === 'closed').map(({ id }) => id)).toEqual([
      'idle0',
      'idle1',
      'idle2',
    ]);
    going.resolve('done');
    expect((await Promise.all(calls)).every(({ status }) => status === 'ok')).toBe(true);
    await hooks.close();
  });
});

describe('the history of a session', () => {
  const sizes = async (texts: readonly number[], historyBytes?: number) => {
    const hooks = createHooks({ sessions: { historyLength: 4, ...(historyBytes && { historyBytes }) } });
    for (const length of texts) await call(hooks, { input: { text: 'x'.repeat(length) } });
    return hooks
      .session('s')
      .history.map(({ input, omittedBytes }) => [
        (input as { text: string } | undefined)?.text.length,
        omittedBytes,
      ]);
  };

  it('keeps the newest inputs up to a size, and says how large the others were', async () => {
    expect(await sizes([400, 300, 300, 300], 1000)).toEqual([
      [undefined, 400],
      [300, undefined],
      [300, undefined],
      [300, undefined],
    ]);
  });

  it('leaves out an input that alone is larger', async () => {
    expect(await sizes([10, 2000, 20], 1000)).toEqual([
      [undefined, 10],
      [undefined, 2000],
      [20, undefined],
    ]);
  });

  it('has the size of what it holds, however many calls went before', async () => {
    const texts = Array.from({ length: 50 }, (_, at) => 100 + at);
    expect(await sizes(texts, 1000)).toEqual([146, 147, 148, 149].map((length) => [length, undefined]));
    expect(await sizes(texts, 300)).toEqual([
      [undefined, 146],
      [undefined, 147],
      [148, undefined],
      [149, undefined],
    ]);
  });

  it('holds no more than 1 MB by default', async () => {
    const kept = await sizes([600_000, 600_000]);
    expect(kept).toEqual([
      [undefined, 600_000],
      [600_000, undefined],
    ]);
  });
});
