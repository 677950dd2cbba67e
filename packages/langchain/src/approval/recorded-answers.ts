import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { NativeAnswer } from './answers.ts';

/** What people have said of calls, by call id. */
export interface SaidOfCalls {
  readonly [callId: string]: NativeAnswer;
}

/** A field of messages that no provider is sent. */
const FIELD = 'response_metadata';
const SAID = 'hooks_said';

/**
 * A model's answer with what people have said of its calls: the node that asked them is over when the tools are called,
 * and maybe so is its process. The history has it, so whoever goes on from that knows.
 */
export function withSaid(message: AIMessage, said: SaidOfCalls): AIMessage {
  const metadata = { ...message[FIELD], [SAID]: said };
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, { [FIELD]: metadata });
}

/** Whether a model's answer tells what people have said: where nobody was asked yet, somebody made that up. */
export function tellsSaid(message: AIMessage): boolean {
  return SAID in message[FIELD];
}

/** What a person has said of a call that is to run now, by the answer of the model that it is from. */
export function saidOf(
  messages: readonly BaseMessage[],
  callId: string | undefined,
): NativeAnswer | undefined {
  const said = answerIn(messages)?.[FIELD][SAID] as SaidOfCalls | undefined;
  return said !== undefined && callId !== undefined && Object.hasOwn(said, callId) ? said[callId] : undefined;
}

/** The id of a call that is to run now, unless the model has given it to another call of its answer, too. */
export function idOfItsOwn(messages: readonly BaseMessage[], callId: string | undefined): string | undefined {
  const calls = answerIn(messages)?.tool_calls ?? [];
  return calls.filter(({ id }) => id === callId).length > 1 ? undefined : callId;
}

/** The model's answer whose calls run now. */
function answerIn(messages: readonly BaseMessage[]): AIMessage | undefined {
  return messages.findLast((one) => AIMessage.isInstance(one));
}
