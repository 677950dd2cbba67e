import { BeforeToolCall, createHooks, proceed } from '@hooks/core';
import {
  type AttachedRegistry,
  areIdle,
  areSameRegistries,
  concernsTool,
  haveApprovers,
  joinRegistries,
  withoutRegistries,
} from '@hooks/core/adapter';
import { expect, test } from 'vitest';

const [outer, middle, inner] = [createHooks(), createHooks(), createHooks()];
middle.on(BeforeToolCall.matching('shell'), () => proceed());
const approver = () => ({ decision: 'allow' }) as const;

test('joined registries count once, outermost first, under the first options that say who approves', () => {
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
