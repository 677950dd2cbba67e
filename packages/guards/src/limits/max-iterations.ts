import {
  BeforeModelCall,
  block,
  type HookProvider,
  HooksError,
  MaxIterations,
  Notification,
  proceed,
} from '@hooks/core';

/**
 * Ends a run after a number of model calls: a hard stop, which no person can lift. Fires `MaxIterations` and
 * `Notification`.
 *
 * @param max model calls that a run may make
 * @throws HooksError `CONFIG_INVALID` where `max` is no whole number greater than 0
 * @example
 * ```ts
 * hooks.use(maxIterations(50));
 * ```
 */
export function maxIterations(max: number): HookProvider {
  if (!Number.isInteger(max) || max < 1)
    throw new HooksError('CONFIG_INVALID', `maxIterations: ${max} is no whole number greater than 0.`);
  return {
    name: 'builtin:max-iterations',
    register(hooks) {
      hooks.guard(
        BeforeModelCall,
        function limitIterations({ session, iteration, run, agent, turn, principal }) {
          if (iteration <= max) return proceed();
          const message = `The limit of ${max} model calls a run is reached.`;
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
            return block(`Blocked (max_iterations): ${message}`, { stop: true });
          };
          return tell();
        },
        { id: 'limit' },
      );
    },
  };
}
