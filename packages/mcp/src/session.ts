import { createHash } from 'node:crypto';
import type { Principal, Session } from '@hooks/core';
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
export function sessionOf(params: Fields | undefined, settings: ConnectionSettings): RequestSession {
  const id = sessionIdOf(params, settings);
  return { session: settings.hooks.session(id), own: id === undefined };
}

/** The id of a request's session; undefined if it has one of its own. */
export function sessionIdOf(
  params: Fields | undefined,
  { session, user }: Pick<ConnectionSettings, 'session' | 'user'>,
): string | undefined {
  const meta = metaOf(params);
  const named = CONVERSATION_KEYS.map((key) => meta[key]).find((id) => typeof id === 'string' && id !== '');
  if (named === undefined) return session;
  // A client could name another user's conversation, or the session of an HTTP connection.
  return user === '' ? String(named) : `${user}#${named}`;
}

/**
 * A text that identifies the user of a request, without granting the user's access: the principal, else a hash of the
 * authorization. It has no `:` or `#`, so that ids that begin with it are no other ids.
 */
export function userOf(principal: Principal | undefined, authorization: string | undefined): string {
  if (principal !== undefined)
    return [principal.tenant ?? '', principal.id].map((part) => encodeURIComponent(part)).join('@');
  return `@${authorization === undefined ? '' : `@${createHash('sha256').update(authorization).digest('hex').slice(0, 32)}`}`;
}
