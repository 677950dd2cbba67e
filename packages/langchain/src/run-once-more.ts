import { callTool } from '@hooks/core/tool-call';
import { type Attempt, final, tried } from './attempt.ts';
import type { Attempts } from './attempts.ts';
import { shownOf } from './conclusion.ts';
import type { ExecutionSite } from './execution.ts';

/**
 * Runs a tool once more, after its call was over or beside it, because a middleware between us and the tool wants so:
 * hooks are asked again, about what the model sent; a person who said yes to the same input is not.
 */
export async function runOnceMore(
  { hooks, call, options }: ExecutionSite,
  attempts: Attempts,
): Promise<unknown> {
  let raw: unknown;
  let attempt: Attempt = { output: undefined };
  const outcome = await callTool(
    hooks,
    call,
    async (input, running) => {
      attempt = await tried(async () => final(await attempts.again({ input, running }), attempts.writes));
      if ('error' in attempt) throw attempt.error;
      raw = attempt.output;
      return shownOf(raw, call.callId);
    },
    { ...options, begun: undefined },
  );
  return attempts.returned(outcome, attempt, raw);
}
