export type { AttachOptions } from '../options.ts';
export { blockReason } from '../run/blocked.ts';
export { hookTool, hookTools, type NativeRunToolsCall } from './hook-tools.ts';
export { supports } from './supports.ts';
