import { type ApprovalRequest, canonicalJson } from '../approval/approval.ts';
import { HooksError } from '../error.ts';
import type { BeforeToolCall } from '../event/catalogue/tool.ts';
import type { ExecuteOptions } from '../execute.ts';
import { approve, run } from './approve.ts';
import { blocked } from './before.ts';
import { recheck } from './check.ts';
import { Flight } from './flight.ts';
import { askPerson } from './person.ts';
import type { BegunStep } from './step.ts';
import type { CallOptions, Rechecked, ToolCallOutcome } from './types.ts';

/** What is known of a call whose input was changed while its tool ran. */
export interface Changed {
  /** The call as `execute` gets it, also when it runs again. */
  readonly from: BeforeToolCall;
  /** What hooks have let pass, in this attempt or in one before, by the input as text: nobody is asked about it twice. */
  readonly passed: Map<string | undefined, Passed>;
  /** The call is over: whatever `execute` gives, this is how it ended. */
  readonly refusal?: ToolCallOutcome | undefined;
}

interface Passed {
  /** The call as hooks have left it. */
  readonly event: BeforeToolCall;
  /** The call paused while a person was asked. */
  readonly request: ApprovalRequest | undefined;
}

type AskOptions = Pick<CallOptions, 'approval' | 'isControlFlow'>;

/**
 * Asks about another input while `execute` runs, because something further in (hooks of another registry, a middleware
 * of the framework) is about to have the tool called with it. It is looked at as an input that a person has changed:
 * schema, then guards; interceptors have had their say. A required approval is sought anew, since it was for another
 * input. The call stays the one that it is: its events and its outcome tell the new input from now on.
 *
 * Ask before the tool gets the input, about one input at a time, and again where `execute` runs again: what has passed
 * passes then without anybody being asked.
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
  options: AskOptions = {},
): Promise<Rechecked> {
  if (!(running instanceof Flight))
    throw new HooksError(
      'INVALID_INPUT',
      'recheckToolCall: `running` must be what callTool has given to `execute`.',
    );
  const known = running.changed?.refusal;
  if (known === undefined && !running.cleared)
    throw new HooksError(
      'INVALID_INPUT',
      `recheckToolCall: call ${running.event.callId} is over; ask while \`execute\` runs.`,
    );
  const refusal = known ?? (await refusalOf(running, input, options));
  return refusal === undefined
    ? { kind: 'run', input: running.event.input }
    : { kind: 'done', outcome: refusal };
}

/** How the call ends by that input; undefined where it may run. */
async function refusalOf(
  flight: Flight,
  input: unknown,
  options: AskOptions,
): Promise<ToolCallOutcome | undefined> {
  flight.changed ??= { from: flight.event, passed: new Map() };
  const { from, passed } = flight.changed;
  const text = textOf(input);
  const known = text === undefined ? undefined : passed.get(text);
  // What ran until here was not the tool; where it may run, its time begins then.
  flight.attempt--;
  try {
    const step = await (known === undefined ? look(flight, from, input) : goOn(flight, known));
    const answered = step.status === 'ask' ? await askPerson(flight, options) : step;
    const { event } = flight;
    if (answered.status === 'run') {
      passed.set(text, { event, request: undefined });
      return undefined;
    }
    flight.changed = { from, passed, refusal: answered };
    return answered;
  } catch (error) {
    // The framework pauses: taken up again, the call begins with `execute`, and comes here from there.
    const { event, request } = flight;
    if (request !== undefined) passed.set(text, { event, request });
    flight.request = undefined;
    flight.attempt++;
    throw error;
  }
}

/** Nobody is asked about it but the person for whom the call has paused. */
function goOn(flight: Flight, { event, request }: Passed): BegunStep | PromiseLike<BegunStep> {
  flight.event = event;
  flight.request = request;
  return request === undefined ? run(flight) : { status: 'ask' };
}

/** Schema, guards, and approval where it is required. */
async function look(
  flight: Flight,
  { approval, ...event }: BeforeToolCall,
  input: unknown,
): Promise<BegunStep> {
  // A grant was for the input that its hook saw.
  flight.event = approval?.kind === 'required' ? { ...event, approval } : event;
  const decision = await recheck(flight, input);
  if (decision.kind === 'block') return blocked(flight, decision);
  if (decision.kind === 'modify') flight.event = { ...flight.event, ...decision.patch };
  return approve(flight);
}

/** Undefined where it has no JSON form: then it is asked about each time. */
export function textOf(input: unknown): string | undefined {
  try {
    return canonicalJson(input);
  } catch {
    return undefined;
  }
}
