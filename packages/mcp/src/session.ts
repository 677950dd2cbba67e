import { createHash } from 'node:crypto';
import type { Session } from '@hooks/core';
import type { ConnectionSettings } from './connection.ts';
import { type Fields, metaOf } from './message/message.ts';

/** How known clients name a conversation in the `_meta` of a call: VS Code, Codex. */
const CONVERSATION_KEYS = ['vscode.conversationId', 'threadId'];

/** The session of a request. */
export interface RequestSession {
  readonly session: Session;
  /** Whether it ends with the request. */
  readonly own: boolean;
}

/** The conversation that the client identifies, else the connection's session, else one for this request. */
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

/** A hash that identifies a user in keys and ids without granting the user's access. */
export function userOf(authorization: string | undefined): string {
  if (authorization === undefined) return '';
  return `${createHash('sha256').update(authorization).digest('hex').slice(0, 16)}:`;
}
