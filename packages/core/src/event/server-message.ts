import { HookEvent } from './catalogue/groups.ts';
import type { EventPayload, EventToken } from './event.ts';
import { makeEvent } from './token.ts';

/**
 * An MCP server says something besides the result of a tool call, a resource or a prompt: its instructions, its lists, a
 * completion, a log line, progress, a question. A client, a person or a model may read it. Only a proxy in front of the
 * server (`@hooks/mcp`) fires it.
 *
 * - Permits Modify of `content`.
 * - A failed hook withholds the message.
 */
export interface TransformServerMessage extends EventPayload {
  /** The method of the request that it answers, or its own: `initialize`, `prompts/list`, `notifications/message`. */
  readonly method: string;
  /** Which part of the message `content` is: the result or error of a response, or the params. */
  readonly kind: 'result' | 'error' | 'request' | 'notification';
  /**
   * Plain JSON. Values that only go back to the server, such as the cursor of a list, are left out. What replaces it has
   * to be an object, too.
   */
  readonly content: { readonly [field: string]: unknown };
  /** The name of the server, where there are several. */
  readonly server?: string;
}
export const TransformServerMessage: EventToken<TransformServerMessage, 'modify', 'content'> =
  /* @__PURE__ */ makeEvent<TransformServerMessage>({ isCustom: true })({
    type: 'transform_server_message',
    permits: ['modify'],
    modifies: ['content'],
    shapes: { content: 'object' },
    onFailure: 'withhold',
    extends: HookEvent,
  });
