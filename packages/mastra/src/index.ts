export { BlockedError, type PendingApproval } from '@hooks/core/adapter';
export { pendingApprovals } from './approval/pending.ts';
export { type AnyMastraAgent, hookedAgent } from './attach.ts';
export type {
  NativeCompaction,
  NativeDelegation,
  NativeModelCall,
  NativePrompt,
  NativeStop,
  NativeToolCall,
} from './native.ts';
export type { HookedOptions, HookToolOptions } from './options.ts';
export { supports } from './supports.ts';
export { hookTool, hookTools } from './tool/hook-tool.ts';
export { blockReason } from './translate.ts';
