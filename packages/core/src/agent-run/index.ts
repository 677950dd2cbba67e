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
export {
  type NotResumed,
  type PausedLimits,
  PausedRuns,
  type PauseKey,
  type ResumeOwner,
  type ResumeRequest,
  type Resumption,
} from './paused-runs.ts';
export {
  approvalReason,
  type CallIdentity,
  type CallReference,
  isSameCall,
  type PendingApproval,
  PendingCalls,
  pendingApproval,
  unknownPending,
} from './pending-calls.ts';
export { type PostedResult, PostedResults, type ResultHooks, type ResultPort } from './posted-results.ts';
export {
  type NamedModel,
  type Prompt,
  type PromptPort,
  type RefusedInput,
  type SubmitOptions,
  type Submitted,
  type SubmittedInput,
  unansweredPrompts,
} from './prompt.ts';
export { refusedSetting } from './settings.ts';
export type { RunOptions, RunState, RunStop } from './state.ts';
export { addUsage } from './usage.ts';
export { UsedApprovals } from './used-approvals.ts';
