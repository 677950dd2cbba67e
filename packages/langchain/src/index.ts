export type { ReviewDecision, ReviewOptions, ToolReview } from './approval/review.ts';
export { createHookedAgent } from './attach.ts';
export { hooksMiddleware, type MiddlewareOptions } from './middleware.ts';
export type { HookedOptions } from './options.ts';
export { type ContextSize, hookedSummarization, type SummarizationOptions } from './run/compaction.ts';
export * from './tools.ts';
export type { CreateHookedAgent, ResponseOf } from './types.ts';
