export { BlockedError, type PendingApproval } from '@hooks/core/adapter';
export { pendingApprovals } from './approval/pending.ts';
export { attachHooks, blockReason, hookTool, hookTools } from './attach.ts';
export type { HookedOptions, HookedRunnerOptions, HookToolOptions } from './options.ts';
export { hookedRunner } from './run/runner.ts';
export { supports } from './supports.ts';
export type { NativeToolCall } from './tool/call.ts';
export { hookedTool } from './tool/hooked-tool.ts';
