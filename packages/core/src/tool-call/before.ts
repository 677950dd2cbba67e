import type { Resumed } from '../approval/approval.ts';
import type { Block, HookDecision } from '../decision.ts';
import type { BeforeToolCall } from '../event/catalogue/tool.ts';
import { canonicalName, namesOf } from '../match.ts';
import { after } from '../thenable.ts';
import { announce, announceRefusal, approve, run } from './approve.ts';
import { callChains } from './chains.ts';
import { misfit, unfit } from './check.ts';
import type { Flight } from './flight.ts';
import { aborted, conclude, refused } from './result.ts';
import type { Rules } from './rules.ts';
import type { BegunStep } from './step.ts';
import type { InvalidInput, ToolCallOutcome } from './types.ts';

/** The first half of a call: session, schema, hooks and guards, approval. A call that paused goes on where it was. */
export function begin(flight: Flight): BegunStep | PromiseLike<BegunStep> {
  if (flight.request !== undefined) return { status: 'ask' };
  if (flight.cleared) return run(flight);
  const opened = flight.session.open();
  return opened === undefined ? checkInput(flight) : opened.then(() => checkInput(flight));
}

function checkInput(flight: Flight): BegunStep | PromiseLike<BegunStep> {
  const { resumed, input } = flight.described;
  if (resumed?.decision === 'deny') return denied(flight, resumed);
  const { check } = flight;
  if (check === undefined) return askBefore(flight);
  return after(unfit(check, input), (invalid) =>
    invalid === undefined ? askBefore(flight) : invalidInput(flight, invalid),
  );
}

/** A person's no is final: no hook is asked whether it may be lifted. */
function denied(
  flight: Flight,
  { reason = 'A person did not approve this call.' }: Resumed,
): BegunStep | PromiseLike<BegunStep> {
  return after(announce(flight, 'deny', 'user_rejected', reason), () =>
    refused(flight, 'denied', { reason }),
  );
}

function invalidInput(flight: Flight, { message, error }: InvalidInput): BegunStep | PromiseLike<BegunStep> {
  const outcome = {
    status: 'error',
    ran: false,
    error: error ?? new Error(message),
    code: 'INVALID_INPUT',
  } as const;
  return conclude(flight, outcome) as ToolCallOutcome | PromiseLike<ToolCallOutcome>; // what did not run cannot be wanted again
}

function askBefore(flight: Flight): BegunStep | PromiseLike<BegunStep> {
  if (flight.chains.before.empty) return approve(flight);
  const decision = flight.ask(flight.chains.before, flight.event, beforeRules);
  return 'kind' in decision ? take(flight, decision) : decision.then((settled) => take(flight, settled));
}

function take(flight: Flight, decision: HookDecision): BegunStep | PromiseLike<BegunStep> {
  return decision.kind === 'block' ? blocked(flight, decision) : approve(flight);
}

/** A call that a hook has blocked before it ran. */
export function blocked(flight: Flight, decision: Block): BegunStep | PromiseLike<BegunStep> {
  const { signal } = flight;
  // A hook that fails when its signal fires has not refused the call: the run is over.
  if (decision.failed && signal?.aborted) return aborted(flight, signal.reason);
  return after(announceRefusal(flight, decision), () => refused(flight, 'blocked', decision));
}

/** What BeforeToolCall's hooks may do to this very call. */
const beforeRules: Rules = {
  refuse(flight, decision, event) {
    if (decision.kind !== 'modify') return undefined;
    const { can } = flight;
    const { execute, toolName } = decision.patch as Partial<BeforeToolCall>;
    if (execute !== undefined && can.route !== true) return 'the call cannot be run elsewhere here';
    const names = flight.internal.options;
    const now = canonicalName((event as BeforeToolCall).toolName, names);
    if (toolName === undefined || canonicalName(toolName, names) === now) return undefined;
    if (flight.target !== undefined) return 'the tool was changed once already';
    if (can.rename === undefined) return 'the tool cannot be changed here';
    // A policy writes the user's name for a tool; the framework may know it by another.
    let why: string | undefined;
    for (const name of new Set(namesOf(toolName, names))) {
      const target = can.rename(name);
      if (typeof target === 'object') {
        flight.target = target;
        return undefined;
      }
      why ??= target;
    }
    return why;
  },

  final(flight, event) {
    const call = event as BeforeToolCall;
    const chains = callChains(flight.internal, call.toolName);
    flight.event = { ...call, toolName: chains.toolName };
    flight.chains = chains;
  },

  verify(flight, event) {
    const { input } = event as BeforeToolCall;
    const untouched = input === flight.described.input && flight.target === undefined;
    return untouched ? undefined : misfit(flight, input);
  },
};
