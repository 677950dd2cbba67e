import { type Modify, modify } from '../decision.ts';
import { defined } from '../defined.ts';
import { readFields } from '../plain.ts';
import type { Principal } from '../principal.ts';

/**
 * Who decided an approval: a person (`user_…`), a hook (`pre_tool_use_hook_…`), a permission list, or nobody: the run was
 * aborted (`context_canceled`), or there was no approver, or none that answered (`no_approver`). A policy may use other names.
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
  | 'user_answered'
  | 'user_rejected'
  | 'context_canceled'
  | 'no_approver'
  | (string & {});

/** How serious a call is, as the hook that requires approval sees it. */
export type ApprovalSeverity = 'low' | 'medium' | 'high' | 'critical';

/** A hook requires a person (or an approver) to allow the call before it runs. */
export interface ApprovalRequired {
  readonly kind: 'required';
  /** What the person reads. Where several hooks require approval, the reasons of all of them. */
  readonly reason: string;
  /** The reasons one by one, where several hooks require approval. */
  readonly reasons?: readonly string[];
  /** `person`: no hook on `PermissionRequest` may grant it. */
  readonly by?: 'person';
  /** The highest that a hook gave. */
  readonly severity?: ApprovalSeverity;
}

/** A hook lets the call run without asking; it loses to {@link ApprovalRequired}. */
export interface ApprovalGranted {
  readonly kind: 'granted';
  readonly reason: string;
  /** The `source` of `ToolApprovalDecision`. Default: `pre_tool_use_hook_allow`. */
  readonly source?: ApprovalSource;
}

/** The approval state of a call. It only rises: none, granted, required, required of a person. */
export type Approval = ApprovalRequired | ApprovalGranted;

/**
 * Requires approval before the call runs. No later hook can drop the requirement. A Block still wins.
 *
 * The person reads the reasons of all hooks that require approval of the call.
 *
 * @param reason what the person reads
 * @param options `by: 'person'`: no hook on `PermissionRequest` can grant it. `severity`: how serious the call is
 */
export function requireApproval(
  reason: string,
  options?: { readonly by?: 'person'; readonly severity?: ApprovalSeverity },
): Modify<{ readonly approval: ApprovalRequired }> {
  return modify({
    approval: { ...readFields(Object(options), ['by', 'severity']), kind: 'required', reason },
  });
}

/**
 * Lets the call run without asking a person, even if the framework would ask. A required approval wins.
 *
 * @param reason kept in the trace
 * @param options `source`: the origin in the audit trail
 */
export function grantApproval(
  reason: string,
  options?: { readonly source?: ApprovalSource },
): Modify<{ readonly approval: ApprovalGranted }> {
  return modify({ approval: { ...readFields(Object(options), ['source']), kind: 'granted', reason } });
}

/** What an approver sees. `toolName` and `input` are the effective ones: exactly what will run if it is allowed. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly toolName: string;
  /** The framework's name of the tool that runs, if a hook has replaced the one that the model called. */
  readonly renamedTo?: string;
  /** The framework's name of the tool that the model called, if it is another: of an alias, or because a hook has replaced the tool. */
  readonly nativeToolName?: string;
  readonly input: unknown;
  /** Why approval is required, in one text. */
  readonly reason: string;
  /** The reasons one by one, where several hooks require approval. */
  readonly reasons?: readonly string[];
  /** The highest that a hook gave. */
  readonly severity?: ApprovalSeverity;
  /**
   * The hash of the effective input, and of the tool's name if a hook renamed the call. Only what has this hash may
   * run.
   */
  readonly hash: string;
  readonly sessionId: string;
  readonly agent?: string;
  /** The user on whose behalf the call is made. */
  readonly principal?: Principal;
  /**
   * Returns the input with the values that `input` conceals, where the policy lets a person see them. No copy of the request
   * has it, so the values are not stored with a pause.
   */
  readonly reveal?: () => unknown;
}

/** A length of time: `30 min`, `8 h`, `7 d`. */
export type Duration = `${number} ${'s' | 'min' | 'h' | 'd'}`;

/** How far a remembered approval reaches. */
export interface RememberBounds {
  /** Where it counts: in this run of the agent, in this session, or in every session of the principal. */
  readonly within: 'run' | 'session' | 'always';
  /** How long it counts. Default: a day for `run` and `session`, for good with `always`. */
  readonly for?: Duration;
  /** How many further calls it covers. Default: any number. */
  readonly times?: number;
}

/**
 * How far an approval extends beyond this call. The approver sets it. Hooks on `ToolApprovalDecision` store it, such as
 * `rememberApprovals` of `@hooks/store/approvals`.
 */
export interface Remember {
  /** To calls of the tool in the rest of the session, permanently, or within bounds. */
  readonly remember?: 'session' | 'always' | RememberBounds | undefined;
  /**
   * Only inputs like these, by argument: the text, in which `*` stands for one word that cannot start another command or
   * leave a folder; or a list of the values. An input with other arguments does not match. Without a pattern, only the
   * approved input matches.
   */
  readonly matching?: { readonly [argument: string]: string | readonly unknown[] } | undefined;
}

/**
 * The answer to an {@link ApprovalRequest}. `input`, `remember` and `matching` are for an allow, `output` is for an answer, and `reason`
 * for the others. Any other field is an error, and the call does not run.
 */
export interface ApprovalAnswer extends Remember {
  /** `answer`: the tool does not run, and the model reads `output` as its result. */
  readonly decision: 'allow' | 'deny' | 'canceled' | 'answer';
  /** Who decided, if known. For the record, which leaves out what is no text or shows no character. */
  readonly by?: string | undefined;
  /** For a denial: what the model reads. For an allow: for the record. A blank one counts as none. */
  readonly reason?: string | undefined;
  /**
   * For an allow: runs with this input instead, which schema and guards check. Leave it out to run the input that was shown.
   */
  readonly input?: unknown;
  /** For an answer: the result of the call. Hooks on results see it as they would the tool's. */
  readonly output?: unknown;
  /** For the record. That of an answer is always `user_answered`. */
  readonly source?: ApprovalSource | undefined;
}

/** Asks for approval. `signal` aborts when the run is aborted. If it throws, the call is denied. */
export type Approver = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal | undefined },
) => ApprovalAnswer | PromiseLike<ApprovalAnswer>;

/** A person's decision through the framework's own pause, passed along when the call resumes, in this process or another one. */
export interface Resumed extends Remember {
  /** `answer`: the tool does not run, and the model reads `output` as its result. */
  readonly decision: 'allow' | 'deny' | 'answer';
  /** Who decided, if known. */
  readonly by?: string | undefined;
  /** For the record. */
  readonly source?: ApprovalSource | undefined;
  /** For a denial: what the model reads. */
  readonly reason?: string | undefined;
  /** The hash of the input that was shown. A yes or an answer without it, or to another effective input, counts for nothing. */
  readonly hash?: string | undefined;
  /**
   * For an allow: runs with this input instead of the one with `hash`. Leave it out to run that one.
   */
  readonly input?: unknown;
  /** For an answer: the result of the call. Hooks see it as they would the tool's, and not before. */
  readonly output?: unknown;
}

/**
 * Two approval states in one: granted gives way to required, and two requirements add up, so that the person reads both
 * reasons.
 */
export function joinApprovals(first: Approval | undefined, second: Approval): Approval {
  if (first === undefined || (first.kind === 'granted' && second.kind === 'required')) return second;
  if (second.kind === 'granted' || first.kind === 'granted') return first;
  const reasons = [...new Set([first, second].flatMap(reasonsOf))];
  const severity = SEVERITIES.findLast((each) => each === first.severity || each === second.severity);
  return Object.freeze({
    kind: 'required',
    reason: reasons.reduce((text, each) => `${text}${/[.!?]$/.test(text) ? ' ' : '; '}${each}`),
    ...(reasons.length > 1 && { reasons: Object.freeze(reasons) }),
    ...defined({ by: first.by ?? second.by, severity }),
  });
}

function reasonsOf({ reason, reasons = [] }: ApprovalRequired): readonly string[] {
  return reasons.length === 0 ? [reason] : reasons;
}

const SEVERITIES: readonly ApprovalSeverity[] = ['low', 'medium', 'high', 'critical'];

/** Whether a value is an approval state, for callers without types. */
export function isApproval(value: unknown): value is Approval {
  const { kind, reason, reasons, severity, by } = (value ?? {}) as { readonly [field: string]: unknown };
  return (
    (kind === 'required' || kind === 'granted') &&
    typeof reason === 'string' &&
    (by === undefined || by === 'person') &&
    (reasons === undefined ||
      (Array.isArray(reasons) && reasons.every((each) => typeof each === 'string'))) &&
    (severity === undefined || SEVERITIES.includes(severity as ApprovalSeverity))
  );
}
