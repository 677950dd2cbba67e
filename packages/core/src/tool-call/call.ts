import { delay } from '../delay.ts';
import type { Execute } from '../execute.ts';
import { type ActiveCall, enter, keepPaused } from './active-call.ts';
import { askApprovers } from './approve.ts';
import { admit, begin } from './before.ts';
import { Running } from './recheck.ts';
import { aborted, finish, returned, threw } from './result.ts';
import { resumeBegun } from './split.ts';
import type { CallOptions, Registries, ToolCall, ToolCallOutcome } from './types.ts';

/**
 * Runs a tool call through the whole pipeline: `beginToolCall`, `execute`, `finishToolCall`, in a loop.
 *
 * @param registries the registry that hooks the call, or several, outermost first
 * @param execute runs the tool: gets the effective input, returns the output or throws. A Retry calls it again with the
 *   same input. If user code between `execute` and the tool changes the input, check it with `recheckToolCall`.
 * @returns how it ended. It rejects only with the framework's own control flow, or if `begun` is not of a call that
 *   waits here (HooksError `INVALID_INPUT`)
 */
export async function callTool(
  registries: Registries,
  call: ToolCall,
  execute: Execute,
  options: CallOptions = {},
): Promise<ToolCallOutcome> {
  const { begun, approval, pause, check, rename, isControlFlow } = options;
  if (begun?.kind === 'done') return begun.outcome;
  const active =
    begun === undefined
      ? enter(registries, call, {
          capabilities: { retry: true, route: true, rename },
          check,
          approval,
          pause,
        })
      : resumeBegun(begun, call, { approval, pause });
  const { members } = active;
  // However long hooks, a person or the tool take, the session is in use, and not evicted.
  for (const { session } of members) session.calling++;
  try {
    await begin(active, call.resumed);
    for (;;) {
      const { state } = active;
      if (state.kind === 'finished') return state.outcome;
      if (state.kind === 'waiting') await askApprovers(active, isControlFlow);
      else await run(active, state.kind === 'ready' ? state.delayMs : 0, execute, isControlFlow);
    }
  } catch (error) {
    // It resumes in this process where it was, and no hook is asked twice.
    if (active.state.kind !== 'finished' && isControlFlow?.(error) === true) keepPaused(active);
    throw error;
  } finally {
    for (const { session } of members) {
      session.calling--;
      session.idle = 0;
    }
  }
}

/** Runs the tool once, after its delay, and lets the hooks decide about the result. */
async function run(
  call: ActiveCall,
  delayMs: number,
  execute: Execute,
  isControlFlow: CallOptions['isControlFlow'],
): Promise<void> {
  const { signal } = call;
  if (delayMs > 0) await delay(delayMs, signal);
  if (signal?.aborted) return aborted(call, signal.reason);
  await admit(call);
  if (call.state.kind === 'finished') return;
  if (signal?.aborted) return aborted(call, signal.reason);
  call.begin();
  let ending: ReturnType<typeof returned>;
  try {
    ending = returned(call, await runOnce(call, execute));
  } catch (error) {
    if (isControlFlow?.(error) === true) {
      if (call.state.kind === 'running') call.pause();
      throw error;
    }
    ending = threw(call, error);
  }
  // `recheckToolCall` may have ended it meanwhile.
  if (call.state.kind === 'running') await finish(call, ending);
}

function runOnce(call: ActiveCall, execute: Execute): unknown {
  const { event, runnable: input, substitute, signal, idempotencyKey } = call;
  // What a hook runs instead is no user code between us and the tool, and rechecks nothing.
  return event.execute === undefined
    ? (substitute ?? execute)(input, new Running(call))
    : event.execute(input, { signal, call: event, idempotencyKey });
}
