import type { ModelMessage } from '@hooks/core';

/** The calls that a message makes, or the call that it is the result of. */
export type Known = { readonly [Name in 'calls' | 'callId' | 'toolName']: ModelMessage[Name] | undefined };

/** Calls without a result, and results without a call, each with the index of its message. */
export interface Pairs {
  readonly open: readonly { readonly at: number; readonly callId: string; readonly toolName: string }[];
  readonly orphans: readonly {
    readonly at: number;
    readonly callId: string;
    readonly toolName: string | undefined;
  }[];
}

/**
 * Pairs calls and results. A result belongs to the latest call before it with its id, and a call has one result.
 * @param known the names of messages whose hooks have left them out, by `native`
 */
export function pairsOf(messages: readonly ModelMessage[], known: WeakMap<object, Known>): Pairs {
  const waiting = new Map<string, { at: number; callId: string; toolName: string }[]>();
  const orphans: { at: number; callId: string; toolName: string | undefined }[] = [];
  for (const [at, message] of messages.entries()) {
    const { calls = [], callId, toolName } = namesOf(message, known);
    for (const call of calls)
      waiting.set(call.callId, [...(waiting.get(call.callId) ?? []), { at, ...call }]);
    if (message.role !== 'tool' || callId === undefined) continue;
    const made = waiting.get(callId);
    if (made?.pop() === undefined) orphans.push({ at, callId, toolName });
  }
  const open = [...waiting.values()].flat().sort((a, b) => a.at - b.at);
  return { open, orphans };
}

function namesOf(message: ModelMessage, known: WeakMap<object, Known>): Partial<Known> {
  const { native } = message;
  const own = typeof native === 'object' && native !== null ? known.get(native) : undefined;
  return own ?? message;
}
