// The part that needs neither `langchain` nor `@langchain/langgraph`: bare tools, in graphs of your own.
export { BlockedError, type PendingApproval } from '@hooks/core/adapter';
export type { InterruptAnswer, InterruptAnswers } from './approval/answers.ts';
export { type ApprovalInterrupt, pendingApprovals, type UsedAnswer } from './approval/pending.ts';
export { blockReason } from './blocked.ts';
export type { HookToolOptions, NativeRun, NativeToolCall } from './options.ts';
export { supports } from './supports.ts';
export { hookTool, hookTools } from './tool/hook-tool.ts';
