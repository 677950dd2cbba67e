import type {
  Approval,
  ApprovalGranted,
  ApprovalSeverity,
  ApprovalSource,
  Remember,
  Resumed,
} from '../../approval/approval.ts';
import type { Concealed } from '../../conceal.ts';
import type { BlockCode } from '../../decision.ts';
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
 *   `input`, `approval` (`requireApproval`, `grantApproval`), `execute` (run it elsewhere, or `answer` it), `concealed` and
 *   `context`.
 * - A failed hook blocks.
 */
export interface BeforeToolCall extends ToolEvent {
  readonly approval?: Approval;
  /** The function that will run the call instead of the tool, if a hook set one. */
  readonly execute?: Execute;
  /** What guards and the tool get instead of what `input` shows. */
  readonly concealed?: Concealed;
  readonly context?: readonly string[];
  /** A person approved this call in another process. */
  readonly resumed?: Resumed;
  /** The pending approval that the person answered there, if the framework can tell: see `BeforeExecute`. */
  readonly approvalId?: string;
  /** The call was let run, and a middleware of the framework has changed its input since: guards are asked again. */
  readonly rechecked?: true;
}
export const BeforeToolCall: ToolEventToken<
  BeforeToolCall,
  'block' | 'modify',
  'toolName' | 'input' | 'approval' | 'execute' | 'concealed' | 'context'
> = /* @__PURE__ */ makeEvent<BeforeToolCall>()({
  type: 'before_tool_call',
  permits: ['block', 'modify'],
  modifies: ['toolName', 'input', 'approval', 'execute', 'concealed', 'context'],
  shapes: { toolName: 'string', input: 'plain', execute: 'function', concealed: 'object' },
  context: 'call',
  extends: ToolEvent,
});

/**
 * Approval is required, by a hook or by the framework, and no person has been asked yet. A hook may answer instead; any
 * Block beats any grant.
 *
 * - Permits Block (denies) and Modify of `approval` (`grantApproval`) and `input` (schema and guards check it).
 * - If a hook fails, the person is asked.
 */
export interface PermissionRequest extends ToolEvent {
  /** Why approval is required, in one text. */
  readonly reason: string;
  /** The reasons one by one, where several hooks require approval. */
  readonly reasons?: readonly string[];
  /** The highest that a hook gave. */
  readonly severity?: ApprovalSeverity;
  /** `person`: no hook can grant it. */
  readonly by?: 'person';
  readonly approval?: ApprovalGranted;
  /** The function that will run the call instead of the tool, if a hook set one. */
  readonly execute?: Execute;
  /** The call was let run, and a middleware of the framework has changed its input since: it has been counted. */
  readonly rechecked?: true;
}
export const PermissionRequest: ToolEventToken<PermissionRequest, 'block' | 'modify', 'approval' | 'input'> =
  /* @__PURE__ */ makeEvent<PermissionRequest>()({
    type: 'permission_request',
    permits: ['block', 'modify'],
    modifies: ['approval', 'input'],
    shapes: { input: 'plain' },
    onFailure: 'ask',
    extends: ToolEvent,
  });

/**
 * An approval was resolved. Also fires when a hook granted or denied the call and no person was asked.
 *
 * Can only be observed.
 */
export interface ToolApprovalDecision extends ToolEvent, Remember {
  readonly approval: 'allow' | 'deny' | 'canceled';
  readonly source: ApprovalSource;
  /** The answer came through the framework's pause, whatever `source` it has. Missing where a hook, an approver or nobody decided. */
  readonly answered?: true;
  /** The name of the person who decided, if the approver gave it. */
  readonly by?: string;
  readonly reason?: string;
  /** The pending approval that a person has answered for this call, if the framework can tell: see `BeforeExecute`. */
  readonly approvalId?: string;
}
export const ToolApprovalDecision: ToolEventToken<ToolApprovalDecision> =
  /* @__PURE__ */ makeEvent<ToolApprovalDecision>()({
    type: 'tool_approval_decision',
    extends: ToolEvent,
  });

/**
 * The call is about to run: its input is final, and every approval is given. Fires once for each call that runs, however
 * often it pauses or is retried, and in whatever process it runs. Count, claim or take here what a call that waits for a
 * person or is refused must not use up.
 *
 * Where a middleware of the framework changes the input after that, guards are asked about the new input, with the same
 * `executionId` and `rechecked`.
 *
 * - Permits Block (the model reads the reason, the tool does not run) and Modify of `execute` (`answer` it) and
 *   `idempotencyKey`.
 * - A failed hook blocks.
 */
export interface BeforeExecute extends ToolEvent {
  /**
   * Tells this call from all others. A call id does not: models choose it, and may use it twice. `AfterToolCall` has the same, once
   * `BeforeExecute` has fired for the call. Missing where another program reports the call, as to `hooks run`.
   */
  readonly executionId?: string;
  /** The call was let run, and a middleware of the framework has changed its input since: it has been counted. */
  readonly rechecked?: true;
  /** A person approved this call in another process. */
  readonly resumed?: Resumed;
  /**
   * The pending approval that a person has answered for this call, in whatever process. If the same answer arrives again, the
   * id is the same. No other pending approval has it, even if the model repeats the call with the same id.
   */
  readonly approvalId?: string;
  /** The function that will run the call instead of the tool, if a hook set one. */
  readonly execute?: Execute;
  /** Tells a server that two requests are one, as payment services understand it. What runs the call gets it. */
  readonly idempotencyKey?: string;
}
export const BeforeExecute: ToolEventToken<BeforeExecute, 'block' | 'modify', 'execute' | 'idempotencyKey'> =
  /* @__PURE__ */ makeEvent<BeforeExecute>()({
    type: 'before_execute',
    permits: ['block', 'modify'],
    modifies: ['execute', 'idempotencyKey'],
    shapes: { execute: 'function', idempotencyKey: 'string' },
    extends: ToolEvent,
  });

/**
 * The tool returned or threw. Nobody has seen the result yet: no stream, no trace, no memory, no `AfterToolCall` hook.
 *
 * - Permits Modify of `output` (which makes a failed call `ok`), `errorMessage` (of a failed call) and `context`.
 * - A failed hook withholds the result.
 */
export interface TransformToolResult extends ToolEvent {
  readonly status: 'ok' | 'error';
  readonly output?: unknown;
  readonly error?: unknown;
  readonly errorMessage?: string;
  /** The number of this attempt, starting at 1. */
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
 * The call is over: it succeeded, failed or was refused. Each phase runs in reverse order and completes even after an
 * abort.
 *
 * - Permits Block (the output is withheld, the model reads the reason), Modify of `output` and `context`, and Retry
 *   (if the tool ran, it runs again, at most `maxAttempts` times; an answer in its place stands).
 * - A failed hook blocks.
 */
export interface AfterToolCall extends ToolEvent {
  readonly status: ToolCallStatus;
  /** Whether the tool ran, here or where a hook routed the call. */
  readonly ran: boolean;
  /** A hook or a person gave the result in place of the tool. */
  readonly answered?: true;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly errorMessage?: string;
  /** `INVALID_INPUT`: the input did not fit the tool's schema. The model reads the framework's error, so a Block is a failed hook. */
  readonly code?: 'INVALID_INPUT' | BlockCode;
  /** The run was aborted. A tool that ran may have taken effect, and may still run. */
  readonly aborted?: true;
  /** Why it was blocked or denied. */
  readonly reason?: string;
  /** That of `BeforeExecute`, if it has fired for this call. */
  readonly executionId?: string;
  /** What a `BeforeExecute` hook set, also if another one then blocked the call. */
  readonly idempotencyKey?: string;
  /** How long this attempt ran, in milliseconds. */
  readonly durationMs: number;
  /** The number of this attempt, starting at 1; 0 if nothing ran. */
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
