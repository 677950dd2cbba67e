export { createHookedAgent } from './agent.ts';
export { blockReason, ToolBlockedError } from './blocked.ts';
export { hookTool, hookTools, type ToolNative } from './hook-tool.ts';
export { hooksMiddleware, type ToolRequestNative } from './middleware.ts';
export type { AgentHookOptions, ToolHookOptions } from './options.ts';
export { supports } from './supports.ts';
