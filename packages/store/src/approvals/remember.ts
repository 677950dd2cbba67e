import type { Remember } from '@hooks/core';
import { boundsOf } from '@hooks/core/tool-call';
import { StoreError } from '../error.ts';

/**
 * Checks how far an approval is to extend, where somebody says so. It may have come as JSON.
 *
 * @throws StoreError `INVALID`
 */
export function checkBounds({ remember, matching }: Remember): void {
  if (remember === undefined && matching !== undefined)
    throw new StoreError('INVALID', 'There is a pattern, but nothing is to be remembered: set `remember`.');
  const bounds = remember === undefined ? undefined : boundsOf(remember);
  if (typeof bounds === 'string')
    throw new StoreError('INVALID', `The approval cannot be remembered: ${bounds}.`);
}
