import type {
  HookEvent,
  HookInput,
  McpSdkServerConfigWithInstance,
  Options,
  SyncHookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';

/** What the SDK passes to the callback of an event. */
export type InputOf<E extends HookEvent> = Extract<HookInput, { readonly hook_event_name: E }>;

/** What hooks answer to an event of the SDK. */
export interface HookAnswer {
  /** Why the turn ends. */
  readonly stop?: string | undefined;
  /** Why what the event announces does not happen. */
  readonly block?: string | undefined;
  /** `hookSpecificOutput`, without the name of the event. */
  readonly permissionDecision?: 'allow' | 'deny' | 'defer';
  readonly permissionDecisionReason?: string;
  readonly updatedInput?: Record<string, unknown>;
  readonly updatedToolOutput?: unknown;
  readonly suppressOriginalPrompt?: boolean;
  readonly additionalContext?: string;
}

/** The same as the SDK reads it. */
export function answered(
  hookEventName: HookEvent,
  { stop, block, ...specific }: HookAnswer,
): SyncHookJSONOutput {
  const isEmpty = Object.keys(specific).length === 0;
  return {
    ...(stop !== undefined && { continue: false, stopReason: stop }),
    ...(block !== undefined && { decision: 'block' as const, reason: block }),
    // The fields belong to the event.
    ...(!isEmpty && { hookSpecificOutput: { hookEventName, ...specific } as never }),
  };
}

/** The callbacks of a query, by event. */
export type HookOptions = NonNullable<Options['hooks']>;

/** An MCP server that runs in this process. */
export type OwnServer = McpSdkServerConfigWithInstance;
export type McpServers = NonNullable<Options['mcpServers']>;

/** The input of a tool event of the SDK. */
export type ToolInput = InputOf<'PreToolUse'> | InputOf<'PostToolUse'> | InputOf<'PostToolUseFailure'>;

/** Whether a value is an object with fields. */
export function isRecord(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
