import type { ToolCallOutcome } from '@hooks/core';
import { BlockedError, blockReasonWith } from '@hooks/core/adapter';
import type { MastraDBMessage } from '@mastra/core/agent';
import type { ValidationError } from '@mastra/core/tools';

/** A failure that Mastra returns instead of throwing: an input or output that does not fit the tool's schema. */
export class ReturnedError extends Error {
  readonly value: ValidationError;

  constructor(value: ValidationError) {
    super(value.message);
    this.value = value;
  }
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
export function promptText({ content }: MastraDBMessage): string {
  const texts = content.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length > 0 ? texts.join('\n') : (content.content ?? '');
}

/** The message with another text. Other parts stay. */
export function withPrompt(message: MastraDBMessage, text: string): MastraDBMessage {
  const { parts } = message.content;
  const first = Math.max(
    0,
    parts.findIndex(({ type }) => type === 'text'),
  );
  const others = parts.filter(({ type }) => type !== 'text');
  return {
    ...message,
    content: { ...message.content, content: text, parts: others.toSpliced(first, 0, { type: 'text', text }) },
  };
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
