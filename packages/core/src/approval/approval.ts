import { type Modify, modify } from '../decision.ts';
import type { Principal } from '../principal.ts';

/**
 * Who or what decided an approval: a person (`user_…`), a hook (`pre_tool_use_hook_…`), a list of permissions, or nobody because
 * the run was aborted (`context_canceled`). A policy may name others.
 */
export type ApprovalSource =
  | 'yolo'
  | 'session_permissions_allow'
  | 'session_permissions_deny'
  | 'team_permissions_allow'
  | 'team_permissions_deny'
  | 'pre_tool_use_hook_allow'
  | 'pre_tool_use_hook_deny'
  | 'readonly_hint'
  | 'user_approved'
  | 'user_approved_session'
  | 'user_approved_tool'
  | 'user_rejected'
  | 'context_canceled'
  | (string & {});

/** A hook wants a person (or whoever stands in for one) to say yes before the call runs. */
export interface ApprovalRequired {
  readonly kind: 'required';
  /** What the person reads. */
  readonly reason: string;
  /** `person`: no hook on `PermissionRequest` may grant it. */
  readonly by?: 'person';
}

/** A hook lets the call run without asking; it loses to {@link ApprovalRequired}. */
export interface ApprovalGranted {
  readonly kind: 'granted';
  readonly reason: string;
  /** What `ToolApprovalDecision.source` will say; `pre_tool_use_hook_allow` unless set. */
  readonly source?: ApprovalSource;
}

/** The approval state of a call. Monotonic: nothing, then granted, then required, then required of a person. */
export type Approval = ApprovalRequired | ApprovalGranted;

/**
 * Ask a person before the call runs. Once required, no later hook can lower it; a Block still wins.
 *
 * @param reason what the person reads
 * @param options `by: 'person'` lets no hook on `PermissionRequest` grant it
 */
export function requireApproval(
  reason: string,
  options?: { readonly by?: 'person' },
): Modify<{ readonly approval: ApprovalRequired }> {
  return modify({ approval: { kind: 'required', reason, ...options } });
}

/**
 * Let the call run without asking, also where the framework itself would ask. Loses to a required approval.
 *
 * @param reason kept in the trace
 * @param options `source`: what the audit trail shall name as the origin
 */
export function grantApproval(
  reason: string,
  options?: { readonly source?: ApprovalSource },
): Modify<{ readonly approval: ApprovalGranted }> {
  return modify({ approval: { kind: 'granted', reason, ...options } });
}

/** What whoever approves is shown. `input` is the effective input: exactly what will run after a yes. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly reason: string;
  /** Hash of the effective input (with the tool's name where a hook has renamed the call): what was approved is what runs. */
  readonly hash: string;
  readonly sessionId: string;
  readonly agent?: string;
  /** For whom the call is. */
  readonly principal?: Principal;
}

/**
 * What a yes is to beside this call: calls of the tool in the rest of the session, or from now on. Whoever approves says so;
 * hooks on `ToolApprovalDecision` keep it, such as `rememberApprovals` of `@hooks/store/approvals`.
 */
export interface Remember {
  readonly remember?: 'session' | 'always';
  /**
   * Only for inputs like these: each argument's text, in which `*` stands for any text. An input with other arguments is not like
   * them. Left out, for all inputs.
   */
  readonly matching?: { readonly [argument: string]: string };
}

/** The answer to an {@link ApprovalRequest}. `remember` and `matching` are for an allow. */
export interface ApprovalAnswer extends Remember {
  readonly decision: 'allow' | 'deny' | 'canceled';
  /** For a denial: what the model reads. */
  readonly reason?: string;
  /** For an allow: run with this input instead; schema and guards check it again. Present means replaced. */
  readonly input?: unknown;
  readonly source?: ApprovalSource;
}

/** Asks whoever may approve. `signal` fires when the run is aborted. A throw denies. */
export type Approver = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal | undefined },
) => ApprovalAnswer | PromiseLike<ApprovalAnswer>;

/** The decision that a person made in another process, brought along when the call is taken up again. */
export interface Resumed extends Remember {
  readonly decision: 'allow' | 'deny';
  /** Who decided, as far as known. */
  readonly by?: string;
  /** For a denial: what the model reads. */
  readonly reason?: string;
  /** The hash of the input that was approved; another effective input needs a new approval. */
  readonly hash?: string;
  /** For an allow: run with this input instead, in the place of the one that `hash` is of. Present means replaced. */
  readonly input?: unknown;
}

/** The stronger of two approval states: required of a person, required, granted. Ties keep the first. */
export function strongerApproval(first: Approval | undefined, second: Approval): Approval {
  return first === undefined || rank(second) > rank(first) ? second : first;
}

function rank(approval: Approval): number {
  if (approval.kind === 'granted') return 0;
  return approval.by === 'person' ? 2 : 1;
}

/** Whether a value, as JavaScript may hand it in, is an approval state. */
export function isApproval(value: unknown): value is Approval {
  const { kind, reason } = (value ?? {}) as { readonly [field: string]: unknown };
  return (kind === 'required' || kind === 'granted') && typeof reason === 'string';
}
