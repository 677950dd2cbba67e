import { callTool } from '@hooks/core/tool-call';
import { shownOf } from './answer.ts';
import { type Attempt, final, tried } from './attempt.ts';
import type { Attempts } from './attempts.ts';
import type { ExecutionSite } from './execution.ts';
import { askChanged, type Change } from './intercept.ts';
import type { HookableTool } from './tool.ts';

/**
 * Runs a tool once more, after its call was over or beside it, because a middleware between us and the tool or hooks
 * further out want so: hooks are asked again, about what the model sent; a person who said yes to the same input is not.
 *
 * @param found the tool with all that is around its function further out
 * @param told whether those further out know another input than the one that the tool was called with
 */
export async function runOnceMore(
  { hooks, call, options }: ExecutionSite,
  attempts: Attempts,
  found: HookableTool | undefined,
  told: boolean,
): Promise<unknown> {
  let raw: unknown;
  let attempt: Attempt = { output: undefined };
  const outcome = await callTool(
    hooks,
    call,
    async (input, running) => {
      attempt = await tried(async () => {
        const change: Change = { input };
        const differs = told || input !== call.input;
        const refusal = differs && found !== undefined ? await askChanged(found, change) : undefined;
        if (refusal !== undefined) return refusal.answer;
        if (change.input !== input) attempts.take(change);
        return final(await attempts.again({ input, running }), attempts.writes);
      });
      if ('error' in attempt) throw attempt.error;
      raw = attempt.output;
      return shownOf(raw, call.callId);
    },
    { ...options, begun: undefined },
  );
  return attempts.returned(outcome, attempt, raw);
}
