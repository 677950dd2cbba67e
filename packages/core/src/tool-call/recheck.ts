import { jsonOf } from '../approval/hash.ts';
import { HooksError } from '../error.ts';
import type { ToolEvent } from '../event/catalogue/groups.ts';
import type { BeforeToolCall } from '../event/catalogue/tool.ts';
import type { ExecuteOptions } from '../execute.ts';
import type { ActiveCall } from './active-call.ts';
import { approve, askApprovers } from './approve.ts';
import { blocked } from './before.ts';
import { replaceInput } from './input.ts';
import type { CallOptions, Rechecked } from './types.ts';

/** What `execute` is given beside the input, from which the call is known again. */
export class Running implements ExecuteOptions {
  readonly signal: AbortSignal | undefined;
  readonly call: ToolEvent;
  readonly #active: ActiveCall;

  constructor(active: ActiveCall) {
    this.signal = active.signal;
    this.call = active.event;
    this.#active = active;
  }

  static callOf(running: ExecuteOptions): ActiveCall | undefined {
    return running instanceof Running ? running.#active : undefined;
  }
}

/**
 * Checks another input while `execute` runs, because user code between `execute` and the tool (a middleware of the framework)
 * is about to call the tool with it: the schema, then the guards of all registries. Interceptors have had their say. A required
 * approval is sought again, since it was for another input. The events and the outcome of the call show the new input from now
 * on.
 *
 * Call it before the tool gets the input, for one input at a time, and again where `execute` runs again: what has passed
 * passes then at once.
 *
 * @param running what `execute` was given beside the input
 * @param options who approves, as for `callTool`; its control flow passes through, and has to pass through `execute`
 * @returns `run`: the tool may be called with that input; `done`: it must not be called, the call is over, and `callTool`
 *   gives this outcome whatever `execute` returns or throws
 * @throws HooksError `INVALID_INPUT` where `running` is of no call of `callTool`, or of one that is over
 */
export async function recheckToolCall(
  running: ExecuteOptions,
  input: unknown,
  { approval, isControlFlow }: Pick<CallOptions, 'approval' | 'isControlFlow'> = {},
): Promise<Rechecked> {
  const call = Running.callOf(running);
  if (call === undefined)
    throw new HooksError(
      'INVALID_INPUT',
      'recheckToolCall: `running` must be what callTool has given to `execute`.',
    );
  if (call.state.kind === 'finished' && call.changed?.refused)
    return { kind: 'done', outcome: call.state.outcome };
  if (call.state.kind !== 'running')
    throw new HooksError(
      'INVALID_INPUT',
      `recheckToolCall: call ${call.callId} is over; call it while \`execute\` runs.`,
    );
  call.approveBy(approval);
  call.changed ??= { from: call.event, passed: new Map(), checking: false, refused: false };
  const { changed } = call;
  const { from, passed } = changed;
  const json = jsonOf(input);
  const known = json === undefined ? undefined : passed.get(json);
  // Until here the tool did not run; where it may, its time begins then.
  call.attempt--;
  changed.checking = true;
  try {
    if (known === undefined) await check(call, from, input);
    else {
      call.event = known.event;
      call.state =
        known.request === undefined
          ? { kind: 'ready', delayMs: 0 }
          : { kind: 'waiting', request: known.request };
    }
    if (call.state.kind === 'waiting') await askApprovers(call, isControlFlow);
  } catch (error) {
    // The framework pauses. The call resumes with `execute`, which comes here again.
    if (json !== undefined && call.state.kind === 'waiting')
      passed.set(json, { event: call.event, request: call.state.request });
    call.attempt++;
    call.state = { kind: 'running' };
    throw error;
  } finally {
    changed.checking = false;
  }
  // TypeScript does not see that the calls above have changed it.
  const state = call.state as ActiveCall['state'];
  if (state.kind === 'finished') {
    changed.refused = true;
    return { kind: 'done', outcome: state.outcome };
  }
  const { event } = call;
  if (json !== undefined) passed.set(json, { event, request: undefined });
  call.begin();
  call.event = event;
  return { kind: 'run', input: call.input };
}

/** Schema, guards, and approval where it is required. */
async function check(
  call: ActiveCall,
  { approval, ...event }: BeforeToolCall,
  input: unknown,
): Promise<void> {
  // A grant was for the input that its hook saw.
  call.event = approval?.kind === 'required' ? { ...event, approval } : event;
  const decision = await replaceInput(call, input);
  if (decision.kind === 'block') return blocked(call, decision);
  if (decision.kind === 'modify') call.event = Object.freeze({ ...call.event, ...decision.patch });
  await approve(call);
}
