export { type Analysis, type AnalyzeOptions, analyzeCommand } from './analyze.ts';
export { analyzeCall } from './analyze-call.ts';
export { type CommandWord, commandWords } from './command-words.ts';
export type { Context } from './context.ts';
export type { Category, Danger, Effect, EffectKind, Severity } from './effect.ts';
export { type CommandVerdict, checkCommand, judge, type Policy, presets } from './judge.ts';
export { checkPath, type PathVerdict } from './paths/check.ts';
export { normalizePath } from './paths/normalize.ts';
