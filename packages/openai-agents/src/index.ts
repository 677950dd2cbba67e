export { type PendingApproval, pendingApprovals } from './approval/pending.ts';
export { attach, hookTool, hookTools } from './attach.ts';
export type { AttachOptions } from './options.ts';
export { blockReason, RunBlockedError } from './run/blocked.ts';
export { hookedRunner } from './run/runner.ts';
export { supports } from './supports.ts';
export type { NativeToolCall } from './tool/describe.ts';
export { hookedTool } from './tool/hooked-tool.ts';
