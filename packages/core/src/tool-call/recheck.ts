import { hideInput } from '../conceal.ts';
import { fail } from '../error.ts';
import type { BeforeToolCall } from '../event/catalogue/tool.ts';
import type { ExecuteOptions } from '../execute.ts';
import { canonicalJson, readPlain } from '../plain.ts';
import type { ActiveCall, ChangedInput, PassedInput } from './active-call.ts';
import { approve, askApprovers } from './approve.ts';
import { blocked, readmit } from './before.ts';
import { replaceInput } from './input.ts';
import { finish, returned } from './result.ts';
import type { Approving, CallOptions, Rechecked } from './types.ts';

/** What `execute` gets besides the input, which identifies the call. */
export class Running implements ExecuteOptions {
  readonly signal: AbortSignal | undefined;
  readonly call: BeforeToolCall;
  readonly idempotencyKey: string | undefined;
  readonly #active: ActiveCall;

  constructor(active: ActiveCall) {
    this.signal = active.signal;
    this.call = active.event;
    this.idempotencyKey = active.idempotencyKey;
    this.#active = active;
  }

  static callOf(running: ExecuteOptions): ActiveCall | undefined {
    return running instanceof Running ? running.#active : undefined;
  }
}

/**
 * Checks another input while `execute` runs, because user code between `execute` and the tool (a middleware of the
 * framework) is about to call the tool with it. Checks the schema, runs the guards of all registries, and requests a
 * required approval again, since the previous one was for another input. Interceptors do not run again. From now on,
 * the events and the outcome of the call have the new input.
 *
 * Call it before the tool gets the input, for one input at a time, and again on each run of `execute`: an input that
 * has passed passes at once, and so does that of the call. Call it for that, too, if `execute` may call the tool several
 * times: a call whose tool has run ends as one that ran, with the input that it ran with, also if another one is refused.
 * @param running what `execute` got besides the input
 * @param options the approver, as for `callTool`. Its control flow passes through, and has to pass through `execute`
 * @returns `run`: call the tool with that input. `done`: do not call it; the call is over, and `callTool` returns this
 * outcome whatever `execute` returns or throws
 * @throws HooksError `INVALID_INPUT` if `running` is not of a running call of `callTool`
 */
export async function recheckToolCall(
  running: ExecuteOptions,
  input: unknown,
  { isControlFlow, ...approving }: Approving & Pick<CallOptions, 'isControlFlow'> = {},
): Promise<Rechecked> {
  const call = openCall(running);
  if (call.state.kind === 'finished') return { kind: 'done', outcome: call.state.outcome };
  call.approveBy(approving);
  call.changed ??= unchanged(call);
  const { changed } = call;
  const other = readOther(changed, input);
  // Unless it has been here before, the tool did not run in this attempt; where it may, its time begins then.
  const isFirst = changed.ran?.attempt !== call.attempt;
  if (isFirst) call.attempt--;
  try {
    await decide(call, changed, other, isControlFlow);
  } catch (error) {
    // The framework pauses. The call resumes with `execute`, which comes here again.
    if (isFirst) call.attempt++;
    call.state = { kind: 'running' };
    throw error;
  }
  const ended = over(call, changed);
  if (ended !== undefined) return ended;
  const { event } = call;
  pass(changed, other, event);
  if (!isFirst) call.attempt--;
  call.begin();
  call.event = event;
  if (call.answer === undefined) changed.ran = { attempt: call.attempt, event };
  else await finish(call, returned(call, call.answer.output));
  return over(call, changed) ?? { kind: 'run', input: call.runnable };
}

/** The call, while `execute` runs, or once a check of another input has ended it. */
function openCall(running: ExecuteOptions): ActiveCall {
  const call = Running.callOf(running);
  if (call === undefined)
    fail('INVALID_INPUT', 'recheckToolCall: `running` must be what callTool passed to `execute`.');
  const { state, changed, callId } = call;
  if (state.kind === 'running' || (state.kind === 'finished' && changed?.over === true)) return call;
  fail('INVALID_INPUT', `recheckToolCall: call ${callId} is over; call it while \`execute\` runs.`);
}

/** The input of a call before any other was checked. It has passed, unless it is none that hooks can see. */
function unchanged({ event, problem }: ActiveCall): ChangedInput {
  const own = problem === undefined ? [canonicalJson(event.input)] : [];
  return {
    from: event,
    passed: new Map(own.map((json) => [json, { event, request: undefined }])),
    admitted: new Set(own),
    ran: undefined,
    checking: false,
    over: false,
  };
}

/** An input in place of that of a call. */
interface OtherInput {
  /** What hooks see of it; if they can see none, the input itself, which does not fit. */
  readonly input: unknown;
  /** Identifies it. Undefined if hooks cannot see it. */
  readonly json: string | undefined;
}

/** Reads an input as hooks see it: without what a hook conceals. */
function readOther({ from }: ChangedInput, input: unknown): OtherInput {
  const read = readPlain(from.concealed === undefined ? input : hideInput(from.concealed, from.input, input));
  return 'problem' in read
    ? { input, json: undefined }
    : { input: read.data, json: canonicalJson(read.data) };
}

/** Asks guards and people about an input that has not passed before. If the call has to wait, keeps what guards have decided. */
async function decide(
  call: ActiveCall,
  changed: ChangedInput,
  { input, json }: OtherInput,
  isControlFlow: CallOptions['isControlFlow'],
): Promise<void> {
  const { from, passed, admitted } = changed;
  const known = json === undefined ? undefined : passed.get(json);
  changed.checking = true;
  try {
    if (known === undefined) await check(call, from, input);
    else restore(call, known);
    if (call.state.kind === 'waiting') await askApprovers(call, isControlFlow);
    // Guards of `BeforeExecute` have let those inputs run that have passed.
    if (call.state.kind === 'ready' && !admitted.has(canonicalJson(call.event.input))) await readmit(call);
  } catch (error) {
    if (json !== undefined && call.state.kind === 'waiting')
      passed.set(json, { event: call.event, request: call.state.request });
    throw error;
  } finally {
    changed.checking = false;
  }
}

/**
 * Notes that an input has passed, and the one that an approver has put in its place. If the latter was itself replaced
 * before, that stays.
 */
function pass({ passed, admitted }: ChangedInput, { json }: OtherInput, event: BeforeToolCall): void {
  const own = canonicalJson(event.input);
  admitted.add(own);
  if (json !== undefined) passed.set(json, { event, request: undefined });
  const before = passed.get(own);
  if (before === undefined || before.request !== undefined) passed.set(own, { event, request: undefined });
}

/** Returns a call to an input that was checked before: it has passed, or waits for its approval. */
function restore(call: ActiveCall, { event, request }: PassedInput): void {
  call.event = event;
  call.state = request === undefined ? { kind: 'ready', delayMs: 0 } : { kind: 'waiting', request };
}

/** The outcome, if the input did not pass or a person answered in place of the tool. */
function over({ state }: ActiveCall, changed: ChangedInput): Rechecked | undefined {
  if (state.kind !== 'finished') return undefined;
  changed.over = true;
  return { kind: 'done', outcome: state.outcome };
}

/** Checks schema and guards, and requests approval if it is required. */
async function check(
  call: ActiveCall,
  { approval, ...event }: BeforeToolCall,
  input: unknown,
): Promise<void> {
  // A grant was for the input that its hook saw.
  call.event = approval?.kind === 'required' ? { ...event, approval } : event;
  const decision = await replaceInput(call, input, { rechecked: true });
  if (decision.kind === 'block') return blocked(call, decision);
  if (decision.kind === 'modify') call.change(decision.patch);
  await approve(call);
}
