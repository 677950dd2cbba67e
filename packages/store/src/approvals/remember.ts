import { boundsOf } from '@hooks/core/tool-call';
import { StoreError } from '../error.ts';

/**
 * Checks how far an approval is to extend, where somebody says so.
 *
 * @throws StoreError `INVALID`
 */
export function checkBounds(remember: unknown): void {
  const bounds = boundsOf(remember);
  if (typeof bounds === 'string')
    throw new StoreError('INVALID', `The approval cannot be remembered: ${bounds}.`);
}
