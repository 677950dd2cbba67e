import type { HookDecision, Hooks } from '@hooks/core';
import type { Draw } from './draw.ts';

/** A random hook. */
export interface RandomHook<Act> {
  readonly id: string;
  readonly verb: 'on' | 'guard';
  readonly priority: number;
  /** What it does. */
  readonly act: Act;
  /** What its failure counts as, if not what the event says. */
  readonly onFailure?: 'block' | 'proceed';
}

/** Kinds of acts. Repeat a kind to draw it more often. */
export type Kinds<Kind> = readonly [Kind, ...Kind[]];

/**
 * Draws the hooks for an event: none, or fewer than a limit.
 * @param on what its interceptors do
 * @param guard what its guards do, if it has any; such a hook may set its own `onFailure`
 */
export type DrawHooks<Act extends { readonly kind: string }> = (
  name: string,
  on: Kinds<Act['kind']>,
  guard?: Kinds<Act['kind']>,
) => readonly RandomHook<Act>[];

export function hooksFrom<Act extends { readonly kind: string }>(
  { random, below, oneOf }: Draw,
  limit: number,
  acts: { readonly [Kind in Act['kind']]: () => Act },
): DrawHooks<Act> {
  return (name, on, guard) =>
    Array.from({ length: below(limit) }, (_, at) => {
      const guards = guard !== undefined && random() < 0.3;
      const kind: Act['kind'] = oneOf(guards ? guard : on);
      const onFailure = guard && oneOf<'block' | 'proceed' | undefined>(['block', 'proceed', undefined]);
      return {
        ...{ id: `${name}-${at}`, verb: guards ? 'guard' : 'on', priority: below(3) - 1, act: acts[kind]() },
        ...(onFailure !== undefined && { onFailure }),
      };
    });
}

/** Registers the hooks for an event. They answer with or without promises. */
export function registerAt<Act, Asked>(
  hooks: Hooks,
  point: object,
  those: readonly RandomHook<Act>[],
  asynchronous: boolean,
  decide: (id: string, act: Act, event: Asked) => HookDecision,
): void {
  for (const { act, verb, ...options } of those) {
    const now = (event: Asked): HookDecision => decide(options.id, act, event);
    const later = async (event: Asked): Promise<HookDecision> => now(event);
    // The caller knows which acts an event permits; the compiler does not.
    hooks[verb](point as never, (asynchronous ? later : now) as never, options);
  }
}

/** Describes a random policy hook by hook, for whoever looks into a broken rule. */
export function tellPolicy<Act extends { readonly kind: string }>(
  what: string,
  hooks: readonly RandomHook<Act>[],
): string {
  const lines = hooks.map(({ id, verb, priority, act: { kind, ...rest }, onFailure }) => {
    const how = [verb, `priority ${priority}`, ...(onFailure ? [`a failure counts as ${onFailure}`] : [])];
    const fields = Object.entries(rest).map(([name, value]) => ` ${name} ${JSON.stringify(value)}`);
    return `  ${id} (${how.join(', ')}): ${kind}${fields.join('')}`;
  });
  return [`${what}, the same whenever it is drawn:`, ...lines, ''].join('\n');
}

/** The order of hooks: interceptors, then guards; reversed for events that come after something. */
export function inOrder<Act>(
  hooks: readonly RandomHook<Act>[],
  order: 'forward' | 'reverse' = 'forward',
): readonly RandomHook<Act>[] {
  const phase = (verb: string): readonly RandomHook<Act>[] => {
    const sorted = hooks.filter((hook) => hook.verb === verb).sort((a, b) => b.priority - a.priority);
    return order === 'forward' ? sorted : sorted.toReversed();
  };
  return [...phase('on'), ...phase('guard')];
}
