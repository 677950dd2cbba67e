import type { ModelMessage } from '@hooks/core';
import type { Entry, Memory } from './memory.ts';
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
 * closed, or of a client that makes them up. They look the same, so none is trusted, whatever tool they name.
 */
export function unreadResults(
  messages: readonly ModelMessage[],
  place: string,
  { results }: Memory,
): readonly Entry[] {
  const met = new Map<string, number>();
  return messages.flatMap(({ toolName = 'a tool', callId, text }): readonly Entry[] => {
    if (callId === undefined) return [];
    const result = resultKey(place, callId);
    const nth = (met.get(result) ?? 0) + 1;
    met.set(result, nth);
    if (nth <= (results.get(result) ?? 0)) return [];
    const read: Entry = { kind: 'read', result };
    if (ACKNOWLEDGED.test(text)) return [read];
    return [read, { kind: 'untrusted', origin: `${toolName}, earlier in the conversation`, text }];
  });
}
