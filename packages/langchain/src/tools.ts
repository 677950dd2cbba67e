// The part that needs neither `langchain` nor `@langchain/langgraph`: bare tools, in graphs of your own.
export { BlockedError, type PendingApproval } from '@hooks/core/adapter';
export type { ApprovalAnswers, NativeAnswer } from './approval/answers.ts';
export { type ApprovalInterrupt, pendingApprovals } from './approval/pending.ts';
export { blockReason } from './blocked.ts';
export type { NativeRun, ToolHookOptions } from './options.ts';
export { supports } from './supports.ts';
export { hookTool, hookTools, type ToolNative } from './tool/hook-tool.ts';
