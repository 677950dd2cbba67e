import { HooksError } from '@hooks/core';

/**
 * Refuses to start or resume a run. Mastra's server responds with the status.
 *
 * @throws HooksError `INVALID_INPUT`
 */
export function refuseRun(status: 400 | 403 | 409, message: string): never {
  throw Object.assign(new HooksError('INVALID_INPUT', message), { status });
}
