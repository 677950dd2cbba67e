export { DIALECTS } from './dialects/all.ts';
export { readText } from './file/read-text.ts';
export { importModule } from './import-module.ts';
export { readOutput } from './protocol/read.ts';
export { readStdin } from './protocol/read-stdin.ts';
export { stdinOf } from './protocol/stdin.ts';
export { expandFamilies } from './protocol/tool-families.ts';
export { dispatchEvent } from './provider/dispatch.ts';
