import { type ToolKind, UserInputRequired } from '@hooks/core';

/** A cell of a support table that a scenario needs. */
export interface Need {
  readonly event: string;
  /** `block`, `retry` or `modify.<field>`. Not set: that the event fires. */
  readonly decision?: string;
  readonly tool?: ToolKind;
  /** A kind of the event, if it has one, such as the `switchKind` of `agent_switch`. */
  readonly kind?: string;
}

/** A need for an adapter that fires an event, or honors a decision on it. */
export function can(token: { readonly type: string }, decision?: string): Need {
  return { event: token.type, ...(decision !== undefined && { decision }) };
}

/** A need for an adapter that fires an event for tools of a kind. */
export function reaches(token: { readonly type: string }, tool: ToolKind): Need {
  return { event: token.type, tool };
}

/** A need for runs that can pause for a person: `UserInputRequired` fires, and `approval: 'native'` is supported. */
export const canPause: Need = can(UserInputRequired);
