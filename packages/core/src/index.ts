export type { EventSupport, SupportCell, SupportTable } from './adapter/support.ts';
export type { UnmatchedHook } from './adapter/unmatched.ts';
export {
  type Approval,
  type ApprovalAnswer,
  type ApprovalGranted,
  type ApprovalRequest,
  type ApprovalRequired,
  type ApprovalSeverity,
  type ApprovalSource,
  type Approver,
  type Duration,
  grantApproval,
  type Remember,
  type RememberBounds,
  type Resumed,
  requireApproval,
} from './approval/approval.ts';
export type { Answerer, ApprovalOption } from './approval/questions.ts';
export type { Concealed } from './conceal.ts';
export {
  addContext,
  type Block,
  type BlockCode,
  block,
  type DecisionKind,
  type HookDecision,
  isDecision,
  type ModifiableFields,
  type Modify,
  modify,
  type Proceed,
  proceed,
  type Retry,
  retry,
} from './decision.ts';
export type { HookInfo } from './dispatch/chain.ts';
export type { DispatchOptions } from './dispatch/dispatch.ts';
export type { HandlerContext } from './dispatch/handler.ts';
export {
  type DispatchTrace,
  decisionName,
  type HookVerb,
  recordTraces,
  type TracedHook,
  type TraceListener,
  type TraceRecorder,
} from './dispatch/trace.ts';
export { HooksError, type HooksErrorCode, type HooksErrorOrigin, isHooksError } from './error.ts';
export * from './event/catalogue/index.ts';
export { defineEvent, defineGroup } from './event/define.ts';
export type {
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
  GuardDecision,
  HookPoint,
  InterceptorDecision,
  ObservePoint,
  ParentPoint,
  Point,
  PointData,
  ToolEventToken,
  ToolPayload,
  WithInput,
} from './event/event.ts';
export type { ToolInput, ToolOutput } from './event/tool-types.ts';
export { answer, type Execute, type ExecuteOptions, type Route } from './execute.ts';
export { markHooked, type NamePattern, originalTool, type ToolMatcher, type ToolNames } from './match.ts';
export type * from './principal.ts';
export { createHooks } from './registry/create-hooks.ts';
export { globalHooks, resetGlobalHooks } from './registry/global.ts';
export type {
  DispatchDecision,
  HookOptions,
  HookProvider,
  HookRegistrar,
  Hooks,
  HooksOptions,
  Interceptor,
  NoDecision,
  Observer,
} from './registry/hooks.ts';
export type { SchemaIssue, SchemaResult, StandardSchema } from './schema.ts';
export {
  type ContextScope,
  type Contributed,
  type Run,
  type Session,
  type SessionEndReason,
  type SessionKey,
  type SessionKeyOptions,
  type SessionSource,
  sessionKey,
  type ToolCallRecord,
  type ToolCallStatus,
} from './session/session.ts';
export type { SessionLimits, SessionOptions } from './session/store.ts';
export type {
  Approving,
  Attached,
  AttachedOptions,
  CallOptions,
  Capabilities,
  FindTarget,
  InputCheck,
  InvalidInput,
  Registries,
  RenameTarget,
  ToolCall,
  ToolCallOutcome,
} from './tool-call/types.ts';
