import type { Concealed } from '../conceal.ts';
import { type HookDecision, patchOf } from '../decision.ts';
import { defined } from '../defined.ts';
import type { PipelineOptions } from '../dispatch/dispatch.ts';
import { seal, thaw } from '../dispatch/seal.ts';
import { isHooksError } from '../error.ts';
import { AfterToolCall, TransformToolResult } from '../event/catalogue/tool.ts';
import type { ToolCallRecord, ToolCallStatus } from '../session/session.ts';
import type { ActiveCall } from './active-call.ts';
import type { ToolCallOutcome } from './types.ts';

/** The state of a call before its last hooks. */
export interface Ending {
  readonly status: ToolCallStatus;
  /** The tool ran in this attempt. */
  readonly ran: boolean;
  /** The result was given in place of the tool. */
  readonly answered?: boolean | undefined;
  /** It ran before: in an earlier attempt, or with an input before the one that was refused or answered. */
  readonly ranBefore?: boolean | undefined;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly code?: ToolCallOutcome['code'];
  readonly reason?: string;
  readonly by?: string | undefined;
  readonly stop?: boolean | undefined;
  readonly aborted?: boolean;
  /** Whether a hook replaced the output, which is then sealed. */
  readonly replaced?: boolean;
  /** What hooks have seen of the output or the error. */
  readonly seen?: unknown;
}

/** The tool returned. An output that repeats what the call conceals is shown without it. */
export function returned(call: ActiveCall, output: unknown): Ending {
  const { concealed } = call.event;
  try {
    return { status: 'ok', ...origin(call), output: concealed ? concealed.hide(output) : output };
  } catch {
    return notHidden(call);
  }
}

/** Where a result is from. */
function origin({ answered, changed }: ActiveCall): Pick<Ending, 'ran' | 'answered' | 'ranBefore'> {
  return answered ? { ran: false, answered, ranBefore: changed?.ran !== undefined } : { ran: true };
}

function notHidden(call: ActiveCall): Ending {
  const reason = 'Withheld, because the values of this call could not be hidden in its result.';
  return { status: 'blocked', ...origin(call), reason };
}

/** The tool, or its replacement, threw. */
export function threw(call: ActiveCall, thrown: unknown): Ending {
  const { signal, event } = call;
  let error = thrown;
  try {
    if (event.concealed !== undefined) error = hiddenIn(event.concealed, thrown);
  } catch {
    return signal?.aborted
      ? withheld(call, { status: 'error', ...origin(call), aborted: true })
      : notHidden(call);
  }
  const isAborted = signal?.aborted === true;
  if (!isAborted && event.execute !== undefined && isHooksError(error) && error.code === 'ROUTE_FAILED')
    return { status: 'blocked', ran: false, reason: error.message };
  return { status: 'error', ...origin(call), error, aborted: isAborted };
}

/** The error that a tool threw, without what the call conceals. */
function hiddenIn(concealed: Concealed, error: unknown): unknown {
  const message = messageOf(error);
  const shown = String(concealed.hide(message));
  return shown === message && concealed.hide(error) === error ? error : withMessage(error, shown);
}

/** The second half of a call: transforms the tool's result, then fires `AfterToolCall`. */
export async function finish(call: ActiveCall, ending: Ending): Promise<void> {
  const chain = call.chain(TransformToolResult);
  if (chain.empty || !hasResult(ending) || ending.status === 'blocked') return conclude(call, ending);
  const { attempt } = call;
  const status = ending.status === 'ok' ? 'ok' : 'error';
  const shownOnce = { ...ending, seen: seen(ending) };
  const event = call.tell(TransformToolResult.type, { status, attempt, ...shown(shownOnce) });
  return conclude(call, transformed(call, shownOnce, await call.askChain(chain, event)));
}

function transformed(call: ActiveCall, ending: Ending, decision: HookDecision): Ending {
  // The event permits no Block: it is a failed hook, and the result is withheld from everybody.
  if (decision.kind === 'block')
    return ending.aborted
      ? withheld(call, ending)
      : withReason(ending, { reason: decision.reason, by: decision.by });
  if (decision.kind !== 'modify') return ending;
  const { output, errorMessage } = decision.patch as Partial<TransformToolResult>;
  // An output in the place of what a tool threw is its answer; the run's abort stays one.
  if ('output' in decision.patch && !ending.aborted) return withOutput(ending, output);
  return errorMessage === undefined || ending.status === 'ok'
    ? ending
    : { ...ending, error: withMessage(ending.error, errorMessage), seen: undefined };
}

/** The same call with an output of a hook. */
function withOutput({ ran, answered, ranBefore }: Ending, output: unknown): Ending {
  return { status: 'ok', ran, answered, ranBefore, output, replaced: true };
}

/** The same call without its result. */
function withReason(
  { ran, answered, ranBefore }: Ending,
  { reason, by, stop, code }: Pick<Ending, 'by' | 'stop' | 'code'> & { readonly reason: string },
): Ending {
  return { status: 'blocked', ran, answered, ranBefore, reason, by, stop, code };
}

/** A call that ended with the abort of its run. The tool's error is withheld, the abort is not. */
function withheld({ signal }: ActiveCall, ending: Ending): Ending {
  return { ...ending, error: signal?.reason, seen: undefined };
}

/** The same kind of error with another message, without the stack and cause that contain the old one. */
function withMessage(error: unknown, message: string): Error {
  const replaced = new Error(message);
  if (error instanceof Error && KIND.test(error.name)) replaced.name = error.name;
  replaced.stack = `${replaced.name}: ${message}`;
  return replaced;
}

/** The name of a class of errors. Any other name is text that no hook has replaced. */
const KIND = /^[A-Z][A-Za-z]{0,60}(?:Error|Exception)$/;

/** Fires `AfterToolCall`, records the call, and returns how it ended or that it runs again. */
export async function conclude(call: ActiveCall, ending: Ending): Promise<void> {
  const at = Date.now();
  const chain = call.chain(AfterToolCall);
  if (chain.empty) return settle(call, ending, at);
  const { status, reason, code } = ending;
  const everRan = hasRun(ending);
  const event = call.tell(AfterToolCall.type, {
    status,
    ran: everRan,
    durationMs: everRan ? durationOf(call, at) : 0,
    attempt: everRan ? call.attempt : 0,
    ...shown(ending),
    ...defined({
      reason,
      code,
      answered: ending.answered || undefined,
      aborted: ending.aborted || undefined,
      executionId: call.executionId,
      idempotencyKey: call.idempotencyKey,
    }),
  });
  const decision = await call.askChain(chain, event, afterRules(call, ending));
  switch (decision.kind) {
    case 'proceed':
      return settle(call, ending, at);
    case 'modify':
      return 'output' in decision.patch
        ? settle(call, withOutput(ending, decision.patch.output), at)
        : settle(call, ending, at);
    case 'block': {
      const { reason: why, by, stop, code: kind } = decision;
      if (ending.aborted) return settle(call, withheld(call, ending), at);
      if (hasResult(ending)) return settle(call, withReason(ending, decision), at);
      // What was refused stays refused; a hook may word it otherwise, a failed one has no word in it.
      if (decision.failed) return settle(call, ending, at);
      return settle(call, { ...ending, reason: why, by, stop: ending.stop || stop, code: kind }, at);
    }
    case 'retry':
      call.state = { kind: 'ready', delayMs: decision.delayMs ?? 0 };
  }
}

/** What AfterToolCall hooks may do to this call. */
function afterRules(call: ActiveCall, ending: Ending): PipelineOptions {
  const { aborted: over, status } = ending;
  const ended = hasResult(ending);
  return {
    refuse(decision) {
      if (decision.kind === 'block' && status === 'error' && !ended && !over)
        return 'nothing ran, because the input did not fit, and the model reads the error of the framework';
      if (decision.kind !== 'retry' && !('output' in patchOf(decision))) return undefined;
      if (!ended) return 'nothing ran';
      if (over) return 'the run was aborted';
      if (decision.kind === 'retry' && call.capabilities.retry !== true)
        return 'the tool cannot be run again here';
      if (decision.kind === 'retry' && call.last) call.exhausted = true;
      return undefined;
    },
    last: call.last,
  };
}

/** The fields of a result that hooks see. */
function shown(ending: Ending): Pick<TransformToolResult, 'output' | 'error' | 'errorMessage'> {
  if (ending.status === 'ok') return { output: seen(ending) };
  return ending.status === 'error' ? { error: seen(ending), errorMessage: messageOf(ending.error) } : {};
}

/** The sealed output or error. All hooks of an attempt see the same copy. */
function seen({ status, output, error, replaced, seen: known }: Ending): unknown {
  return known ?? (replaced ? output : seal(status === 'ok' ? output : error));
}

/** Any value can be thrown, including undefined and values without a text form. */
function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'The tool threw a value without a text form.';
  }
}

/** A call that must not run. */
export function refused(
  call: ActiveCall,
  status: 'blocked' | 'denied',
  { reason, by, stop, code }: Pick<Ending, 'by' | 'stop' | 'code'> & { readonly reason: string },
): Promise<void> {
  return conclude(call, { status, ran: false, ranBefore: asItRan(call), reason, by, stop, code });
}

/** A call whose run was aborted. Hooks see how it ended, and the adapter throws the signal's reason. */
export function aborted(call: ActiveCall, error: unknown): Promise<void> {
  return conclude(call, { status: 'error', ran: asItRan(call), error, aborted: true });
}

/** Whether a call that must not run any more has run before. If so, it ends as the call that ran. */
function asItRan(call: ActiveCall): boolean {
  if (call.attempt === 0) return false;
  const { changed } = call;
  if (changed !== undefined) call.event = changed.ran?.event ?? changed.from;
  return true;
}

/** Whether there is a result, of the tool or in its place. */
function hasResult({ ran, answered }: Ending): boolean {
  return ran || answered === true;
}

function hasRun({ ran, ranBefore }: Ending): boolean {
  return ran || ranBefore === true;
}

/** Never below 0, because clocks can be set back. */
function durationOf({ startedAt }: ActiveCall, at: number): number {
  return Math.max(0, at - startedAt);
}

function settle(call: ActiveCall, ending: Ending, at: number): void {
  const { callId, toolName, input } = call.event;
  const { status, reason, by, code } = ending;
  const ran = hasRun(ending);
  const about = {
    callId,
    toolName,
    input,
    status,
    ran,
    attempts: ran ? call.attempt : 0,
    durationMs: ran ? durationOf(call, at) : 0,
    ...defined({ by, reason }),
  };
  const record: ToolCallRecord = Object.freeze({ ...about, at });
  for (const { session } of call.members) session.remember(record);
  call.outermost.session.paused?.delete(call);
  const { targetName: renamedTo } = call;
  const outcome: ToolCallOutcome = {
    ...about,
    exhausted: call.exhausted,
    context: call.context,
    stop: ending.stop === true,
    aborted: ending.aborted === true,
    ...(status === 'ok' && { output: ending.replaced ? thaw(ending.output) : ending.output }),
    ...(status === 'error' && { error: ending.error }),
    ...defined({
      renamedTo,
      code,
      message: reason === undefined ? undefined : wording(call, { reason, toolName, ran }),
    }),
  };
  call.state = { kind: 'finished', outcome };
}

/** What the model reads of a refused call. */
export function wording(
  { members }: ActiveCall,
  blocked: { readonly reason: string; readonly toolName: string; readonly ran: boolean },
): string {
  for (const { internal } of members) {
    try {
      const message = internal.options.formatBlocked?.(blocked);
      if (message !== undefined) return message;
    } catch {
      internal.warnOnce('createHooks: formatBlocked threw');
    }
  }
  const { reason, ran } = blocked;
  return ran ? `${reason} (The tool did run; its result is withheld.)` : reason;
}
