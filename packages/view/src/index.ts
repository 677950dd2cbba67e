export type { ComparedPolicy } from './server/comparison.ts';
export { openView, type View, type ViewOptions } from './view.ts';
