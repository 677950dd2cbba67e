import { AfterModelCall, BeforeModelCall } from '@hooks/core';
import type { RunEnd } from '@hooks/core/adapter';
import type { Invocation } from '../internals.ts';
import { parseInput } from '../translate.ts';
import { HookedRun, inRun } from './hooked-run.ts';

/** The run of an agent as a tool was interrupted: the SDK will invoke the tool again with the state of that run. */
export class SubagentPaused extends Error {
  readonly output: unknown;

  constructor(output: unknown) {
    super('The run of the agent as a tool was interrupted.');
    this.output = output;
  }
}

/**
 * Runs an agent as a tool in a run of its own, which begins when the SDK asks the agent for its tools: only then it is known which
 * agent it is.
 *
 * @throws SubagentPaused
 */
export async function runSubagent(
  run: HookedRun,
  { context, input, details }: Invocation,
  act: () => Promise<unknown>,
): Promise<unknown> {
  const callId = details?.toolCall?.callId ?? crypto.randomUUID();
  const resumed = details?.resumeState !== undefined;
  const known = run.agentTools.get(callId);
  const child = known?.session.state === 'closed' ? undefined : known;
  const running =
    child ??
    new HookedRun(run.hookedBy, {
      parent: run,
      parentCallId: callId,
      single: run.single,
      source: resumed ? 'resume' : 'startup',
    });
  if (child === undefined) running.lastUserMessage = kickOff(parseInput(input));
  run.agentTools.set(callId, running);
  running.context = undefined;
  running.outerContext = context;
  running.signal = details?.signal;
  running.pausedAs = run.pausedAs;
  let paused = false;
  let response: string | undefined;
  try {
    const given = await inRun(running, act);
    paused =
      running.ended === undefined &&
      (given === '' || running.all.some(({ pending }) => pending.waiting.length > 0));
    // A resumed run may end without another model call, and a failed one without any.
    if ((paused || running.ended === 'normal') && !resumed) checkModelCalls(running);
    if (paused) throw new SubagentPaused(given);
    // Of a run that a hook has ended the SDK may make an error: where its output was to be structured, or it had to reject.
    const output = running.stop === undefined ? given : running.stop.reason;
    response = typeof output === 'string' ? output : JSON.stringify(output);
    return output;
  } finally {
    if (!paused) await endSubagent(run, callId, running, { kind: 'done', response });
  }
}

/**
 * An agent as a tool can have its own model or provider, which is not visible here; the only sign is that none of its
 * model calls passed. Its answer is withheld if hooks might have refused it.
 */
function checkModelCalls({ hookedBy, iteration, agent }: HookedRun): void {
  if (iteration > 0) return;
  hookedBy.refuseUnasked(
    { points: [BeforeModelCall, AfterModelCall], agent },
    `the agent "${agent}" as a tool with a model of its own (\`runConfig\`)`,
    "give the model to the agent, or the provider to the parent's runner",
  );
}

/** Ends the agents as tools that still wait for a person in a run that is over, since another call of the turn has failed, say. */
export async function giveUp(run: HookedRun): Promise<void> {
  for (const [callId, child] of run.agentTools) {
    await giveUp(child);
    await endSubagent(run, callId, child, { kind: 'canceled' });
  }
}

async function endSubagent(run: HookedRun, callId: string, child: HookedRun, end: RunEnd): Promise<void> {
  run.agentTools.delete(callId);
  if (!child.begun) {
    child.over = true;
    return child.close();
  }
  // Of a run that failed the SDK tells by a text only, which is made of the error.
  const failed = end.kind === 'done' && child.ended !== 'normal' && child.stop === undefined;
  if (failed) await child.endTurn(child.signal?.aborted === true ? 'canceled' : 'error');
  await child.end(end);
}

/** The text that an agent as a tool begins with: `input` of its default parameters, else all of them. */
function kickOff(input: unknown): string {
  const text: unknown =
    typeof input === 'object' && input !== null && 'input' in input ? input.input : undefined;
  return typeof text === 'string' ? text : JSON.stringify(input);
}
