export { openView, type View, type ViewOptions } from './view.ts';
