import {
  BeforeToolCall,
  type Block,
  type HookRegistrar,
  type NamePattern,
  PermissionRequest,
  type Proceed,
  proceed,
  type ToolEvent,
} from '@hooks/core';

type Answer = Block | Proceed | Promise<Block | Proceed>;

interface Look {
  /** Default: all tools. */
  readonly tools: NamePattern | undefined;
  /** Whether the look is a request to a store. */
  readonly shared: boolean;
  /** Ends the ids of its hooks. */
  readonly suffix?: string;
  /** Whether a limit is used up. Counts nothing. */
  readonly look: (call: ToolEvent) => Answer;
}

/**
 * Refuses a call over the limit before anybody is asked about it. A store is read only for a call that somebody would be asked
 * about. It counts every other call when that runs, and refuses it then.
 */
export function lookBeforeApproval(hooks: HookRegistrar, { tools, shared, suffix = '', look }: Look): void {
  const options = { priority: -100, allowUnknown: true };
  const guard = (call: ToolEvent & Pick<BeforeToolCall, 'rechecked' | 'execute'>): Answer =>
    call.rechecked || call.execute?.answers ? proceed() : look(call);
  hooks.guard(
    tools === undefined ? BeforeToolCall : BeforeToolCall.matching(tools),
    // Also with a store: this guard refuses to be attached where calls cannot be seen.
    (call) => (shared ? proceed() : guard(call)),
    { ...options, id: `ask-for-tool-call${suffix}` },
  );
  if (!shared) return;
  hooks.guard(
    tools === undefined ? PermissionRequest : PermissionRequest.matching(tools),
    (call) => (call.approval === undefined ? guard(call) : proceed()),
    { ...options, id: `ask-for-approval${suffix}`, optional: true },
  );
}
