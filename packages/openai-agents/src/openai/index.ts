export { blockReason, type HookToolOptions, hookTool, hookTools, type NativeToolCall } from './hook-tools.ts';
export { supports } from './supports.ts';
