export { attach, hookTool, hookTools } from './attach.ts';
export { blockReason, RunBlockedError } from './blocked.ts';
export type { NativeToolCall } from './describe.ts';
export { hookedTool } from './hooked-tool.ts';
export type { AttachOptions } from './options.ts';
export { type PendingApproval, pendingApprovals } from './pending.ts';
export { hookedRunner } from './runner.ts';
export { supports } from './supports.ts';
