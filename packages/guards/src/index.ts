export { checkCommand } from './command-safety/check.ts';
export { type CommandSafetyOptions, commandSafety } from './command-safety/provider.ts';
export type { CommandVerdict } from './command-safety/verdict.ts';
export { checkPath, type PathVerdict } from './sensitive-paths/check.ts';
export { normalizePath } from './sensitive-paths/normalize.ts';
export { type SensitivePathsOptions, sensitivePaths } from './sensitive-paths/provider.ts';
export { type ToolArguments, usualCommandTools, usualPathTools } from './tool-arguments.ts';
