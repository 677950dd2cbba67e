import { SubagentStart, SubagentStop, type TurnEndReason } from '@hooks/core';
import { forgetRun } from '@hooks/core/adapter';
import { turnEndOf } from '@hooks/core/tool-call';
import { hasWaiting } from '../approval/pending-calls.ts';
import type { Invocation } from '../tool/definition.ts';
import { parseInput } from '../translate.ts';
import { common, inScope, openScope, type Scope } from './scope.ts';
import { endTurn } from './turn.ts';
import { checkModelCalls } from './unhooked-run.ts';

/** The run of an agent as a tool was interrupted: the SDK will invoke the tool again with the state of that run. */
export class SubagentPaused extends Error {
  readonly output: unknown;

  constructor(output: unknown) {
    super('The run of the agent as a tool was interrupted.');
    this.output = output;
  }
}

/**
 * Runs an agent as a tool in a scope and a session of its own. `SubagentStart` is fired when the agent is known, see
 * {@link announceSubagent}.
 *
 * @throws SubagentPaused
 */
export async function runSubagent(
  scope: Scope,
  { context, input, details }: Invocation,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const callId = details?.toolCall?.callId ?? crypto.randomUUID();
  const source = details?.resumeState === undefined ? 'startup' : 'resume';
  const known = scope.children?.get(callId);
  const open = known?.session.state !== 'closed' && known;
  const child = open || childOf(scope, callId, parseInput(input), source);
  child.context = undefined;
  if (child.inside !== undefined) child.inside.context = context;
  child.signal = details?.signal;
  let paused = false;
  let response: string | undefined;
  try {
    const given = await inScope(child, run);
    paused = child.ended === undefined && (given === '' || hasWaiting(child));
    // One that is taken up again may end without another model call, and one that fails without any.
    if ((paused || child.ended === 'normal') && details?.resumeState === undefined) checkModelCalls(child);
    if (paused) throw new SubagentPaused(given);
    // Of a run that a hook has ended the SDK may make an error: where its output was to be structured, or it had to reject.
    const output = child.stop ?? given;
    response = typeof output === 'string' ? output : JSON.stringify(output);
    return output;
  } finally {
    if (!paused) await endSubagent(scope, callId, child, endOf(child), response);
  }
}

/** The run of an agent as a tool is over, however it ended; `SubagentStop` is fired in the parent's session. */
export async function endSubagent(
  scope: Scope,
  callId: string,
  child: Scope,
  reason: TurnEndReason,
  response = '',
): Promise<void> {
  const { session, run, subagent, lastUserMessage } = child;
  if (subagent !== undefined)
    await scope.attached.hooks.dispatch(SubagentStop, {
      ...common(scope),
      subagent,
      subagentSession: session.id,
      response,
      ...(lastUserMessage !== undefined && { lastUserMessage }),
    });
  child.over = true;
  scope.children?.delete(callId);
  await Promise.all(child.pending.splice(0));
  await endTurn(child, reason);
  forgetRun(session, run);
  await session.close();
}

/** How the last turn has ended: of a run that failed the SDK tells by a text only, which is made of the error. */
function endOf({ stop, stopBy, signal, ended }: Scope): TurnEndReason {
  if (stop !== undefined) return turnEndOf(stopBy);
  if (signal?.aborted === true) return 'canceled';
  return ended ?? 'error';
}

function childOf(scope: Scope, callId: string, input: unknown, source: 'startup' | 'resume'): Scope {
  const { attached } = scope;
  const session = attached.hooks.session(undefined, { parent: scope.session, source });
  const child = openScope(attached, session, session.id, { scope, callId, context: undefined });
  child.lastUserMessage = kickOff(input);
  scope.children ??= new Map();
  scope.children.set(callId, child);
  return child;
}

/** The text that an agent as a tool begins with: `input` of its default parameters, else all of them. */
function kickOff(input: unknown): string {
  const text: unknown =
    typeof input === 'object' && input !== null && 'input' in input ? input.input : undefined;
  return typeof text === 'string' ? text : JSON.stringify(input);
}

/** Fires `SubagentStart` in the parent's session, once, when the SDK first asks the sub-agent for its tools. */
export async function announceSubagent(child: Scope, parent: Scope, name: string): Promise<void> {
  if (child.subagent !== undefined) return;
  child.subagent = name;
  await parent.attached.hooks.dispatch(SubagentStart, {
    ...common(parent),
    subagent: name,
    subagentSession: child.session.id,
  });
  await child.session.open();
}
