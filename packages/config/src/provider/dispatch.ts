import { type EventPayload, type HookDecision, type Hooks, proceed } from '@hooks/core';
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
  return hooks.dispatch<EventPayload, HookDecision, never>({ ...point, type: as }, payload);
}
