import type { EventPayload, GroupToken, ToolPayload } from '../event.ts';
import { makeGroup } from '../token.ts';

/** Every event of every package. Observed only. */
export const HookEvent: GroupToken<EventPayload> = /* @__PURE__ */ makeGroup<EventPayload>()({
  type: 'hook_event',
});

/** `SessionStart`, `SessionEnd`, `SessionResume`. */
export const SessionEvent: GroupToken<EventPayload> = /* @__PURE__ */ makeGroup<EventPayload>()({
  type: 'session_event',
  extends: HookEvent,
});

/** `UserPromptSubmit`, `BeforeRun`, `UserInputRequired`. */
export const PromptEvent: GroupToken<EventPayload> = /* @__PURE__ */ makeGroup<EventPayload>()({
  type: 'prompt_event',
  extends: HookEvent,
});

/** `TurnStart`, `BeforeModelCall`, `AfterModelCall`, `TurnEnd`, `Stop`. */
export const ModelEvent: GroupToken<EventPayload> = /* @__PURE__ */ makeGroup<EventPayload>()({
  type: 'model_event',
  extends: HookEvent,
});

/** Everything about a tool call: it sees every tool event, those of other packages too. */
export const ToolEvent: GroupToken<ToolEvent> = /* @__PURE__ */ makeGroup<ToolEvent>()({
  type: 'tool_event',
  extends: HookEvent,
});

/** `SubagentStart`, `SubagentStop`, `AgentSwitch`, `Notification`, `AgentError`, `MaxIterations`. */
export const AgentEvent: GroupToken<EventPayload> = /* @__PURE__ */ makeGroup<EventPayload>()({
  type: 'agent_event',
  extends: HookEvent,
});

/** `BeforeCompaction`, `AfterCompaction`. */
export const CompactionEvent: GroupToken<EventPayload> = /* @__PURE__ */ makeGroup<EventPayload>()({
  type: 'compaction_event',
  extends: HookEvent,
});

/** What kind of tool it is: what can be done to its calls depends on it, see each adapter's `supports`. */
export type ToolKind = 'function' | 'mcp' | 'agent' | 'framework' | 'hosted';

/** A tool, as far as its adapter knows it. */
export interface ToolDescriptor {
  readonly kind: ToolKind;
  /** The framework's tool object. */
  readonly ref?: object;
  readonly description?: string;
  /** The JSON schema of the input. Throws or rejects where the tool's own schema has no such form. */
  readonly inputSchema?: () => object | undefined | PromiseLike<object>;
  /** Hints in the words of MCP; hints, not promises. */
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** What every tool event carries. */
export interface ToolEvent extends ToolPayload {
  /** The model's id of this call, else minted once. */
  readonly callId: string;
  /** Canonical name, after aliases: the name the model sees. */
  readonly toolName: string;
  /** The framework's name of it. */
  readonly nativeToolName: string;
  /** What the model sent, checked, before the schema's defaults and transforms. */
  readonly input: unknown;
  readonly tool?: ToolDescriptor;
  /** The call inside which this one was made, where the framework tells. */
  readonly parentCallId?: string;
}
