import type {
  Approval,
  ApprovalGranted,
  ApprovalSource,
  Remember,
  Resumed,
} from '../../approval/approval.ts';
import type { Execute } from '../../execute.ts';
import type { ToolCallStatus } from '../../session/session.ts';
import type { ToolEventToken } from '../event.ts';
import { makeEvent } from '../token.ts';
import { ToolEvent } from './groups.ts';

export type { ToolEvent } from './groups.ts';

/**
 * A tool is about to run.
 *
 * - Permits Block (the model reads the reason, the tool does not run) and Modify of `toolName` (call another tool),
 *   `input`, `approval` (`requireApproval`, `grantApproval`), `execute` (run it elsewhere, or `answer` it) and `context`.
 * - A failed hook blocks.
 */
export interface BeforeToolCall extends ToolEvent {
  readonly approval?: Approval;
  /** The function that will run the call instead of the tool, where a hook set one. */
  readonly execute?: Execute;
  readonly context?: readonly string[];
  /** A person approved this call in another process. */
  readonly resumed?: Resumed;
}
export const BeforeToolCall: ToolEventToken<
  BeforeToolCall,
  'block' | 'modify',
  'toolName' | 'input' | 'approval' | 'execute' | 'context'
> = /* @__PURE__ */ makeEvent<BeforeToolCall>()({
  type: 'before_tool_call',
  permits: ['block', 'modify'],
  modifies: ['toolName', 'input', 'approval', 'execute', 'context'],
  shapes: { toolName: 'string', execute: 'function' },
  context: 'call',
  extends: ToolEvent,
});

/**
 * Approval is required, by a hook or by the framework itself, and nobody was asked yet. A hook answers in the person's
 * place; any Block wins over any grant.
 *
 * - Permits Block (deny) and Modify of `approval` (`grantApproval`) and `input` (schema and guards check it again).
 * - A failed hook lets the person be asked.
 */
export interface PermissionRequest extends ToolEvent {
  /** Why approval is required. */
  readonly reason: string;
  /** `person`: no hook may grant it. */
  readonly by?: 'person';
  readonly approval?: ApprovalGranted;
}
export const PermissionRequest: ToolEventToken<PermissionRequest, 'block' | 'modify', 'approval' | 'input'> =
  /* @__PURE__ */ makeEvent<PermissionRequest>()({
    type: 'permission_request',
    permits: ['block', 'modify'],
    modifies: ['approval', 'input'],
    onFailure: 'ask',
    extends: ToolEvent,
  });

/**
 * An approval was resolved: who approved what. A hook's grant and a hook's no count, also where nobody would have been
 * asked.
 *
 * Observed only: no hook can change it.
 */
export interface ToolApprovalDecision extends ToolEvent, Remember {
  readonly approval: 'allow' | 'deny' | 'canceled';
  readonly source: ApprovalSource;
  readonly reason?: string;
}
export const ToolApprovalDecision: ToolEventToken<ToolApprovalDecision> =
  /* @__PURE__ */ makeEvent<ToolApprovalDecision>()({
    type: 'tool_approval_decision',
    extends: ToolEvent,
  });

/**
 * The tool answered or threw, before anyone sees it: neither streams, traces, memory nor `AfterToolCall`.
 *
 * - Permits Modify of `output` (after a throw, the call then is `ok`), `errorMessage` (after a throw) and `context`.
 * - A failed hook withholds the result.
 */
export interface TransformToolResult extends ToolEvent {
  readonly status: 'ok' | 'error';
  readonly output?: unknown;
  readonly error?: unknown;
  readonly errorMessage?: string;
  /** Which attempt at the call it was, from 1. */
  readonly attempt: number;
  readonly context?: readonly string[];
}
export const TransformToolResult: ToolEventToken<
  TransformToolResult,
  'modify',
  'output' | 'errorMessage' | 'context'
> = /* @__PURE__ */ makeEvent<TransformToolResult>()({
  type: 'transform_tool_result',
  permits: ['modify'],
  modifies: ['output', 'errorMessage', 'context'],
  shapes: { errorMessage: 'string' },
  context: 'call',
  onFailure: 'withhold',
  extends: ToolEvent,
});

/**
 * The call is over: success, failure, or refused. Each phase runs in reverse order, and to completion also on an abort.
 *
 * - Permits Block (the output is withheld, the model reads the reason), Modify of `output` and `context`, and Retry
 *   (where it ran: again from `execute`, bounded by `maxAttempts`).
 * - A failed hook blocks.
 */
export interface AfterToolCall extends ToolEvent {
  readonly status: ToolCallStatus;
  /** Whether the tool, or what stood in for it, did run. */
  readonly ran: boolean;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly errorMessage?: string;
  /** `INVALID_INPUT`: the input did not fit the tool's schema. */
  readonly code?: 'INVALID_INPUT';
  /** Why, where it was blocked or denied. */
  readonly reason?: string;
  /** How long this attempt ran, in milliseconds. */
  readonly durationMs: number;
  /** Which attempt it was, from 1; 0 where nothing ran. */
  readonly attempt: number;
  readonly context?: readonly string[];
}
export const AfterToolCall: ToolEventToken<
  AfterToolCall,
  'block' | 'modify' | 'retry',
  'output' | 'context'
> = /* @__PURE__ */ makeEvent<AfterToolCall>()({
  type: 'after_tool_call',
  abortable: false,
  permits: ['block', 'modify', 'retry'],
  modifies: ['output', 'context'],
  order: 'reverse',
  context: 'call',
  extends: ToolEvent,
});
