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
  const payload: EventPayload = { ...tool, ...fields, type: as, session };
  const point = TOKENS[as];
  const decision = await hooks.dispatch<EventPayload, HookDecision, never>({ ...point, type: as }, payload);
  return as === 'before_tool_call' ? counted(hooks, payload, decision) : decision;
}

/**
 * The agent runs the call next, and says so to nobody: what counts calls that run counts this one, also where the agent's own
 * person may still refuse it.
 */
async function counted(hooks: Hooks, payload: EventPayload, decision: HookDecision): Promise<HookDecision> {
  if (decision.kind !== 'proceed' && decision.kind !== 'modify') return decision;
  const {
    approval: _,
    context: __,
    ...changed
  } = decision.kind === 'modify' ? ({ ...decision.patch } as Fields) : {};
  const type = BeforeExecute.type;
  const call: EventPayload = { ...payload, ...changed, type };
  const counting = await hooks.dispatch<EventPayload, HookDecision, never>({ ...ABOUT_TO_RUN, type }, call);
  if (counting.kind === 'block') return counting;
  return counting.kind === 'modify' && 'execute' in counting.patch
    ? block('Blocked: a hook has answered this call, and this agent can only run it or not.')
    : decision;
}

const ABOUT_TO_RUN: (typeof TOKENS)[EventType] = BeforeExecute;

interface Fields {
  readonly approval?: unknown;
  readonly context?: unknown;
}
