import { blockReason } from '@hooks/ai-sdk';
import { createAgentUIStreamResponse, TypeValidationError } from 'ai';
import type { NextRequest } from 'next/server';
import { z } from 'zod';
import { agentFor } from '../../../lib/agent.ts';
import { userOf } from '../../../lib/user.ts';

/** How many bytes a chat may have. */
const MAX_BYTES = 1_000_000;

/** How many messages and parts: many small ones hold the process longer than a large one. */
const MAX_MESSAGES = 200;
const MAX_PARTS = 1_000;

const Message = z.looseObject({ parts: z.array(z.unknown()) });
const Chat = z.object({ id: z.string(), messages: z.array(Message) });

/** Where `useChat` posts to. A request that answers a pending approval carries on with its call. */
export async function POST(request: NextRequest): Promise<Response> {
  const user = await userOf(request.cookies);
  if (user === undefined)
    return new Response('Sign in first.', { status: 401 });
  const length = request.headers.get('content-length') ?? Number.NaN;
  if (!(Number(length) <= MAX_BYTES))
    return new Response('The chat is too long.', { status: 413 });
  try {
    const { id, messages } = Chat.parse(await request.json());
    const parts = messages.reduce((sum, one) => sum + one.parts.length, 0);
    if (messages.length > MAX_MESSAGES || parts > MAX_PARTS)
      return new Response('The chat is too long.', { status: 413 });
    return await createAgentUIStreamResponse({
      agent: agentFor(user, id),
      uiMessages: messages,
      abortSignal: request.signal,
      // A refused call, or what is broken in the middle of a stream.
      onError: (error) => blockReason(error) ?? 'Something went wrong.',
    });
  } catch (error) {
    if (isBadRequest(error))
      return new Response('That is no chat.', { status: 400 });
    throw error;
  }
}

const isBadRequest = (error: unknown) =>
  error instanceof SyntaxError ||
  error instanceof z.ZodError ||
  TypeValidationError.isInstance(error);
