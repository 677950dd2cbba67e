export type * from './harness.ts';
export * from './model-server/index.ts';
