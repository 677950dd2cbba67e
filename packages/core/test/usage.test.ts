import { addUsage } from '@hooks/core/adapter';
import { expect, test } from 'vitest';

test.each<[string, readonly unknown[], unknown]>([
  ['one answer is its own', [{ total: 3 }], { total: 3 }],
  [
    'numbers are added up, at any depth',
    [
      { a: 1, in: { b: 2 } },
      { a: 10, in: { b: 20 } },
    ],
    { a: 11, in: { b: 22 } },
  ],
  ['lists are joined', [{ steps: [1] }, { steps: [2, 3] }], { steps: [1, 2, 3] }],
  [
    'what one of them lacks is that of the other',
    [{ a: 1, b: { c: 1 } }, { d: 4 }],
    { a: 1, b: { c: 1 }, d: 4 },
  ],
  ['nothing adds nothing', [{ a: 1 }, null, undefined, { a: 2 }], { a: 3 }],
  ['the first may be missing', [undefined, { a: 2 }], { a: 2 }],
  ['the first may be null', [{ a: null }, { a: { b: 2 } }], { a: { b: 2 } }],
  ['a text is the last one', [{ tier: 'default' }, { tier: 'flex' }], { tier: 'flex' }],
  ['a number beside a text is the last one', [{ a: 1 }, { a: 'many' }], { a: 'many' }],
  ['a text beside a number is the last one', [{ a: 'many' }, { a: 1 }], { a: 1 }],
])('usage: %s', (_, all, sum) => {
  expect(addUsage(all)).toEqual(sum);
});
