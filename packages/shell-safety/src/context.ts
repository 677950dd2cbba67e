import type { Category, Danger, EffectKind } from './effect.ts';

/**
 * The kind of machine that a command runs on: a person's `workstation`; a `container` that mounts no folder of another machine,
 * or a step that builds one; or a `ci` runner, which is thrown away after a job but holds secrets and may deploy.
 */
export type Context = 'workstation' | 'container' | 'ci';

/** The danger in that context: `low` if it would break only a machine that is thrown away. */
export function inContext(danger: Danger, kind: EffectKind, context: Context): Danger {
  return isThrownAway(danger, kind, context) ? { ...danger, severity: 'low' } : danger;
}

function isThrownAway({ category, rule }: Danger, kind: EffectKind, context: Context): boolean {
  if (context === 'workstation' || LASTS.has(rule)) return false;
  if (category === 'sensitive-file') return kind === 'write';
  // Code from the network reads the secrets of a runner; the image that it builds holds none.
  return OF_MACHINE.has(category) || (category === 'remote-code' && context === 'container');
}

/** Damage in these categories is gone with the machine. */
const OF_MACHINE: ReadonlySet<Category> = new Set([
  'filesystem',
  'permission',
  'system-file',
  'persistence',
  'git-hooks',
  'lost-work',
  'docker',
]);

/** Rules in these categories that affect more than the machine. */
const LASTS: ReadonlySet<string> = new Set([
  'permission/host',
  'permission/attack-tool',
  'persistence/tunnel',
  'persistence/miner',
  'lost-work/force-push',
  'lost-work/history',
]);
