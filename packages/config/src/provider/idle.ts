import { createHooks, type HookProvider, type HookRegistrar, type PointData } from '@hooks/core';
import { GUARDS } from '../builtins/guards.ts';
import type { HookEntry } from '../entry.ts';
import { eventOf } from './native.ts';
import { hookKey } from './same-hook.ts';
import { TOKENS } from './tokens.ts';

/**
 * Why an entry has no effect: its built-in or module has no hook on the event under which the file names it, or decides on
 * others only, where the file does not name it. Undefined if it has one.
 */
export function whyIdle(
  provider: HookProvider,
  { event, wireEvent, handler }: HookEntry,
  entries: readonly HookEntry[],
): string | undefined {
  // A part says itself on which events it decides.
  if (handler.type === 'part') return undefined;
  const { decided, observed } = hooksOf(provider);
  const events = new Set([...decided, ...observed]);
  // With such arguments it does nothing anywhere, as an empty list of denied tools.
  if (events.size === 0) return undefined;
  const what = handler.type === 'builtin' ? `builtin "${handler.name}"` : 'the module';
  const known = (types: ReadonlySet<string>): string =>
    [...types].filter(isOfFiles).join(', ') || 'no event of a file';
  const isDecided = (of: HookEntry['event']): boolean => decided.has(TOKENS[of].spec.type);
  if (!events.has(TOKENS[event].spec.type))
    return `${what} does nothing on ${wireEvent}; it has hooks on ${known(events)}`;
  // The last of these compares all entries, so only for a hook that decides elsewhere or not at all.
  return decided.size === 0 ||
    isDecided(event) ||
    sameHook(handler, entries).some((one) => isDecided(one.event))
    ? undefined
    : `${what} only observes ${wireEvent}; it decides on ${known(decided)}`;
}

/** The entries of the same hook, under any event. */
function sameHook(handler: HookEntry['handler'], entries: readonly HookEntry[]): readonly HookEntry[] {
  const key = hookKey(handler);
  return entries.filter((entry) => hookKey(entry.handler) === key);
}

/** Why a hook has no effect where each event is a process, as under `hooks run`. Undefined if it has one. */
export function whyForgotten({ handler }: Pick<HookEntry, 'handler'>): string | undefined {
  if (handler.type !== 'builtin' || !Object.hasOwn(GUARDS, handler.name)) return undefined;
  const why = GUARDS[handler.name]?.forgets?.(handler.args);
  return (
    why && `under "hooks run" each event is a process, and builtin "${handler.name}" has no effect: ${why}`
  );
}

/** The built-ins that do not stand under an event that their arguments need. */
export function missingEvents(
  entries: readonly HookEntry[],
): readonly { readonly entry: HookEntry; readonly message: string }[] {
  const hooks = Map.groupBy(entries, ({ handler }) => hookKey(handler));
  return [...hooks.values()].flatMap((same) => {
    const [entry] = same;
    if (entry?.handler.type !== 'builtin') return [];
    const { name, args } = entry.handler;
    const needs = (Object.hasOwn(GUARDS, name) && GUARDS[name]?.needs?.(args)) || [];
    return needs
      .filter(({ event }) => !same.some((one) => one.event === event))
      .map(({ event, why }) => ({ entry, message: `${why}: list the same hook under ${event}, too` }));
  });
}

/**
 * What a module decides and the file does not list. A built-in has documented events, from which a file may choose; what a module
 * decides, only its author knows.
 */
export function unlisted(provider: HookProvider, entries: readonly HookEntry[]): string | undefined {
  const listed = new Set(entries.map(({ event }) => TOKENS[event].spec.type));
  const missing = [...hooksOf(provider).decided].filter((type) => !listed.has(type));
  if (missing.length === 0) return undefined;
  const foreign = missing.find((type) => !isOfFiles(type));
  return foreign === undefined
    ? `the module also decides on ${missing.join(', ')}: list it there, too`
    : `the module also decides on ${foreign}, which no file can name: use it in code, with hooks.use`;
}

function isOfFiles(type: string): boolean {
  return Object.values(TOKENS).some(({ spec }) => spec.type === type);
}

/** The types of the events on which a provider decides, and of those that it observes. */
function hooksOf(provider: HookProvider): {
  readonly decided: ReadonlySet<string>;
  readonly observed: ReadonlySet<string>;
} {
  const decided = new Set<string>();
  const observed = new Set<string>();
  const hooks = createHooks();
  const none: Disposable = { [Symbol.dispose]: () => {} };
  const noteIn =
    (found: Set<string>) =>
    (point: PointData): Disposable => {
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
    on: noteIn(decided),
    guard: noteIn(decided),
    observe: noteIn(observed),
  };
  provider.register(registrar);
  return { decided, observed };
}
