import { expect, test } from 'vitest';
import { textsOf } from '../src/sources.ts';

test('the texts of objects that stand in many places are read, and not without end', () => {
  // As a tree, these are 2^60 texts.
  let shared: object = { note: 'a stranger' };
  for (let level = 0; level < 60; level++) shared = { left: shared, right: shared };
  const cycle: { note: string; self?: unknown; again?: unknown } = { note: 'a loop' };
  Object.assign(cycle, { self: cycle, again: [cycle, cycle] });
  const texts = textsOf({ shared, cycle, after: 'the end' });
  expect(new Set(texts)).toEqual(new Set([...texts, 'a stranger', 'a loop', 'the end', 'note', 'left']));
  expect(texts.length).toBeLessThan(1_000_000);
});

test('the texts of a few objects in several places are read in each of them, in their order', () => {
  const user = { name: 'Ann' };
  expect(textsOf([user, { to: user }]).filter((text) => text !== 'name')).toEqual(['Ann', 'to', 'Ann']);
});
