import type { Hooks } from '@hooks/core';
import { Attachment } from '@hooks/core/adapter';
import type { Runner } from '@openai/agents';
import { type SdkRun, shareRunner } from '../internals.ts';
import { type HookedRunnerOptions, OF_RUNNERS, type Registries } from '../options.ts';
import { supports } from '../supports.ts';
import { HookedRuns } from './run.ts';

/** The key under which a hooked runner stores its registries. */
const HOOKED = Symbol('hooks.runner');

/**
 * Returns a runner whose runs go through hooks: prompts, model calls, tools, sub-agents, handoffs, and the end of each
 * run. Agents need not be attached. The given runner and the agents stay as they are, and listeners of either runner
 * hear events of both.
 *
 * @param runner the runner to take configuration and listeners from
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on what cannot be refused here
 * @example
 * ```ts
 * const runner = hookedRunner(new Runner(), hooks, { approval: 'native' });
 * const result = await runner.run(agent, 'Tidy up the downloads.');
 * ```
 */
export function hookedRunner<R extends Runner>(
  runner: R,
  hooks: Hooks,
  options: HookedRunnerOptions = {},
): R {
  const before = registriesOf(runner);
  const attached: Registries = Attachment.of(hooks, options, {
    of: 'hookedRunner',
    takes: OF_RUNNERS,
    supports,
  });
  const registries = attached.around(before);
  if (registries === before) return runner;
  const copy: R = Reflect.construct(runner.constructor, [runner.config]);
  shareRunner(copy, runner);
  // A runner's `run` is overloaded by its options; what goes in and out is passed through.
  const runs = new HookedRuns(registries, copy.run.bind(copy) as SdkRun, copy);
  Object.defineProperty(copy, HOOKED, { value: registries });
  Object.defineProperty(copy, 'run', { value: runs.run.bind(runs), configurable: true, writable: true });
  return copy;
}

function registriesOf(runner: object): Registries {
  return Reflect.get(runner, HOOKED) ?? Attachment.none;
}
