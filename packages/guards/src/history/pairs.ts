import type { ModelMessage } from '@hooks/core';

/** The calls that a message makes, or the call that it is the result of. */
export type Known = { readonly [Name in 'calls' | 'callId' | 'toolName']: ModelMessage[Name] | undefined };

/** Calls without a result, results without a call, and results apart from their call, each with the index of its message. */
export interface Pairs {
  readonly open: readonly { readonly at: number; readonly callId: string; readonly toolName: string }[];
  readonly orphans: readonly {
    readonly at: number;
    readonly callId: string;
    readonly toolName: string | undefined;
  }[];
  /** Results that another message separates from the answer with their call, as a prompt that came during a pause. */
  readonly apart: readonly { readonly at: number; readonly callAt: number }[];
  /** The last result in place of each message with calls. Other parts of the answer may stand between them. */
  readonly behind: ReadonlyMap<number, number>;
}

/**
 * Pairs calls and results. A result belongs to the latest call before it with its id, and a call has one result.
 * @param known the names of messages whose hooks have left them out, by `native`
 */
export function pairsOf(messages: readonly ModelMessage[], known: WeakMap<object, Known>): Pairs {
  const waiting = new Map<string, { at: number; callId: string; toolName: string }[]>();
  const orphans: { at: number; callId: string; toolName: string | undefined }[] = [];
  const apart: { at: number; callAt: number }[] = [];
  const behind = new Map<number, number>();
  let answerAt = 0;
  for (const [at, message] of messages.entries()) {
    if (startsAnswer(message, messages[at - 1])) answerAt = at;
    const { calls = [], callId, toolName } = namesOf(message, known);
    for (const call of calls)
      waiting.set(call.callId, [...(waiting.get(call.callId) ?? []), { at, ...call }]);
    if (message.role !== 'tool' || callId === undefined) continue;
    const call = waiting.get(callId)?.pop();
    if (call === undefined) orphans.push({ at, callId, toolName });
    else if (call.at < answerAt) apart.push({ at, callAt: call.at });
    else behind.set(call.at, at);
  }
  const open = [...waiting.values()].flat().sort((a, b) => a.at - b.at);
  return { open, orphans, apart, behind };
}

/** Whether a message ends the answer before it and its results. Some frameworks send an answer as several messages. */
function startsAnswer({ role }: ModelMessage, previous: ModelMessage | undefined): boolean {
  return role !== 'tool' && !(role === 'assistant' && previous?.role === 'assistant');
}

function namesOf(message: ModelMessage, known: WeakMap<object, Known>): Partial<Known> {
  return known.get(keyOf(message)) ?? message;
}

/** What stays of a message that hooks change: the framework's object, if it has one. */
export function keyOf(message: ModelMessage): object {
  const { native } = message;
  return typeof native === 'object' && native !== null ? native : message;
}
