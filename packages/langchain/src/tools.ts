// The part that needs neither `langchain` nor `@langchain/langgraph`: bare tools, in graphs of your own.
export type { ApprovalAnswers, NativeAnswer } from './approval-answers.ts';
export { blockReason, ToolBlockedError } from './blocked.ts';
export { hookTool, hookTools, type ToolNative } from './hook-tool.ts';
export type { ToolHookOptions } from './options.ts';
export { type ApprovalInterrupt, type PendingApproval, pendingApprovals } from './pending-approvals.ts';
export { supports } from './supports.ts';
