// The part that needs neither `langchain` nor `@langchain/langgraph`: bare tools, in graphs of your own.
export {
  type ApprovalAnswers,
  type ApprovalInterrupt,
  type NativeAnswer,
  type PendingApproval,
  pendingApprovals,
} from './approval.ts';
export { blockReason, ToolBlockedError } from './blocked.ts';
export { hookTool, hookTools, type ToolNative } from './hook-tool.ts';
export type { ToolHookOptions } from './options.ts';
export { supports } from './supports.ts';
