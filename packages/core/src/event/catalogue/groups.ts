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

/** All tool events, including those of other packages. */
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

/** The kind of tool. What hooks can do with its calls depends on it, see each adapter's `supports`. */
export type ToolKind = 'function' | 'mcp' | 'agent' | 'framework' | 'hosted';

/** A tool, as far as its adapter knows it. */
export interface ToolDescriptor {
  readonly kind: ToolKind;
  /** The MCP server that it comes from, by the name that the program gives it. */
  readonly server?: string | undefined;
  /** The framework's tool object. */
  readonly ref?: object;
  readonly description?: string | undefined;
  /** The JSON schema of the input. Throws or rejects if the tool's own schema cannot be converted. */
  readonly inputSchema?: (() => object | undefined | PromiseLike<object>) | undefined;
  /** MCP's annotations: hints, not guarantees. `readsOnly` of `@hooks/guards` says whether to rely on one. */
  readonly annotations?:
    | {
        readonly readOnlyHint?: boolean | undefined;
        readonly destructiveHint?: boolean | undefined;
        /** It reaches what others write, such as the web. */
        readonly openWorldHint?: boolean | undefined;
      }
    | undefined;
}

/** The fields of every tool event. */
export interface ToolEvent extends ToolPayload {
  /** The model's id of this call, or a generated one. */
  readonly callId: string;
  /** Canonical name, after aliases: the name the model sees. */
  readonly toolName: string;
  /** The framework's name of the tool that the model called. */
  readonly nativeToolName: string;
  /** The framework's name of the tool that runs instead, if a hook replaced it. `native` and `tool` are of that one. */
  readonly renamedTo?: string;
  /** What runs, as hooks left it by now: validated, before the schema's defaults and transforms. */
  readonly input: unknown;
  /** What the model sent, whatever hooks or a person made of `input`. Events of the pipeline have it. */
  readonly modelInput?: unknown;
  /**
   * The hash of the input after the tool's schema, if the schema changes it. A framework may give only that input to the process
   * that resumes a paused call: there, it is the `modelInput`. So a call has the same `parsedHash ?? hash(modelInput)` in both.
   */
  readonly parsedHash?: string;
  readonly tool?: ToolDescriptor;
  /** The call that made this one, if the framework says so. */
  readonly parentCallId?: string;
}
