import {
  type Hooks,
  MaxIterations,
  Notification,
  Stop,
  TurnEnd,
  type TurnEndReason,
  TurnStart,
} from '@hooks/core';
import type { AgentAttachment } from '../attach.ts';
import type { NativeStop } from '../native.ts';
import type { AgentRun } from './agent-run.ts';
import type { RunOptions } from '../agent.ts';
import { newestObject } from './continued.ts';

/** What all events of a turn carry. */
export function turnEvent(run: AgentRun): TurnPlace & { readonly iteration: number } {
  return { ...placeOf(run), iteration: run.turn ?? 1 };
}

/** Where something happens in a turn. */
interface TurnPlace {
  readonly session: AgentRun['session'];
  readonly run: string;
  readonly agent: string;
  readonly turn: string;
}

function placeOf({ session, id, agent, turn = 1 }: AgentRun): TurnPlace {
  return { session, run: id, agent, turn: `${id}:${turn}` };
}

/** A model call is next: the turn of that number begins, and the one before is over. */
export async function startTurn(hooks: Hooks, run: AgentRun, iteration: number): Promise<void> {
  if (run.turn === iteration) return;
  await endTurn(hooks, run, 'continue');
  run.turn = iteration;
  await hooks.dispatch(TurnStart, turnEvent(run), { signal: run.signal });
}

/** The open turn is over. */
export async function endTurn(hooks: Hooks, run: AgentRun, reason: TurnEndReason): Promise<void> {
  if (run.turn === undefined) return;
  const event = turnEvent(run);
  run.turn = undefined;
  await hooks.dispatch(TurnEnd, { ...event, reason });
}

type OnIterationComplete = NonNullable<RunOptions['onIterationComplete']>;
type IterationContext = Parameters<OnIterationComplete>[0];

/**
 * Ends the run where a hook wants it to end, and asks the Stop hooks when the model has finished answering, or tells that the
 * limit is reached; the user's own callback is kept.
 */
export function afterIteration(
  { hooks, settings: { maxContinuations = 3 } }: AgentAttachment,
  run: AgentRun,
  theirs: OnIterationComplete | undefined,
): OnIterationComplete {
  return async (context) => {
    await run.approvals?.settle();
    const answer = await theirs?.(context);
    if (run.stop !== undefined) return { continue: false }; // with feedback Mastra would call the model once more
    if (!context.isFinal || answer?.continue === true) return answer;
    if (isAtLimit(run, context)) await maxIterations(hooks, run, context.iteration);
    // `isFinal` is true of an abort, an error and a tripwire, too.
    if (context.finishReason !== 'stop') return answer;
    const { lastUserMessage, continuations } = run;
    run.object = newestObject(context);
    const decision = await hooks.dispatch(
      Stop,
      {
        ...placeOf(run),
        response: context.text,
        continuations,
        ...(lastUserMessage !== undefined && { lastUserMessage }),
        native: { context } satisfies NativeStop,
      },
      { signal: run.signal },
    );
    if (decision.kind !== 'retry' || continuations >= maxContinuations) return answer;
    run.continuations++;
    run.steer = decision.reason;
    run.lastUserMessage = decision.reason;
    return { ...answer, continue: true };
  };
}

/** Whether it is the limit that ends the run, after tool calls that the model was to read the results of. */
function isAtLimit({ limit, signal }: AgentRun, { finishReason, iteration }: IterationContext): boolean {
  return finishReason === 'tool-calls' && limit !== undefined && iteration >= limit && !signal?.aborted;
}

async function maxIterations(hooks: Hooks, run: AgentRun, iterations: number): Promise<void> {
  const message = `The agent reached its limit of ${iterations} iterations.`;
  const event = { ...placeOf(run), message };
  await hooks.dispatch(MaxIterations, { ...event, maxIterations: iterations });
  await hooks.dispatch(Notification, { ...event, level: 'warning' });
  await endTurn(hooks, run, 'continue');
}
