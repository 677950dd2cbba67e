import { chatCompletion, chatCompletionChunks } from './chat-answer.ts';
import { readChatRequest } from './chat-request.ts';
import type { Endpoint } from './endpoint.ts';

/** `POST /v1/chat/completions` */
export const chatCompletions: Endpoint = {
  read: readChatRequest,
  whole: chatCompletion,
  streamed: chatCompletionChunks,
};
