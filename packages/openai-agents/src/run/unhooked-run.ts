import {
  AfterModelCall,
  BeforeModelCall,
  BeforeRun,
  HooksError,
  type PointData,
  UserPromptSubmit,
} from '@hooks/core';
import type { Registry } from '../registries.ts';
import type { HookedRun } from './hooked-run.ts';

const OF_MODELS: readonly PointData[] = [BeforeModelCall, AfterModelCall];

/** The events that only a hooked runner can fire. */
const OF_RUNNER: readonly PointData[] = [UserPromptSubmit, BeforeRun, ...OF_MODELS];

/** A bare runner would run an attached agent past hooks that may refuse; so it does not run it at all. */
export function refuseUnhookedRun(name: string, registry: Registry): void {
  refuse(
    registry,
    OF_RUNNER,
    `Agent "${name}" was run without a hooked runner`,
    'Run it with `hookedRunner(runner, hooks)`',
  );
}

/**
 * An agent as a tool can have its own model or provider, which is not visible here; the only sign is that none of its
 * model calls passed. Its answer is withheld if hooks might have refused it.
 */
export function checkModelCalls({ hookedBy, iteration, agent }: HookedRun): void {
  if (iteration > 0) return;
  for (const registry of hookedBy)
    refuse(
      registry,
      OF_MODELS,
      `Agent "${agent}" was run as a tool with a model of its own (\`runConfig\`)`,
      "Give the model to the agent, or the provider to the parent's runner",
    );
}

function refuse(
  { hooks, options }: Registry,
  events: readonly PointData[],
  what: string,
  remedy: string,
): void {
  for (const event of events) {
    const { type } = event.spec;
    if (options.allowUnsupported?.includes(type)) continue;
    const refusing = hooks.get(event).find(({ verb }) => verb !== 'observe');
    if (refusing === undefined) continue;
    throw new HooksError(
      'UNSUPPORTED_EVENT',
      `${what}, so the hook ${refusing.id} would not be asked of ${type}. ${remedy}, or list "${type}" in \`allowUnsupported\`.`,
      { hook: refusing.id, event: type },
    );
  }
}
