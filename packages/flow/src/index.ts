export type { FlowStore } from './conversation.ts';
export type { KnownTools } from './defaults.ts';
export {
  type EndorsedValue,
  explainFlow,
  type FlowExplanation,
  type KnownOrigin,
  type ValueOrigin,
} from './explain.ts';
export { type FlowAdvice, type LintedTool, lintFlow } from './lint.ts';
export type { FlowOptions, FlowOptionsFor, PathOf } from './options.ts';
export { type Flow, flow } from './provider.ts';
export type { Sink } from './sinks.ts';
export { ifcLabels, type Source, type SourceResult, type Trust } from './sources.ts';
export { untrusted } from './untrusted.ts';
