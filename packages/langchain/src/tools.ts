// The part that needs neither `langchain` nor `@langchain/langgraph`: bare tools, in graphs of your own.
export type { ApprovalAnswers, NativeAnswer } from './approval/answers.ts';
export { type ApprovalInterrupt, type PendingApproval, pendingApprovals } from './approval/pending.ts';
export { blockReason, ToolBlockedError } from './blocked.ts';
export type { ToolHookOptions } from './options.ts';
export { supports } from './supports.ts';
export { hookTool, hookTools, type ToolNative } from './tool/hook-tool.ts';
