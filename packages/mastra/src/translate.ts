import type { ToolCallOutcome } from '@hooks/core';
import { BlockedError, blockReasonWith, joinParts, spreadParts } from '@hooks/core/adapter';
import type { MastraDBMessage } from '@mastra/core/agent';
import { mastraDBMessageToSignal } from '@mastra/core/signals';
import type { ValidationError } from '@mastra/core/tools';
import { isSent } from './internals.ts';

/** A failure that Mastra returns instead of throwing: an input or output that does not fit the tool's schema. */
export class ReturnedError extends Error {
  readonly value: ValidationError;

  constructor(value: ValidationError, message: string = value.message) {
    super(message);
    this.value = value;
  }
}

/**
 * The same as a tool has returned it. What a server sent may look like it, so the text has all that the model reads.
 *
 * @throws TypeError where JSON cannot show it
 */
export function returnedByTool(value: ValidationError): ReturnedError {
  const { error: _mark, message, ...rest } = value;
  const isText = typeof message === 'string';
  const all = isText ? `${message}\n${JSON.stringify(rest)}` : JSON.stringify(value);
  return new ReturnedError(value, all);
}

/** How a call ended, in Mastra's form: a value, or a throw. */
export function deliver(outcome: ToolCallOutcome): unknown {
  const { status, output, error } = outcome;
  if (status === 'ok') return output;
  if (status !== 'error') throw new BlockedError(outcome);
  if (error instanceof ReturnedError) return error.value;
  throw error;
}

/** The text of a message. A message without text parts has its text beside them. */
export function promptText(message: MastraDBMessage): string {
  if (isSent(message)) return sentText(message);
  const { content } = message;
  return joinParts(content.parts, '\n') || (content.content ?? '');
}

/** The text of a message that was sent, as the model reads it: Mastra writes into it what stands beside the parts. */
function sentText(message: MastraDBMessage): string {
  const { content } = mastraDBMessageToSignal(message).toLLMMessage();
  if (typeof content === 'string') return content;
  return joinParts(content, '\n');
}

/** The message with another text. Other parts stay. */
export function withPrompt(message: MastraDBMessage, text: string): MastraDBMessage {
  const { parts, metadata } = message.content;
  return {
    ...message,
    content: {
      ...message.content,
      content: text,
      parts: spreadParts(parts, text, '\n'),
      ...(isSent(message) && { metadata: { ...metadata, signal: userSignal(metadata?.['signal']) } }),
    },
  };
}

/** What stands beside a message that was sent, without what Mastra would write into its text. */
function userSignal(signal: unknown): object {
  const { contents: _contents, attributes: _attributes, ...rest } = Object(signal);
  return { ...rest, type: 'user', tagName: 'user' };
}

/**
 * The reason for which a call was blocked or denied, or a prompt refused, from an agent's result or from the error of
 * a hooked tool. Undefined if nothing was refused.
 *
 * @example
 * ```ts
 * const result = await agent.generate('Delete everything.');
 * console.log(blockReason(result) ?? result.text);
 * ```
 */
export const blockReason: (resultOrError: unknown) => string | undefined = blockReasonWith(
  ({ tripwire }: { readonly tripwire?: unknown }) => {
    const { reason }: { readonly reason?: unknown } = Object(tripwire);
    return typeof reason === 'string' ? reason : undefined;
  },
);
