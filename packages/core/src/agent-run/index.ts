export {
  type AfterAnswer,
  AgentRun,
  type AgentRunOptions,
  type CompactionAnswer,
  type CompactionFigures,
  type InnerRegistries,
  openRun,
  type RunToolCall,
  type SwitchOptions,
} from './agent-run.ts';
export type { RunEnd } from './end.ts';
export { isKnownResult, type ResultPlace, rememberResult } from './known-results.ts';
export {
  type Judged,
  type ModelAnswer,
  ModelCall,
  type ModelCallOptions,
  type ModelRequest,
  type Prepared,
  type RequestPatch,
  type Streaming,
} from './model-call.ts';
export { type PausedLimits, PausedRuns, type ResumeRequest } from './paused-runs.ts';
export {
  type CallIdentity,
  type CallReference,
  isSameCall,
  type PendingApproval,
  PendingCalls,
} from './pending-calls.ts';
export type {
  NamedModel,
  Prompt,
  PromptPort,
  RefusedInput,
  SubmitOptions,
  Submitted,
  SubmittedInput,
} from './prompt.ts';
export type { RunOptions, RunState, RunStop } from './state.ts';
