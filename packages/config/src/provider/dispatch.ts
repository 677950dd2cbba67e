import { BeforeExecute, block, type EventPayload, type HookDecision, type Hooks, proceed } from '@hooks/core';
import { adoptSession } from '@hooks/core/adapter';
import type { EventData, EventType } from '../events.ts';
import { TOKENS } from './tokens.ts';

/**
 * Runs the hooks on an event of another process, which reports the session's start and end itself.
 * @param as the event to dispatch instead: a result reported as `after_tool_call` is transformed first
 */
export async function dispatchEvent(
  hooks: Hooks,
  data: EventData,
  as: EventType = data.type,
): Promise<HookDecision> {
  // The program that runs this hook has already opened the session. Do not start it again.
  const session = adoptSession(hooks, data.sessionId);
  const { fields } = data;
  if (as === 'session_end') {
    await session.close((fields['reason'] as Parameters<typeof session.close>[0]) ?? 'other');
    return proceed();
  }
  const tool =
    'toolName' in fields ? { nativeToolName: fields['toolName'], callId: fields['callId'] ?? 'call' } : {};
  const payload: EventPayload & { readonly cwd: string } = {
    ...tool,
    ...fields,
    cwd: data.cwd,
    type: as,
    session,
  };
  const point = TOKENS[as];
  const decision = await hooks.dispatch<EventPayload, HookDecision, never>({ ...point, type: as }, payload);
  return as === 'before_tool_call' ? askToExecute(hooks, payload, decision) : decision;
}

/**
 * Fires `BeforeExecute` for a call that its hooks let pass. The agent sends no event when the tool starts, so a call also counts if
 * the agent's own prompt then refuses it.
 */
async function askToExecute(
  hooks: Hooks,
  payload: EventPayload,
  decision: HookDecision,
): Promise<HookDecision> {
  if (decision.kind !== 'proceed' && decision.kind !== 'modify') return decision;
  const patch: Fields = decision.kind === 'modify' ? decision.patch : {};
  const { approval: _approval, context: _context, ...changed } = patch;
  const type = BeforeExecute.type;
  const call: EventPayload = { ...payload, ...changed, type };
  const answer = await hooks.dispatch<EventPayload, HookDecision, never>({ ...ABOUT_TO_RUN, type }, call);
  if (answer.kind === 'block') return answer;
  return answer.kind === 'modify' && 'execute' in answer.patch
    ? block('Blocked: a hook answered this call itself, and this agent can only run a call or refuse it.')
    : decision;
}

const ABOUT_TO_RUN: (typeof TOKENS)[EventType] = BeforeExecute;

interface Fields {
  readonly approval?: unknown;
  readonly context?: unknown;
}
