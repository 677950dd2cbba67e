import { type ToolKind, UserInputRequired } from '@hooks/core';

/** One cell of a support table. */
export interface Need {
  readonly event: string;
  /** `block`, `retry` or `modify.<field>`; not set, that the event fires. */
  readonly decision?: string;
  readonly tool?: ToolKind;
  /** A kind of the event, where it tells one: the `switchKind` of `agent_switch`. */
  readonly kind?: string;
}

/** That the adapter fires an event, or honours a decision on it. */
export function can(token: { readonly type: string }, decision?: string): Need {
  return { event: token.type, ...(decision !== undefined && { decision }) };
}

/** That the adapter fires an event for tools of a kind. */
export function reaches(token: { readonly type: string }, tool: ToolKind): Need {
  return { event: token.type, tool };
}

/** That runs can pause until a person has answered: the adapter fires `UserInputRequired`, and takes `approval: 'native'`. */
export const canPause: Need = can(UserInputRequired);
