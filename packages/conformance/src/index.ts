export type * from './harness.ts';
export * from './model-server/index.ts';
export { can, canPause, type Need, reaches } from './need.ts';
export { runScenario } from './run-scenario.ts';
export type { Family, Scenario } from './scenario.ts';
export { families } from './scenarios/index.ts';
export { type Actor, type Cast, type Played, Stage, type ToolRun } from './stage.ts';
export { testAdapter } from './test-adapter.ts';
