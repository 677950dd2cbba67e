import type { ClientTool, ServerTool } from '@langchain/core/tools';
import type { ToolCallRequest } from 'langchain';

/** What LangGraph knows of a run, for the option `principal`. */
export interface NativeRun<Context = unknown> {
  /** What the run was given as `context`; its type is that of the agent's `contextSchema`. */
  readonly context: Context;
  readonly configurable: { readonly [key: string]: unknown };
}

/** `native` of tool events. */
export interface NativeToolCall {
  /** The tool that was called; undefined where an agent has none of the name. */
  readonly tool: ClientTool | ServerTool | undefined;
  /** The config that the tool was called with; in an agent its `runtime`. */
  readonly config: unknown;
  /** The call as middleware gets it; only in an agent. */
  readonly request?: ToolCallRequest;
}
