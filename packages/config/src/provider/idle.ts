import { createHooks, type HookProvider, type HookRegistrar, type PointData } from '@hooks/core';
import { kindsOfLimit } from '../builtins/kinds-of-limit.ts';
import type { HookEntry } from '../entry.ts';
import type { EventType } from '../events.ts';
import { eventOf } from './native.ts';
import { TOKENS } from './tokens.ts';

/**
 * Why an entry has no effect: its built-in or module has no hook on the event under which the file names it. Undefined if it
 * has one.
 */
export function whyIdle(
  provider: HookProvider,
  { event, wireEvent, handler }: HookEntry,
): string | undefined {
  // A part says itself on which events it decides.
  if (handler.type === 'builtin' && handler.part) return undefined;
  const events = eventsOf(provider);
  // With such arguments it does nothing anywhere, as an empty list of denied tools.
  if (events.size === 0 || events.has(TOKENS[event].spec.type)) return undefined;
  const what = handler.type === 'builtin' ? `builtin "${handler.name}"` : 'the module';
  const known = [...events].filter((type) => Object.values(TOKENS).some(({ spec }) => spec.type === type));
  return `${what} does nothing on ${wireEvent}; it has hooks on ${known.join(', ') || 'no event of a file'}`;
}

/** A built-in with `reveal` that no entry has before tool calls, where it gives tools the values. */
export function unrevealed(entries: readonly HookEntry[]): HookEntry | undefined {
  const reveals = entries.filter(({ handler }) => handler.type === 'builtin' && 'reveal' in handler.args);
  const revealed = new Set(
    reveals.filter(({ event }) => event === 'before_tool_call').map(({ handler }) => JSON.stringify(handler)),
  );
  return reveals.find(({ handler }) => !revealed.has(JSON.stringify(handler)));
}

export const REVEALS_NOTHING =
  '"reveal" gives tools values before their calls: list the same hook under before_tool_call, too';

/** Where each kind of limit refuses. */
const REFUSED_ON: Readonly<Record<string, EventType>> = {
  tool_calls: 'before_tool_call',
  model_calls: 'before_model_call',
  cost: 'before_model_call',
};

/** A limit that no entry has under the event on which it refuses, and what is wrong with it. */
export function unlimited(
  entries: readonly HookEntry[],
): { readonly entry: HookEntry; readonly message: string } | undefined {
  const limits = entries.filter(
    ({ handler }) => handler.type === 'builtin' && /^(?:limits|rate_limit)$/.test(handler.name),
  );
  for (const entry of limits) {
    const key = JSON.stringify(entry.handler);
    const events = limits.filter(({ handler }) => JSON.stringify(handler) === key).map(({ event }) => event);
    const { args = {} } = entry.handler.type === 'builtin' ? entry.handler : {};
    const kinds = kindsOfLimit(args);
    for (const [kind, event] of Object.entries(REFUSED_ON))
      if (kinds.has(kind) && !events.includes(event))
        return { entry, message: `${kind} refuses on ${event}: list the same hook there, too` };
  }
  return undefined;
}

/** The types of the events that a provider has hooks on. */
function eventsOf(provider: HookProvider): ReadonlySet<string> {
  const found = new Set<string>();
  const hooks = createHooks();
  const none: Disposable = { [Symbol.dispose]: () => {} };
  const note = (point: PointData): Disposable => {
    found.add(eventOf(point));
    return none;
  };
  const registrar: HookRegistrar = {
    use(inner: HookProvider) {
      inner.register(registrar);
      return none;
    },
    trace: () => none,
    list: hooks.list,
    session: hooks.session,
    dispatch: hooks.dispatch,
    on: note,
    guard: note,
    observe: note,
  };
  provider.register(registrar);
  return found;
}
