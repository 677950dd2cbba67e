export type { AttachOptions } from '../registries.ts';
export { blockReason, hookTool, hookTools, type NativeRunToolsCall } from './hook-tools.ts';
export { supports } from './supports.ts';
