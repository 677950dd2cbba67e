import { createHash } from 'node:crypto';
import type { Session } from '@hooks/core';
import type { ConnectionSettings } from './connection.ts';
import { type Fields, metaOf } from './message/message.ts';

/** What known clients call a conversation in the `_meta` of a call: VS Code, Codex. */
const CONVERSATION_KEYS = ['vscode.conversationId', 'threadId'];

/** A session that a request belongs to. */
export interface RequestSession {
  readonly session: Session;
  /** It ends with the request. */
  readonly own: boolean;
}

/** The conversation that the client names, else the connection's session, else one for this request. */
export function sessionOf(
  params: Fields | undefined,
  { hooks, session, user }: ConnectionSettings,
): RequestSession {
  const meta = metaOf(params);
  const named = CONVERSATION_KEYS.map((key) => meta[key]).find((id) => typeof id === 'string' && id !== '');
  // A client could name another user's conversation.
  if (named !== undefined) return { session: hooks.session(user + String(named)), own: false };
  return { session: hooks.session(session), own: session === undefined };
}

/** What stands for a user in keys and ids: nothing that could be used in the user's place. */
export function userOf(authorization: string | undefined): string {
  if (authorization === undefined) return '';
  return `${createHash('sha256').update(authorization).digest('hex').slice(0, 16)}:`;
}
