export * from './agent.ts';
export * from './compaction.ts';
export * from './groups.ts';
export * from './model.ts';
export * from './prompt.ts';
export * from './session.ts';
export * from './tool.ts';
