import type { Hooks } from '@hooks/core';
import type { Runner } from '@openai/agents';
import { attachment } from '../attachment.ts';
import type { SdkRun } from '../internals.ts';
import type { AttachOptions } from '../options.ts';
import { HookedRuns } from './run.ts';

/**
 * A runner whose runs go through hooks: prompts, model calls, tools, sub-agents, handoffs, and how a run ends. The
 * agents need not be attached; they and the given runner are left as they are, and listeners of either runner hear of
 * both.
 *
 * @param runner the runner to take configuration and listeners from
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on what cannot be refused here
 * @example
 * ```ts
 * const runner = hookedRunner(new Runner(), hooks, { approval: 'native' });
 * const result = await runner.run(agent, 'Tidy up the downloads.');
 * ```
 */
export function hookedRunner<R extends Runner>(runner: R, hooks: Hooks, options: AttachOptions = {}): R {
  const before = hookedBy.get(runner) ?? [];
  if (before.includes(hooks)) return runner;
  const attached = attachment(hooks, options);
  const { config } = runner;
  const copy: R = Reflect.construct(runner.constructor, [config]);
  Reflect.set(copy, 'eventEmitter', Reflect.get(runner, 'eventEmitter'));
  const inner = before.length > 0 ? runner : copy;
  // A runner's `run` is overloaded by its options; what goes in and out is passed through.
  const runs = new HookedRuns(attached, inner.run.bind(inner) as SdkRun, copy.config);
  Object.defineProperty(copy, 'run', { value: runs.run.bind(runs), configurable: true, writable: true });
  hookedBy.set(copy, [...before, hooks]);
  return copy;
}

const hookedBy: WeakMap<Runner, readonly Hooks[]> = new WeakMap();
