export type { Attachment, EventSupport, SupportCell, SupportTable } from './adapter/support.ts';
export type { UnmatchedHook } from './adapter/unmatched.ts';
export {
  type Approval,
  type ApprovalAnswer,
  type ApprovalGranted,
  type ApprovalRequest,
  type ApprovalRequired,
  type ApprovalSource,
  type Approver,
  grantApproval,
  type Resumed,
  requireApproval,
} from './approval.ts';
export type { Chain, Registration } from './chain.ts';
export type { HandlerContext } from './context.ts';
export type { ContextScope, Contributed } from './contributed.ts';
export {
  addContext,
  type Block,
  block,
  type DecisionKind,
  type HookDecision,
  isDecision,
  type Modify,
  modify,
  type Proceed,
  proceed,
  type Retry,
  retry,
} from './decision.ts';
export { defineEvent, defineGroup } from './define.ts';
export type { DispatchOptions } from './dispatch.ts';
export { HooksError, type HooksErrorCode, type HooksErrorOrigin, isHooksError } from './error.ts';
export type {
  Answer,
  DeclareEvent,
  DeclareGroup,
  EventDeclaration,
  EventOf,
  EventPayload,
  EventSpec,
  EventToken,
  FailureMode,
  FieldShape,
  ForTool,
  GroupToken,
  GuardAnswer,
  ObservePoint,
  ParentPoint,
  Point,
  PointData,
  ToolEventToken,
  ToolPayload,
} from './event.ts';
export * from './events/index.ts';
export { answer, type Execute, type ExecuteOptions, type Route } from './execute.ts';
export { globalHooks, resetGlobalHooks } from './global.ts';
export type { ToolCallRecord } from './history.ts';
export type {
  Answered,
  Ask,
  HookInfo,
  HookOptions,
  Hooks,
  HooksInternal,
  HooksOptions,
  Interceptor,
  Observer,
} from './hooks.ts';
export { markHooked, type NamePattern, originalTool, type ToolMatcher, type ToolNames } from './match.ts';
export { openclawTools } from './presets/openclaw.ts';
export type { HookProvider, HookRegistrar } from './provider.ts';
export { createHooks } from './registry.ts';
export {
  type Run,
  type Session,
  type SessionEndReason,
  type SessionKey,
  type SessionSource,
  sessionKey,
} from './session.ts';
export type { SessionLimits, SessionOptions } from './session-store.ts';
export type * from './tool-call/types.ts';
export type { ToolInput, ToolOutput } from './tool-types.ts';
export {
  type DispatchTrace,
  type HookVerb,
  recordTraces,
  type TracedHook,
  type TraceListener,
  type TraceRecorder,
} from './trace.ts';
