export { hookTool, hookTools } from './hook-tool.ts';
export { type AnyMastraAgent, hooked } from './hooked.ts';
export type {
  NativeCompaction,
  NativeDelegation,
  NativeModelCall,
  NativePrompt,
  NativeStop,
  NativeToolCall,
} from './native.ts';
export type { HookedOptions, HookToolOptions } from './options.ts';
export { pendingApprovals } from './pending.ts';
export { supports } from './supports.ts';
export { BlockedCallError, blockReason } from './translate.ts';
