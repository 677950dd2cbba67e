export { checkCommand } from './command-safety/check.ts';
export type { CommandVerdict } from './command-safety/verdict.ts';
export { checkPath, type PathVerdict } from './sensitive-paths/check.ts';
export { normalizePath } from './sensitive-paths/normalize.ts';
