export type { ModelMessage, ModelRequest, ModelSettings, ModelTool, ModelToolCall } from './request.ts';
export { toolResults } from './request.ts';
export type { Answer, FailedAnswer, Script, ScriptedToolCall, SpokenAnswer, Step, Usage } from './script.ts';
export { inOrder } from './script.ts';
export type { ModelServer, ModelServerOptions } from './server.ts';
export { startModelServer } from './server.ts';
