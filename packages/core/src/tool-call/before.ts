import { answerFrom } from '../approval/answer-from.ts';
import type { Resumed } from '../approval/approval.ts';
import type { Concealed } from '../conceal.ts';
import { type Block, type HookDecision, patchOf } from '../decision.ts';
import { defined } from '../defined.ts';
import { chainOf } from '../dispatch/chain.ts';
import type { PipelineOptions } from '../dispatch/dispatch.ts';
import { seal } from '../dispatch/seal.ts';
import { BeforeExecute, BeforeToolCall } from '../event/catalogue/tool.ts';
import { canonicalName } from '../match.ts';
import { type ActiveCall, shownResumed } from './active-call.ts';
import {
  approve,
  cancel,
  changesInput,
  failedAnswer,
  Grant,
  refuse,
  takeAnswer,
  takeResumed,
} from './approve.ts';
import { checkForHooks, checkInput, misfit, revealed } from './input.ts';
import { rename } from './rename.ts';
import { aborted, conclude, type Ending, refused } from './result.ts';
import type { InvalidInput } from './types.ts';

/**
 * The first half of a call: session, schema, hooks and guards, approval. A paused call continues where it stopped.
 *
 * @param given a person's decision; hooks see only one from another process
 */
export async function begin(
  call: ActiveCall,
  given: Resumed | undefined = call.described.resumed,
): Promise<void> {
  const resumed = given === undefined ? undefined : resumedFrom(call, given);
  if (call.state.kind === 'new') call.described = { ...call.described, resumed };
  if (call.state.kind === 'waiting' && resumed?.decision === 'deny') return takeAnswer(call, resumed);
  if (call.lapsed !== undefined) return lapse(call, call.lapsed);
  if (call.state.kind === 'waiting' && resumed !== undefined) return takeResumed(call, resumed);
  if (call.state.kind !== 'new') return;
  for (const { session } of call.members) await session.open(call.event.principal);
  call.identify();
  // It is final: no hook runs that could lift it.
  if (resumed?.decision === 'deny') return takeAnswer(call, resumed);
  if (resumed !== undefined && !call.described.callId) return refuseWithoutId(call);
  if (call.problem !== undefined && call.concerned)
    return conclude(call, misfitting({ message: `The input cannot be shown as JSON: ${call.problem}.` }));
  const chain = call.chain(BeforeToolCall);
  const typed = chain.deciders.filter(({ schema, onFailure }) => schema && onFailure !== 'proceed');
  const invalid = call.check && (await checkInput(call.check, call.input));
  if (invalid) return conclude(call, misfitting(invalid));
  const unfit = typed.length > 0 ? await checkForHooks(call, typed) : undefined;
  if (unfit) return conclude(call, { ...misfitting(unfit), by: unfit.by });
  const decision = await call.askChain(chain, call.event, beforeRules(call));
  return decision.kind === 'block' ? blocked(call, decision) : approve(call);
}

/** A person's decision, read once. The cancellation of a call is a no to it. */
function resumedFrom(call: ActiveCall, given: Resumed): Resumed {
  const answer = answerFrom(given);
  if (typeof answer === 'string') return failedAnswer(call, answer);
  return { ...answer, decision: answer.decision === 'canceled' ? 'deny' : answer.decision };
}

/** A call whose input does not fit a schema. */
function misfitting({ message, error = new Error(message) }: InvalidInput): Ending {
  return { status: 'error', ran: false, error, code: 'INVALID_INPUT' };
}

/** The id that this call gets here is not the one that a person approved. Such an answer would run the call each time it arrives. */
function refuseWithoutId(call: ActiveCall): Promise<void> {
  const reason =
    'Blocked: a person approved a call without an id in another process, and nobody can tell whether that call has run. Approve it in the process that runs it, or use a model that gives its calls ids.';
  return cancel(call, reason);
}

/** Ends a paused call that a hook renamed to a tool which may not run in its place any more. */
function lapse(call: ActiveCall, why: string): Promise<void> {
  const reason = `Blocked: a hook replaced the tool before the call paused, and now ${why}.`;
  return call.state.kind === 'waiting' ? cancel(call, reason) : refused(call, 'blocked', { reason });
}

/** Ends a call that a hook blocked before it ran. */
export async function blocked(call: ActiveCall, decision: Block): Promise<void> {
  const { signal } = call;
  // A hook that fails when its signal fires has not refused the call: the run is over.
  if (decision.failed && signal?.aborted) return aborted(call, signal.reason);
  return refuse(call, 'blocked', decision);
}

/** Asks `BeforeExecute` hooks, once, when the call is about to run. A call that they block is over. */
export async function admit(call: ActiveCall): Promise<void> {
  if (call.admitted) return;
  call.admitted = true;
  const chain = call.chain(BeforeExecute);
  if (chain.empty) return;
  call.executionId = crypto.randomUUID();
  return obey(
    call,
    await call.askChain(chain, toExecute(call), {
      refuse: (changes) =>
        'execute' in patchOf(changes) && call.capabilities.route !== true
          ? 'the call cannot be run elsewhere here'
          : undefined,
      final(changed) {
        const { execute, idempotencyKey } = changed as BeforeExecute;
        if (execute !== undefined && call.answer === undefined) call.change({ execute });
        call.idempotencyKey = idempotencyKey;
      },
    }),
  );
}

/** Asks the guards of `BeforeExecute` about an input that has changed since they let the call run. */
export async function readmit(call: ActiveCall): Promise<void> {
  const { spec, deciders } = call.chain(BeforeExecute);
  const guards = deciders.filter(({ info }) => info.verb === 'guard');
  if (guards.length === 0) return;
  call.executionId ??= crypto.randomUUID();
  const event = Object.freeze({ ...toExecute(call), rechecked: true });
  return obey(call, await call.askChain(chainOf(spec, guards), event));
}

function toExecute(call: ActiveCall): BeforeExecute {
  const { idempotencyKey, executionId } = call;
  const { resumed, approvalId } = call.described;
  const { execute } = call.event;
  return call.tell(BeforeExecute.type, {
    ...defined({
      executionId,
      resumed: resumed && seal(shownResumed(resumed)),
      approvalId,
      execute,
      idempotencyKey,
    }),
  });
}

async function obey(call: ActiveCall, decision: HookDecision): Promise<void> {
  if (decision.kind !== 'block') return;
  const { signal } = call;
  if (decision.failed && signal?.aborted) return aborted(call, signal.reason);
  return refused(call, 'blocked', decision);
}

/** What BeforeToolCall hooks may do to this call. */
function beforeRules(call: ActiveCall): PipelineOptions {
  const grant = new Grant();
  /** What hooks concealed for the tool before it was replaced: the new one does not get those values. */
  let lapsed: Concealed | undefined;
  return {
    refuse(decision, event) {
      const patch: Partial<BeforeToolCall> = patchOf(decision);
      const { execute, concealed, toolName, approval } = patch;
      if (concealed !== undefined && call.capabilities.route !== true)
        return 'another program runs the tool here, and would show the values';
      if (execute !== undefined && call.capabilities.route !== true)
        return 'the call cannot be run elsewhere here';
      const { target } = call;
      const why = toolName === undefined ? undefined : rename(call, toolName, event as BeforeToolCall);
      if (why !== undefined) return why;
      if (call.target !== target) lapsed = (event as BeforeToolCall).concealed;
      grant.note(approval, call.target !== target || changesInput(patch, event as BeforeToolCall));
      return undefined;
    },
    rechain(event) {
      const { tool: _, native: _native, concealed, ...about } = event as BeforeToolCall;
      const { targetName: renamedTo } = call;
      const { tool, native } = call.target ?? call.event;
      const toolName = canonicalName(nativeName(call), call.outermost.internal.options);
      return {
        event: Object.freeze({
          ...about,
          toolName,
          ...defined({ tool, native, renamedTo, concealed: concealed === lapsed ? undefined : concealed }),
        }),
        chain: call.chain(BeforeToolCall),
      };
    },
    forGuards: revealed,
    verify(event) {
      const { input, concealed } = event as BeforeToolCall;
      const isChecked = input === call.sent && call.target === undefined && concealed === undefined;
      return isChecked ? undefined : misfit(call, event as BeforeToolCall);
    },
    final(event) {
      const { approval, ...about } = event as BeforeToolCall;
      const stands = approval?.kind === 'required' ? approval : grant.granted;
      call.event = Object.freeze({ ...about, ...defined({ approval: stands }) });
    },
  };
}

function nativeName({ targetName, event }: ActiveCall): string {
  return targetName ?? event.nativeToolName;
}
