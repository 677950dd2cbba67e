import { UsedApprovals } from '@hooks/core/adapter';
import { expect, test } from 'vitest';

test('an approval counts once: its first use stays until it is released', () => {
  const used = new UsedApprovals<string>();
  expect(used.use('a', 'first')).toBeUndefined();
  expect([used.use('a', 'second'), used.get('a')]).toEqual(['first', 'first']);
  used.release('a');
  expect([used.get('a'), used.use('a', 'second'), used.get('a')]).toEqual([undefined, undefined, 'second']);
});

test('beyond the maximum the oldest use is forgotten, however often it was tried again', () => {
  const used = new UsedApprovals<number>(2);
  for (const [at, id] of ['a', 'b', 'a', 'c'].entries()) used.use(id, at);
  expect(['a', 'b', 'c'].map((id) => used.get(id))).toEqual([undefined, 1, 3]);
});

test('the uses of others are taken over, except for approvals that were used here', () => {
  const [here, there] = [new UsedApprovals<string>(), new UsedApprovals<string>()];
  here.use('a', 'here');
  for (const id of ['a', 'b']) there.use(id, 'there');
  here.add(there);
  expect([here.get('a'), here.get('b')]).toEqual(['here', 'there']);
});
