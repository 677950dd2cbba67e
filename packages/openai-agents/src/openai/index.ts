export { blockReason } from '../blocked.ts';
export type { AttachOptions } from '../options.ts';
export { hookTool, hookTools, type NativeRunToolsCall } from './hook-tools.ts';
export { supports } from './supports.ts';
