export type { CreateHookedAgent, ResponseOf } from './agent-types.ts';
export { createHookedAgent } from './attach.ts';
export { type ContextSize, hookedSummarization, type SummarizationOptions } from './compaction.ts';
export { hooksMiddleware } from './middleware.ts';
export type { AgentHookOptions } from './options.ts';
export * from './tools.ts';
export type { ToolRequestNative } from './wrap-tool-call.ts';
