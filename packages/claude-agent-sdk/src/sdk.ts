import type {
  HookEvent,
  HookInput,
  McpSdkServerConfigWithInstance,
  Options,
  SyncHookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';

/** What the SDK passes to the callback of an event. */
export type InputOf<E extends HookEvent> = Extract<HookInput, { readonly hook_event_name: E }>;

/** What a callback answers. */
export type HookAnswer = SyncHookJSONOutput;

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
