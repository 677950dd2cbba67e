import { runInNewContext } from 'node:vm';
import { drawn } from '@hooks/testing/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameInput } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  type Approver,
  BeforeToolCall,
  createHooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  TransformToolResult,
} from '../src/index.ts';
import { answerToolCall, beginToolCall, hashInput, recheckToolCall } from '../src/tool-call/index.ts';
import { call } from './support/call.ts';

class Cursor {
  at = 1;
}
class Commands extends Array<string> {}

/** What a parser that assigns by key makes of `__proto__`. */
function inheriting(fields: object): object {
  return Object.setPrototypeOf({}, fields);
}

function nested(levels: number, list = false): unknown {
  let value: unknown = 'ls';
  for (let level = 0; level < levels; level++) value = list ? [value] : { a: value };
  return value;
}

function circular(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

/** The last of so many objects, each of which holds the one before twice. */
function doubled(levels: number): unknown {
  let value: unknown = { at: 0 };
  for (let level = 0; level < levels; level++) value = { left: value, right: value };
  return value;
}

/** A list that has a further entry whenever its length is read again. */
function growing(): object {
  let length = 0;
  return new Proxy(['ls'], {
    get: (list, key) => (key === 'length' ? ++length : (Reflect.get(list, key) ?? new Cursor())),
  });
}

/** A list that says of which class its copies are. */
function listOf(made: unknown, entry: unknown): object {
  return Object.defineProperty([entry], 'constructor', { value: { [Symbol.species]: made } });
}

/** A text for its first reading, another one for all later. */
function wavering(): object {
  let reads = 0;
  return new Proxy({ command: 'ls' }, { get: () => (reads++ === 0 ? 'ls' : 'rm') });
}

const refused: readonly (readonly [string, unknown, string])[] = [
  ['a Map', { tags: new Map([['a', 1]]) }, 'input.tags is a Map'],
  ['a Set', { tags: new Set(['a']) }, 'input.tags is a Set'],
  ['a class instance', { cursor: new Cursor() }, 'input.cursor is an instance of a class'],
  ['an instance as a whole', new Cursor(), 'input is an instance of a class'],
  [
    'an inherited field',
    inheriting({ command: 'rm' }),
    'input is an instance of a class, or inherits fields',
  ],
  ['an inherited field deep inside', { a: [inheriting({ b: 1 })] }, 'input.a[0] is an instance of a class'],
  ['a chain of prototypes', inheriting(Object.create(null)), 'input is an instance of a class'],
  [
    'a prototype that poses as Object.prototype',
    inheriting(Object.assign(Object.create(null), { isPrototypeOf: 1, constructor: { name: 'Object' } })),
    'input is an instance of a class',
  ],
  [
    'a getter',
    {
      get command() {
        return 'ls';
      },
    },
    'input.command is an accessor',
  ],
  ['a setter', { set command(_: string) {} }, 'input.command is an accessor'],
  ['a key that is a symbol', { [Symbol('command')]: 'rm' }, 'input has a symbol as a key'],
  [
    'a field that is not enumerable',
    Object.defineProperty({}, 'command', { value: 'rm' }),
    'input has a symbol',
  ],
  ['toJSON of its own', { toJSON: () => ({}) }, 'input.toJSON is a function'],
  ['an inherited toJSON', inheriting({ toJSON: () => ({}) }), 'input is an instance of a class'],
  ['a boxed text', { command: Object('rm') }, 'input.command is a String'],
  ['a boxed number', { n: Object(1) }, 'input.n is a Number'],
  ['a function', { run: () => {} }, 'input.run is a function'],
  ['a symbol', { s: Symbol('s') }, 'input.s is a symbol'],
  ['NaN', { n: Number.NaN }, 'input.n is NaN'],
  [
    'a number that JSON text can hold and JSON cannot show',
    JSON.parse('{"n":[1e400]}'),
    'input.n[0] is Infinity',
  ],
  ['a bigint', { n: 1n }, 'input.n is a bigint'],
  ['an invalid Date', { at: new Date(Number.NaN) }, 'input.at is an invalid Date'],
  ['a Date with fields', { at: Object.assign(new Date(0), { of: 1 }) }, 'input.at is a Date with fields'],
  ['a Date of a class', { at: new (class extends Date {})(0) }, 'input.at is a Date'],
  ['what poses as a Date', { at: inheriting({ getTime: 1 }) }, 'input.at is an instance of a class'],
  ['bytes', { data: new Uint8Array(2) }, 'input.data is a Uint8Array'],
  ['a regular expression', { re: /a/ }, 'input.re is a RegExp'],
  ['an array of a class', { list: Commands.from(['ls']) }, 'input.list is an array of a class'],
  [
    'an array that inherits entries',
    { list: Object.setPrototypeOf([], ['rm']) },
    'input.list is an array of a class',
  ],
  [
    'an array with a field',
    { list: Object.assign(['ls'], { more: 'rm' }) },
    'input.list is an array with empty places',
  ],
  [
    'an array with a symbol',
    { list: Object.assign([], { [Symbol('a')]: 1 }) },
    'input.list is an array with empty',
  ],
  ['an array with a hole', { list: Array(3).fill('ls', 1) }, 'input.list is an array with empty places'],
  ['an array that is nothing but holes', { list: new Array(1_000_000) }, 'input.list is an array with empty'],
  ['an array with undefined', { list: [undefined] }, 'input.list[0] is undefined'],
  ['circular data', circular(), 'nested deeper than 256 levels'],
  ['a level too many', nested(257), 'input.a.a.a.a.a.a.a.a.a.a… is nested deeper than 256 levels'],
  ['5,000 levels', nested(5_000), 'nested deeper than 256 levels'],
  ['100,000 levels', nested(100_000), 'nested deeper than 256 levels'],
  ['100,000 lists', nested(100_000, true), 'nested deeper than 256 levels'],
  ['what repeats itself without end', doubled(40), 'repeats objects'],
  [
    'what cannot be read',
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('sk-123');
        },
      },
    ),
    'input cannot be read',
  ],
  ['a revoked proxy', { a: revoked() }, 'input.a cannot be read'],
  ['a long key', { ['k'.repeat(1000)]: 1n }, `input["${'k'.repeat(40)}…"] is a bigint`],
  ['a key that is no name', { 'a b': { '': 1n } }, 'input["a b"][""] is a bigint'],
];

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('an input that JSON cannot show', () => {
  it.each(refused)(
    '(%s) does not run: no hook is asked, AfterToolCall fires, and the path is told',
    async (_what, input, problem) => {
      const hooks = createHooks();
      const told: unknown[] = [];
      hooks.guard(BeforeToolCall, () => (told.push('asked'), proceed()));
      hooks.observe(AfterToolCall, ({ status, code, errorMessage }) =>
        told.push([status, code, errorMessage]),
      );
      const checked: unknown[] = [];
      const outcome = await call(hooks, { input, check: (given) => void checked.push(given) });
      expect(outcome).toMatchObject({ status: 'error', code: 'INVALID_INPUT', ran: false, input: undefined });
      expect(String(outcome.error)).toContain(problem);
      expect(String(outcome.error)).not.toContain('sk-123');
      expect(told).toEqual([['error', 'INVALID_INPUT', expect.stringContaining(problem)]]);
      expect(checked).toEqual([]);
    },
  );

  it.each(refused)('(%s) is refused wherever it comes from, and is never thrown', async (_what, input) => {
    const looking = () => {
      const hooks = createHooks();
      hooks.observe(AfterToolCall, () => {});
      return hooks;
    };
    const asking = () => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => requireApproval('sure?'));
      return hooks;
    };
    const description = (hooks: ReturnType<typeof createHooks>, given: unknown) => ({
      session: hooks.session('s'),
      toolName: 'exec',
      input: given,
    });
    // As sent, in the split form.
    const observed = looking();
    expect(await beginToolCall(observed, description(observed, input))).toMatchObject({
      kind: 'done',
      outcome: { status: 'error', code: 'INVALID_INPUT' },
    });
    // By a hook.
    const rewriting = createHooks();
    rewriting.on(BeforeToolCall, () => modify({ input }), { id: 'rewrite' });
    expect(await call(rewriting)).toMatchObject({ status: 'blocked', ran: false, by: 'rewrite' });
    const lenient = createHooks();
    lenient.on(BeforeToolCall, () => modify({ input }), { onFailure: 'proceed' });
    expect(await call(lenient)).toMatchObject({ status: 'ok', output: 'ls' });
    const granting = asking();
    granting.on(PermissionRequest, () => modify({ input, approval: { kind: 'granted', reason: 'fine' } }));
    expect(await call(granting)).toMatchObject({ status: 'denied', ran: false });
    // By a person.
    const approval: Approver = () => ({ decision: 'allow', input });
    expect(await call(asking(), { approval })).toMatchObject({ status: 'blocked', ran: false });
    const people = asking();
    const begun = await beginToolCall(people, description(people, 'ls'), {
      approval: 'native',
      capabilities: { ask: true },
    });
    if (begun.kind !== 'ask') return expect.unreachable();
    expect(await answerToolCall(begun.token, { decision: 'allow', input })).toMatchObject({
      kind: 'done',
      outcome: { status: 'blocked', ran: false },
    });
    const hash = await hashInput('ls');
    const resumed = { decision: 'allow', hash, input } as const;
    expect(await call(asking(), { resumed })).toMatchObject({ status: 'blocked', ran: false });
    // By user code around the tool.
    const ran: string[] = [];
    await call(looking(), {
      execute: async (_input, running) => void ran.push((await recheckToolCall(running, input)).kind),
    });
    expect(ran).toEqual(['done']);
    // Compared and hashed.
    expect(isSameInput(input, structuredCloneOr(input))).toBe(false);
    // Hashes may be those of lists that hold an input.
    if (!['a level too many', 'an array with undefined'].includes(_what))
      await expect(hashInput(input)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it.each(refused)('(%s) runs as it is where no hook concerns the call', async (_what, input) => {
    const ran: unknown[] = [];
    await call(createHooks(), { input, execute: (given) => void ran.push(given) });
    expect(ran.length === 1 && ran[0] === input).toBe(true);
  });
});

/** Another object of the same kind, where there can be one. */
function structuredCloneOr(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

describe('an input that JSON can show', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  const accepted: readonly (readonly [string, unknown, unknown, string])[] = [
    ['nothing', undefined, undefined, 'undefined'],
    ['null', null, null, 'null'],
    ['a text', 'ls', 'ls', '"ls"'],
    ['half a character', '\ud800', '\ud800', '"\\ud800"'],
    ['-0', { n: -0, list: JSON.parse('[-0]') }, { n: -0, list: [-0] }, '{"list":[-0],"n":-0}'],
    ['a field that is undefined', { a: undefined, b: 1 }, { b: 1 }, '{"b":1}'],
    ['a Date', { at }, { at }, '{"at":"2026-01-02T03:04:05.678Z"}'],
    [
      'an object without a prototype',
      Object.assign(Object.create(null), { a: 1 }),
      Object.assign(Object.create(null), { a: 1 }),
      '{"a":1}',
    ],
    ['an object of another realm', runInNewContext('({ a: [1] })'), { a: [1] }, '{"a":[1]}'],
    ['toJSON that is data', { toJSON: 'x' }, { toJSON: 'x' }, '{"toJSON":"x"}'],
    ['keys that look like numbers', { b: 1, 10: 2, 9: 3 }, { b: 1, 10: 2, 9: 3 }, '{"10":2,"9":3,"b":1}'],
    [
      '__proto__ as a field',
      JSON.parse('{"__proto__":{"command":"rm"}}'),
      JSON.parse('{"__proto__":{"command":"rm"}}'),
      '{"__proto__":{"command":"rm"}}',
    ],
    [
      '__proto__ deep inside',
      JSON.parse('{"a":[{"\\u005f_proto__":[1],"b":{"constructor":1}}]}'),
      JSON.parse('{"a":[{"__proto__":[1],"b":{"constructor":1}}]}'),
      '{"a":[{"__proto__":[1],"b":{"constructor":1}}]}',
    ],
    ['256 levels', nested(256), nested(256), `${'{"a":'.repeat(256)}"ls"${'}'.repeat(256)}`],
    ['shared references', doubled(2), JSON.parse(JSON.stringify(doubled(2))), JSON.stringify(doubled(2))],
    [
      'a list whose copies are of a class',
      { list: listOf(Commands, 'ls') },
      { list: ['ls'] },
      '{"list":["ls"]}',
    ],
    ['what is read once', wavering(), { command: 'ls' }, '{"command":"ls"}'],
  ];

  it.each(accepted)(
    '(%s) is seen, shown, hashed and run as the same data',
    async (_what, input, plain, json) => {
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.on(BeforeToolCall, (event) => (seen.push(event.input), requireApproval('sure?')));
      hooks.guard(BeforeToolCall, (event) => (seen.push(event.input), proceed()));
      const hashes: string[] = [];
      const approval: Approver = (request) => {
        seen.push(request.input);
        hashes.push(request.hash);
        return { decision: 'allow' };
      };
      const ran: unknown[] = [];
      await call(hooks, { input, approval, execute: (given) => void ran.push(given) });
      // Dates of hooks have setters that throw, and so a prototype of their own.
      for (const data of seen) expect(data).toEqual(plain);
      expect(seen).toHaveLength(3);
      expect(ran).toStrictEqual([plain]);
      expect(hashes).toEqual([await sha256(json)]);
    },
  );

  it('has no list that grows while it is read', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => proceed());
    const outcome = await call(hooks, { input: { list: growing() }, execute: () => expect.unreachable() });
    expect(String(outcome.error)).toContain('input.list is an array that changes while it is read');
  });

  it('is a copy of which nothing is frozen, whatever is done to what was sent while hooks are asked', async () => {
    const hooks = createHooks();
    const input = { list: [{ at: new Date(0) }] };
    hooks.guard(BeforeToolCall, async () => {
      input.list[0]?.at.setTime(5);
      input.list.push({ at: new Date(1) });
      return proceed();
    });
    const ran: (typeof input)[] = [];
    await call(hooks, { input, execute: (given) => void ran.push(given as typeof input) });
    expect(ran).toStrictEqual([{ list: [{ at: new Date(0) }] }]);
    expect(ran[0]?.list[0]?.at.setTime(7)).toBe(7);
  });

  it('has Dates that a hook cannot change: one that tries has failed', async () => {
    const hooks = createHooks();
    hooks.guard(
      BeforeToolCall,
      ({ input }) => {
        (input as { at: Date }).at.setHours(0);
        return proceed();
      },
      { id: 'careless' },
    );
    expect(await call(hooks, { input: { at } })).toMatchObject({ status: 'blocked', by: 'careless' });
    expect(at.toISOString()).toBe('2026-01-02T03:04:05.678Z');
  });

  const json = fc.oneof(
    fc.json({ depthSize: 'medium' }),
    // Keys that mean something to objects.
    fc
      .letrec((tie) => ({
        value: fc.oneof(
          { maxDepth: 4 },
          fc.constantFrom(null, true, 0, -0, 1e21, 'x', ''),
          tie('object'),
          fc.array(tie('value')),
        ),
        object: fc.array(
          fc.tuple(
            fc.constantFrom(
              '__proto__',
              'constructor',
              'prototype',
              'toJSON',
              'toString',
              'length',
              '0',
              'a',
              '',
            ),
            tie('value'),
          ),
        ),
      }))
      .value.map(function text(value: unknown): string {
        // Pairs are the fields of an object.
        if (!Array.isArray(value)) return Object.is(value, -0) ? '-0' : JSON.stringify(value);
        return value.length > 0 &&
          value.every((pair) => Array.isArray(pair) && typeof pair[0] === 'string' && pair.length === 2)
          ? `{${value.map(([key, field]) => `${JSON.stringify(key)}:${text(field)}`).join()}}`
          : `[${value.map(text).join()}]`;
      }),
  );

  it('of any kind that a model can send is run and hashed as it is', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (text) => {
        const hooks = createHooks();
        const seen: unknown[] = [];
        hooks.guard(BeforeToolCall, ({ input }) => (seen.push(input), proceed()));
        const ran: unknown[] = [];
        const outcome = await call(hooks, {
          input: JSON.parse(text),
          execute: (given) => void ran.push(given),
        });
        const written = JSON.stringify(JSON.parse(text));
        expect([...seen, ...ran, outcome.input].map((data) => JSON.stringify(data))).toEqual([
          written,
          written,
          written,
        ]);
        expect(await hashInput(JSON.parse(text))).toBe(await hashInput(ran[0]));
      }),
      { numRuns: drawn(100) },
    );
  });

  it('has the hash of another input only if both are written alike', async () => {
    await fc.assert(
      fc.asyncProperty(json, json, async (one, other) => {
        const [ours, theirs] = [JSON.parse(one), JSON.parse(other)];
        const same = sorted(ours) === sorted(theirs);
        expect((await hashInput(ours)) === (await hashInput(theirs))).toBe(same);
        expect(isSameInput(ours, theirs)).toBe(same);
        expect(isSameInput(ours, JSON.parse(one))).toBe(true);
      }),
      { numRuns: drawn(100) },
    );
  });
});

/** Fields in an order of their own, as lists, so that no key has a meaning. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted)}]`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, field]) => `${JSON.stringify(key)}=${sorted(field)}`)
    .toSorted()}}`;
}

async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex');
}

describe('a result', () => {
  const results: readonly (readonly [string, unknown])[] = [
    ['100,000 levels', nested(100_000)],
    ['100,000 lists', nested(100_000, true)],
    ['circular', circular()],
    ['24 levels of shared references', doubled(24)],
    ['an error with 10,000 levels of causes', deepError(10_000)],
  ];

  it.each(results)('that is %s is shown to hooks, and passes', async (_what, output) => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(TransformToolResult, (event) => (seen.push(event.output), proceed()));
    hooks.on(AfterToolCall, (event) => (seen.push(event.output), proceed()));
    const outcome = await call(hooks, { execute: () => output });
    expect(outcome.status === 'ok' && outcome.output === output).toBe(true);
    expect(seen.map((one) => one !== output && Object.isFrozen(one))).toEqual([true, true]);
    const thrown = await call(hooks, {
      execute: () => {
        throw output;
      },
    });
    expect(thrown.status === 'error' && thrown.error === output).toBe(true);
  });

  it.each(results)('that is %s can take the place of another', async (_what, output) => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ output }));
    const outcome = await call(hooks);
    expect([outcome.status, typeof outcome.output]).toEqual(['ok', 'object']);
  });

  it('that shares references is copied once for each object', async () => {
    const hooks = createHooks();
    const seen: { left?: unknown; right?: unknown }[] = [];
    hooks.on(TransformToolResult, ({ output }) => (seen.push(output as object), proceed()));
    await call(hooks, { execute: () => doubled(3) });
    expect(seen[0]?.left).toBe(seen[0]?.right);
  });

  it.each([
    [
      'a getter',
      {
        get output() {
          throw new Error('sk-123');
        },
      },
    ],
    ['a proxy', revoked()],
  ])(
    'that cannot be read (%s) passes observers, and is withheld by a hook that reads it',
    async (_what, output) => {
      const hooks = createHooks();
      hooks.observe(AfterToolCall, (event) => JSON.stringify(event.output));
      const execute = () => ({ output });
      expect((await call(hooks, { execute })).status).toBe('ok');
      hooks.on(TransformToolResult, (event) => (JSON.stringify(event.output), proceed()), { id: 'reads' });
      const outcome = await call(hooks, { execute });
      expect(outcome).toMatchObject({ status: 'blocked', ran: true, by: 'reads' });
      expect(JSON.stringify(outcome)).not.toContain('sk-123');
    },
  );
});

function deepError(levels: number): Error {
  let error = new Error('boom');
  for (let level = 0; level < levels; level++) {
    const cause = error;
    error = Object.assign(Object.create(Error.prototype), { cause });
  }
  return error;
}
