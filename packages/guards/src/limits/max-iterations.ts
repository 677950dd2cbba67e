import { BeforeModelCall, block, type HookProvider, MaxIterations, Notification, proceed } from '@hooks/core';
import { checkArgument, whole } from '../options.ts';
import { versionOf } from '../version.ts';

/**
 * Ends a run after a number of model calls, without a way for a person to lift the limit. A call that a hook retries, or that the
 * framework repeats after a failure, counts once. Fires `MaxIterations` and `Notification`.
 *
 * @param max the maximum number of model calls in a run
 * @throws HooksError `CONFIG_INVALID` if `max` is not a whole number greater than 0
 * @example
 * ```ts
 * hooks.use(maxIterations(50));
 * ```
 */
export function maxIterations(max: number): HookProvider {
  checkArgument('maxIterations', 'max', max, whole);
  return {
    name: 'builtin:max-iterations',
    version: versionOf(max),
    register(hooks) {
      hooks.guard(
        BeforeModelCall,
        function limitIterations({ session, iteration, run, agent, turn, principal }) {
          if (iteration <= max) return proceed();
          const message = `The run reached its limit of ${max} model calls.`;
          const about = {
            session,
            ...(run && { run }),
            ...(agent && { agent }),
            ...(turn && { turn }),
            ...(principal && { principal }),
          };
          const tell = async (): Promise<ReturnType<typeof block>> => {
            await hooks.dispatch(MaxIterations, { ...about, maxIterations: max, message });
            await hooks.dispatch(Notification, { ...about, level: 'warning', message });
            return block(`Blocked (max-iterations): ${message}`, { stop: true });
          };
          return tell();
        },
        { id: 'limit' },
      );
    },
  };
}
