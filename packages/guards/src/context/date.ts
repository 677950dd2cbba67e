import type { HookProvider } from '@hooks/core';
import { eachTurn } from './contributor.ts';

/**
 * Tells the model the date at each turn: `Today's date: 2026-11-21`, where this machine is.
 *
 * @example
 * ```ts
 * hooks.use(addDate());
 * ```
 */
export function addDate(): HookProvider {
  return eachTurn('add_date', {}, () => {
    const now = new Date();
    const two = (value: number): string => String(value).padStart(2, '0');
    return `Today's date: ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  });
}
