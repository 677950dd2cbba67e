import type { Handler, HookEntry } from '../entry.ts';

/**
 * Equal for the entries of one hook, which it has under several events or matchers, in whatever order each has its arguments. Each
 * event has a timeout of its own.
 */
export function hookKey(handler: Handler): string {
  return JSON.stringify({ ...handler, timeoutMs: undefined, onError: undefined }, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Why an entry contradicts another of the same hook and event, where a hook is registered once. */
export function whyContradicting(
  { event, wireEvent, handler }: HookEntry,
  entries: readonly HookEntry[],
): string | undefined {
  const others = entries.filter((one) => one.event === event);
  for (const [field, is] of [
    ['timeout', ({ timeoutMs }: Handler) => timeoutMs],
    ['on_error', ({ onError }: Handler) => onError],
  ] as const)
    if (others.some((one) => is(one.handler) !== is(handler)))
      return `the same hook has another ${field} elsewhere under ${wireEvent}; give both the same`;
  return undefined;
}
