import type { Hooks, Session } from '@hooks/core';
import { hears } from '@hooks/core/adapter';
import { TransformServerMessage } from '@hooks/core/tool-call';
import { errorResponse, type Fields, isFields, type Message, SERVER_ERROR, seen } from './message.ts';

/** Where a message of the server comes from. */
export interface Origin {
  /** The method of the request that it answers, or its own. */
  readonly method: string;
  readonly session: Session;
  readonly server: string | undefined;
}

/** Whether hooks see the server's messages besides results of calls. */
export function transforms(hooks: Hooks): boolean {
  return hears(hooks, TransformServerMessage);
}

/**
 * Runs the hooks on a message of the server.
 *
 * @returns the message for the client, or undefined if a notification or request is withheld
 */
export function transform(
  hooks: Hooks,
  message: Message,
  { method, session, server }: Origin,
): Message | undefined | Promise<Message | undefined> {
  const { json } = message;
  const [part, kind] = partOf(message);
  const { opaque, content } = split(json[part]);
  const withheld = (): Message | undefined =>
    json.method === undefined && json.id !== undefined
      ? errorResponse(json.id, SERVER_ERROR, 'Withheld, because a hook failed on this message of the server.')
      : undefined;
  const about = { session, method, kind, content, ...(server !== undefined && { server }) };
  const asking = hooks.dispatch(TransformServerMessage, about);
  const answer = (decision: Awaited<typeof asking>): Message | undefined => {
    if (decision.kind === 'proceed') return seen(message, json.id);
    // Of a hook that failed, it is a Block, although the event permits none.
    const changed = decision.kind === 'modify' ? decision.patch.content : undefined;
    if (isFields(changed)) {
      const { raw: _, ...rest } = seen(message, json.id);
      return { ...rest, json: { ...rest.json, [part]: { ...changed, ...opaque } } };
    }
    return withheld();
  };
  return 'then' in asking ? Promise.resolve(asking).then(answer, withheld) : answer(asking);
}

function partOf({ json }: Message): ['result' | 'error' | 'params', TransformServerMessage['kind']] {
  if (json.method !== undefined) return ['params', json.id === undefined ? 'notification' : 'request'];
  return json.error === undefined ? ['result', 'result'] : ['error', 'error'];
}

/** Values that only their sender reads, and that stop working if a hook takes them for a secret. */
const OPAQUE = ['nextCursor', 'requestState', 'progressToken', 'requestId'];

function split(part: unknown): { readonly opaque: Fields; readonly content: Fields } {
  const fields = Object.entries(isFields(part) ? part : {});
  const of = (isOpaque: boolean): Fields =>
    Object.fromEntries(fields.filter(([name]) => OPAQUE.includes(name) === isOpaque));
  return { opaque: of(true), content: of(false) };
}
