export { createHookedAgent } from './agent.ts';
export {
  type ApprovalAnswers,
  type ApprovalInterrupt,
  type NativeAnswer,
  type PendingApproval,
  pendingApprovals,
} from './approval.ts';
export { blockReason, ToolBlockedError } from './blocked.ts';
export { hookTool, hookTools, type ToolNative } from './hook-tool.ts';
export { hooksMiddleware, type ToolRequestNative } from './middleware.ts';
export type { AgentHookOptions, ToolHookOptions } from './options.ts';
export { supports } from './supports.ts';
