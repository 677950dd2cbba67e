export { checkPath, type PathVerdict } from './sensitive-paths/check.ts';
export { normalizePath } from './sensitive-paths/normalize.ts';
