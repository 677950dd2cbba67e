import {
  AfterModelCall,
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  type Hooks,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import {
  type AttachedRegistry,
  type AttachOptions,
  areIdle,
  areSameRegistries,
  checkReach,
  concernsTool,
  haveApprovers,
  holding,
  holdingResult,
  joinRegistries,
  maxContinuationsOf,
  principalFor,
  principalOfCall,
  unasked,
  withoutRegistries,
} from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';

const [outer, middle, inner] = [createHooks(), createHooks(), createHooks()];
middle.on(BeforeToolCall.matching('shell'), () => proceed());
const approver = () => ({ decision: 'allow' }) as const;

test('joined registries count once, outermost first, with the options that they lack outside', () => {
  const joined = joinRegistries<AttachedRegistry>(
    [
      { hooks: outer, options: {} },
      { hooks: middle, options: { approval: 'deny' } },
    ],
    [],
    [
      { hooks: middle, options: { approval: approver } },
      { hooks: inner, options: {} },
      { hooks: outer, options: { approval: approver } },
    ],
  );
  expect(joined).toEqual([
    { hooks: outer, options: { approval: approver } },
    { hooks: middle, options: { approval: 'deny' } },
    { hooks: inner, options: {} },
  ]);
});

test('registries are the same in the same order only, and those of another list can be left out', () => {
  const [one, two] = [
    { hooks: outer, options: {} },
    { hooks: inner, options: {} },
  ];
  expect(areSameRegistries([one, two], [one, two])).toBe(true);
  expect(areSameRegistries([one, two], [two, one])).toBe(false);
  expect(areSameRegistries([one], [one, two])).toBe(false);
  expect(withoutRegistries([one, two], [one])).toEqual([two]);
});

test('registries are idle without a hook and an approver; tools are concerned by those that match', () => {
  expect(areIdle([{ hooks: outer, options: {} }])).toBe(true);
  expect(areIdle([{ hooks: outer, options: { approval: 'deny' } }])).toBe(false);
  expect(
    areIdle([
      { hooks: outer, options: {} },
      { hooks: middle, options: {} },
    ]),
  ).toBe(false);
  expect(concernsTool([{ hooks: middle, options: {} }], 'shell')).toBe(true);
  expect(concernsTool([{ hooks: middle, options: {} }], 'read')).toBe(false);
  expect(haveApprovers([{ hooks: outer, options: { approval: approver } }])).toBe(true);
  expect(haveApprovers([{ hooks: outer, options: { approval: 'native' } }])).toBe(false);
});

describe('options of several registries', () => {
  const deciding = createHooks();
  deciding.on(AfterModelCall, () => proceed());
  deciding.on(TransformToolResult.matching('shell'), () => proceed());
  const observing = createHooks();
  observing.observe(AfterModelCall, () => {});
  const entry = (hooks: Hooks, options: AttachOptions = {}): AttachedRegistry => ({ hooks, options });

  test('a registry that is joined with itself keeps what is set outside, and lists that change nothing stay', () => {
    const inside = [entry(inner), entry(outer, { approval: 'deny', holdStream: false, maxContinuations: 1 })];
    // A user without `exactOptionalPropertyTypes` may set what is undefined.
    const options: AttachOptions = { approval: approver };
    Reflect.set(options, 'holdStream', undefined);
    expect(joinRegistries([entry(outer, options)], inside)).toEqual([
      entry(outer, { approval: approver, holdStream: false, maxContinuations: 1 }),
      entry(inner),
    ]);
    expect(joinRegistries([entry(inner)], inside)).toBe(inside);
    expect(joinRegistries([entry(inner, { maxContinuations: 2 })], inside)).not.toBe(inside);
    expect(joinRegistries([entry(outer)], inside)).not.toBe(inside);
  });

  test.each<[string, boolean, readonly AttachedRegistry[]]>([
    ['by the one that decides', true, [entry(deciding)]],
    ['although an observing one opted out', true, [entry(observing, { holdStream: false }), entry(deciding)]],
    [
      'although another deciding one opted out',
      true,
      [entry(deciding, { holdStream: false }), entry(middle), entry(createDeciding())],
    ],
    ['unless all that decide opted out', false, [entry(deciding, { holdStream: false }), entry(observing)]],
    ['unless none decides', false, [entry(observing), entry(outer)]],
  ])('a stream is held back %s', (_when, held, registries) => {
    expect(holding(registries, AfterModelCall) !== undefined).toBe(held);
  });

  test('what a tool streams is held back for hooks on its result', () => {
    const after = createHooks();
    after.on(AfterToolCall.matching('read'), () => proceed());
    const registries = [entry(deciding), entry(after)];
    const held = (toolName: string) => holdingResult(registries, toolName)?.hooks;
    expect([held('shell'), held('read'), held('write')]).toEqual([deciding, after, undefined]);
  });

  test('the smallest number of continuations that is set counts', () => {
    const of = (...numbers: (number | undefined)[]) =>
      maxContinuationsOf(
        numbers.map((one) => entry(outer, one === undefined ? {} : { maxContinuations: one })),
      );
    expect([of(0, undefined), of(undefined, 4), of(4, 1), of(undefined)]).toEqual([0, 4, 1, undefined]);
  });

  test('the innermost principal counts, and for a call only those of registries that do not hook its run', () => {
    const knowing = (hooks: Hooks, id: string | undefined) => ({
      hooks,
      options: { principal: () => (id === undefined ? undefined : { id }) },
    });
    const [a, b, c] = [knowing(outer, 'a'), knowing(middle, 'b'), knowing(inner, undefined)];
    const options = [a, b, c].map((one) => one.options);
    expect(principalFor(options, undefined)).toEqual({ id: 'b' });
    expect(principalFor(options, undefined, { principal: { id: 'parent' } })).toEqual({ id: 'parent' });
    expect(principalOfCall([a, b, c], { registries: [b] }, undefined)).toEqual({ id: 'a' });
    expect(principalOfCall([c], { registries: [a] }, undefined)).toBeUndefined();
  });
});

describe.each([
  ['as text', 'Cle.*'],
  ['as a RegExp', /^Cle/],
])('a hook that is limited to agents %s', (_how, agents) => {
  const supports = { adapter: '@acme/adapter', events: {} };
  const reached = (agent: string | undefined, options: AttachOptions = {}) => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => void warnings.push(message) });
    hooks.guard(BeforeToolCall, () => proceed(), { agents, id: 'gate' });
    hooks.observe(BeforeToolCall, () => {}, { agents, id: 'log' });
    const tool = { supports, name: 'search', agent, because: 'which the provider runs' };
    checkReach([{ hooks, options }, entryOf()], tool);
    return warnings;
  };
  const entryOf = (): AttachedRegistry => ({
    hooks: createHooks(),
    options: { allowUnsupported: ['other'] },
  });

  test('is refused about an unreachable tool of those agents, and of an unknown one', () => {
    const message = /@acme\/adapter cannot ask hook "gate" about calls of "search", which the provider runs/;
    expect(() => reached('Clerk')).toThrow(message);
    expect(() => reached(undefined)).toThrow(message);
    expect(reached('Boss')).toEqual([]);
  });

  test('is warned of if its own registry allows it', () => {
    expect(reached('Clerk', { allowUnsupported: ['before_tool_call'] })).toHaveLength(2);
  });

  test('is listed for those agents', () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => proceed(), { agents, id: 'gate' });
    const ids = (agent?: string) => hooks.get(BeforeToolCall, 'search', { agent }).map(({ id }) => id);
    expect([ids('Clerk'), ids('Boss'), ids()]).toEqual([['gate'], [], ['gate']]);
    const unfired = (agent: string, options: AttachOptions = {}) =>
      unasked([{ hooks, options }], { points: [BeforeToolCall], toolName: 'search', agent });
    expect(unfired('Clerk')).toEqual([{ hook: 'gate', event: 'before_tool_call' }]);
    expect(unfired('Boss')).toEqual([]);
    expect(unfired('Clerk', { allowUnsupported: ['before_tool_call'] })).toEqual([]);
  });
});

function createDeciding(): Hooks {
  const hooks = createHooks();
  hooks.guard(AfterModelCall, () => proceed());
  return hooks;
}
