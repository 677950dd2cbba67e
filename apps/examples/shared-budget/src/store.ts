// The one line to change: './sqlite.ts' for one machine, './redis.ts' for many.
export { close, store } from './sqlite.ts';
