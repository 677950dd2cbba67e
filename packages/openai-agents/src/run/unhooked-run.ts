import {
  AfterModelCall,
  BeforeModelCall,
  BeforeRun,
  HooksError,
  type PointData,
  UserPromptSubmit,
} from '@hooks/core';
import type { UnfiredEvents } from '@hooks/core/adapter';
import type { Registries } from '../registries.ts';
import type { HookedRun } from './hooked-run.ts';

const OF_MODELS: readonly PointData[] = [BeforeModelCall, AfterModelCall];

/** The events that only a hooked runner can fire. */
const OF_RUNNER: readonly PointData[] = [UserPromptSubmit, BeforeRun, ...OF_MODELS];

/** A bare runner would run an attached agent past hooks that may refuse; so it does not run it at all. */
export function refuseUnhookedRun(name: string, registries: Registries): void {
  refuse(
    registries,
    { points: OF_RUNNER, agent: name },
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
  refuse(
    hookedBy,
    { points: OF_MODELS, agent },
    `Agent "${agent}" was run as a tool with a model of its own (\`runConfig\`)`,
    "Give the model to the agent, or the provider to the parent's runner",
  );
}

function refuse(registries: Registries, unfired: UnfiredEvents, what: string, remedy: string): void {
  const [refusing] = registries.unasked(unfired);
  if (refusing === undefined) return;
  const { hook, event } = refusing;
  throw new HooksError(
    'UNSUPPORTED_EVENT',
    `${what}, so the hook ${hook} would not be asked of ${event}. ${remedy}, or list "${event}" in \`allowUnsupported\`.`,
    { hook, event },
  );
}
