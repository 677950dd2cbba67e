export { hookTool, hookTools } from './hook-tool.ts';
export { hooked } from './hooked.ts';
export type { HookedOptions, HookToolOptions } from './options.ts';
export { pendingApprovals } from './pending.ts';
export { BlockedCallError, blockReason } from './translate.ts';
