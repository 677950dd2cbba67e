import type { Handler, HookEntry } from '../entry.ts';

/** Equal for the entries of one hook, which it has under several events or matchers. Each event has a timeout of its own. */
export function hookKey(handler: Handler): string {
  return JSON.stringify({ ...handler, timeoutMs: undefined, onError: undefined });
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
