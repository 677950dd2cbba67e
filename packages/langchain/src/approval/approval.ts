import { type Approver, type Hooks, type Resumed, UserInputRequired } from '@hooks/core';
import { isPaused } from '@hooks/core/adapter';
import type { ToolCall } from '@hooks/core/tool-call';
import type { BlockMark } from '../blocked.ts';
import type { ToolHookOptions } from '../options.ts';
import { PAUSED, type Whereabouts } from '../run/run.ts';
import { isControlFlow } from '../tool/result.ts';
import { answerFor, canceled, fits, type NativeAnswer, resumedWith, takenOf, toResumed } from './answers.ts';
import { noteAsked, settledAnswers } from './asked.ts';
import type { ApprovalInterrupt } from './pending.ts';

/** The part of LangGraph's config by which a node waits for a person. */
export type Pausable = Whereabouts & { readonly interrupt?: ((value: unknown) => unknown) | undefined };

/** How a call is approved at its place. */
export interface ApprovalSeat {
  readonly approval: Approver | 'deny' | undefined;
  /** A decision that was made before this process knew the call. */
  readonly resumed: Resumed | undefined;
  /** A yes from before is one to what the person was shown: what hooks make of the call since needs another. */
  readonly needsApproval: string | undefined;
}

/** A call whose approval is sought. */
export type ApprovableCall = Pick<ToolCall, 'callId' | 'toolName' | 'input'> & Place;

/** Where a call is made. */
type Place = Pick<ToolCall, 'session' | 'agent' | 'run' | 'turn'>;

/** What the call's agent knows of it. */
interface Circumstances {
  /** What a person has said before the call came to its tool, where this process may not know of it. */
  readonly said?: NativeAnswer | undefined;
  /** Asked before a person is: why the run is to end, if so. */
  readonly runEnds?: (() => Promise<BlockMark | undefined>) | undefined;
}

/**
 * Who approves a call, and what a person has said of it already.
 *
 * @param call without an id where an answer could not name it
 */
export function seatApproval(
  approval: ToolHookOptions['approval'],
  hooks: Hooks,
  call: ApprovableCall,
  config: Pausable | undefined,
  { said, runEnds }: Circumstances = {},
): ApprovalSeat {
  const { session, callId } = call;
  if (approval !== 'native') return { approval, ...after(said) };
  const { interrupt } = config ?? {};
  if (interrupt === undefined || config?.configurable?.['__pregel_checkpointer'] === undefined)
    return { approval: denyUnpausable, ...after(said) };
  if (callId === undefined) return { approval: denyUnnamed, ...unanswered };
  const taken = takeAnswers(callId, config, interrupt);
  const answers = taken.length === 0 && said !== undefined ? [said] : taken;
  const remembered = isPaused(hooks, { ...call, callId });
  const counting = settledAnswers(session, callId, answers);
  return {
    approval: askByInterrupt(hooks, call, interrupt, counting, runEnds),
    ...(remembered ? unanswered : after(answers.at(-1))),
  };
}

/** Whether a person has answered for a call: that counts, also where no hook concerns the call any longer. */
export function isAnswered(
  approval: ToolHookOptions['approval'],
  callId: string | undefined,
  config: Pausable | undefined,
): boolean {
  if (approval !== 'native' || callId === undefined) return false;
  return resumedWith(config).some((value) => answerFor(value, callId) !== undefined);
}

const unanswered = { resumed: undefined, needsApproval: undefined };

function after(answer: NativeAnswer | undefined): Pick<ApprovalSeat, 'resumed' | 'needsApproval'> {
  if (answer === undefined) return unanswered;
  const needsApproval =
    answer.decision === 'allow' ? 'A person has approved this call as it was shown.' : undefined;
  return { resumed: toResumed(answer), needsApproval };
}

const denyUnpausable: Approver = ({ reason }) => ({
  decision: 'deny',
  reason: `Approval is required (${reason}), but this run cannot pause: it has no checkpointer.`,
  source: 'context_canceled',
});

const denyUnnamed: Approver = ({ reason }) => ({
  decision: 'deny',
  reason: `Approval is required (${reason}), but an answer could not name this call: it has no tool call id of its own.`,
  source: 'context_canceled',
});

/**
 * Interrupts the graph until there is an answer for this very call, about this very input. Of those given the newest
 * that fits counts: a person may have been asked about the call as a middleware has changed it, too. Nobody is asked
 * where a hook has ended the run.
 */
function askByInterrupt(
  hooks: Hooks,
  place: Place,
  interrupt: (value: unknown) => unknown,
  given: readonly NativeAnswer[],
  runEnds: Circumstances['runEnds'],
): Approver {
  return async (request, { signal }) => {
    const value: ApprovalInterrupt = { type: 'hooks_approval', ...request };
    let answer = given.findLast((one) => fits(one, request.hash));
    while (answer === undefined || !fits(answer, request.hash)) {
      const ended = await runEnds?.();
      if (ended !== undefined) return canceled(ended.reason);
      if (signal?.aborted) return { decision: 'canceled' }; // meanwhile; nobody is asked any more
      noteAsked(place.session, request.callId, request.hash);
      answer = answerFor(await paused(hooks, place, request.reason, () => interrupt(value)), request.callId);
    }
    return answer;
  };
}

/** What an interrupt gives; where it pauses the run, hooks are told that a person is waited for. */
export async function paused(
  hooks: Hooks,
  { session, agent, run, turn }: Place,
  message: string,
  interrupt: () => unknown,
): Promise<unknown> {
  try {
    return interrupt();
  } catch (error) {
    if (isControlFlow(error)) {
      session.set(PAUSED, true);
      await hooks.dispatch(UserInputRequired, {
        session,
        message,
        ...(agent !== undefined && { agent }),
        ...(run !== undefined && { run }),
        ...(turn !== undefined && { turn }),
      });
    }
    throw error;
  }
}

/**
 * The answers for this call among those with which the node was resumed. Interrupts are matched by their order in the
 * node, so one that was answered has to be asked again before the tool asks its own, unless others that ask in the same
 * node have done so.
 */
function takeAnswers(
  callId: string,
  config: Pausable,
  interrupt: (value: unknown) => unknown,
): readonly NativeAnswer[] {
  const values = resumedWith(config);
  const at = values.findLastIndex((value) => answerFor(value, callId) !== undefined);
  for (let index = takenOf(config); index <= at; index++) interrupt(undefined);
  return values.flatMap((value) => answerFor(value, callId) ?? []);
}
