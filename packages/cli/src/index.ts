export { type HookFlags, hooksFromFlags } from './flags.ts';
