import type { ModelMessage } from '@hooks/core';
import type { Entry, Memory } from './memory.ts';
import { visibleName } from './question.ts';
import { ACKNOWLEDGED } from './sources.ts';

/**
 * Names a result in a conversation. A sub-agent's calls may have the ids of its parent's.
 *
 * @param place the sub-agent, empty for the agent itself
 */
export function resultKey(place: string, callId: string): string {
  return JSON.stringify([place, callId]);
}

/**
 * What a history has of results that nobody in this conversation has read: those of another process, of a session that was
 * closed, or of a client that makes them up or replaces their text. They look the same, so none is trusted, whatever tool they name.
 *
 * @param own results of this run that no model call has had yet. Frameworks may write them in forms of their own.
 */
export function unreadResults(
  messages: readonly ModelMessage[],
  place: string,
  own: ReadonlySet<string>,
  memory: Memory,
): readonly Entry[] {
  const met = new Map<string, number>();
  return messages.flatMap(({ toolName = 'a tool', callId, text }): readonly Entry[] => {
    if (callId === undefined) return [];
    const result = resultKey(place, callId);
    const nth = (met.get(result) ?? 0) + 1;
    met.set(result, nth);
    const untrusted: Entry = {
      kind: 'untrusted',
      origin: `${visibleName(toolName)}, earlier in the conversation`,
      text,
    };
    const isRead = nth <= memory.timesRead(result);
    // Once something else was read, another text changes nothing.
    if (isRead && (memory.touched !== undefined || memory.hasShown(result, text))) return [];
    if (isRead && own.has(result)) return [{ kind: 'shown', result, text }];
    // Of a call that nobody made here, others wrote the input, too.
    if (!isRead) return [{ kind: 'read', result, text }, untrusted];
    const shown: Entry = { kind: 'shown', result, text };
    return ACKNOWLEDGED.test(text) ? [shown] : [shown, untrusted];
  });
}
