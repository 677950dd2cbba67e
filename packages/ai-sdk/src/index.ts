export { BlockedError, type PendingApproval } from '@hooks/core/adapter';
export { type PausedRun, pendingApprovals } from './approval/pending.ts';
export { blockReason, hookedAgent, hookedCall } from './attach.ts';
export { hookModel } from './model/hook-model.ts';
export type { HookedOptions, HookModelOptions, HookToolOptions, NativeRun } from './options.ts';
export { conversation, type EndedRun } from './run/conversation.ts';
export { supports } from './supports.ts';
export type { NativeToolCall } from './tool/call.ts';
export { hookTools } from './tool/hooked-tool.ts';
