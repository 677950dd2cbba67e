import { AfterModelCall, BeforeModelCall, BeforeRun, type PointData, UserPromptSubmit } from '@hooks/core';
import type { Registries } from '../registries.ts';
import type { HookedRun } from './hooked-run.ts';

const OF_MODELS: readonly PointData[] = [BeforeModelCall, AfterModelCall];

/** The events that only a hooked runner can fire. */
const OF_RUNNER: readonly PointData[] = [UserPromptSubmit, BeforeRun, ...OF_MODELS];

/** A bare runner would run an attached agent past hooks that may refuse; so it does not run it at all. */
export function refuseUnhookedRun(name: string, registries: Registries): void {
  registries.refuseUnasked(
    { points: OF_RUNNER, agent: name },
    `a run of the agent "${name}" without a hooked runner`,
    'run it with `hookedRunner(runner, hooks)`',
  );
}

/**
 * An agent as a tool can have its own model or provider, which is not visible here; the only sign is that none of its
 * model calls passed. Its answer is withheld if hooks might have refused it.
 */
export function checkModelCalls({ hookedBy, iteration, agent }: HookedRun): void {
  if (iteration > 0) return;
  hookedBy.refuseUnasked(
    { points: OF_MODELS, agent },
    `the agent "${agent}" as a tool with a model of its own (\`runConfig\`)`,
    "give the model to the agent, or the provider to the parent's runner",
  );
}
