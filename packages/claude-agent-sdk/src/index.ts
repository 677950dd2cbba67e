export { BlockedError } from '@hooks/core/adapter';
export { type PendingApproval, pendingApprovals } from './approval/pending.ts';
export { blockReason, hookedOptions, hookedQuery } from './attach.ts';
export type {
  ApprovalResponse,
  HookedOptions,
  HookedQueryOptions,
  HookToolOptions,
  NativeRun,
} from './options.ts';
export { proxySupports, supports } from './supports.ts';
export { hookTools, type SdkTool } from './tool/hook-tools.ts';
export { hookServer, type NativeToolCall } from './tool/server.ts';
