import type { ApprovalRequest, Approver, Resumed } from '../approval/approval.ts';
import type { ToolDescriptor } from '../event/catalogue/groups.ts';
import type { Execute } from '../execute.ts';
import type { Principal } from '../principal.ts';
import type { Hooks } from '../registry/hooks.ts';
import type { Session, ToolCallStatus } from '../session/session.ts';

/** A registry that hooks a call, and what was chosen where it was attached. */
export interface Attached {
  readonly hooks: Hooks;
  /** Who approves what this registry's hooks require: the next registry further out unless set, and nobody where it is `deny`. */
  readonly approval?: Approver | 'deny' | undefined;
}

/** The registry that hooks a call, or several of them, outermost first. */
export type Registries = Hooks | readonly Attached[];

/** A tool call, as an adapter describes it. */
export interface ToolCall {
  readonly session: Session;
  readonly agent?: string | undefined;
  readonly run?: string | undefined;
  readonly turn?: string | undefined;
  /** For whom it is; the session's principal unless set. */
  readonly principal?: Principal | undefined;
  /** The framework's name of the tool, as the model sees it. */
  readonly toolName: string;
  /** The model's id of the call; minted where there is none. */
  readonly callId?: string | undefined;
  /** What the model sent, before the schema's defaults and transforms. */
  readonly input: unknown;
  readonly tool?: ToolDescriptor | undefined;
  readonly parentCallId?: string | undefined;
  /** The run's signal. */
  readonly signal?: AbortSignal | undefined;
  /** The framework itself wants approval for this call: why. */
  readonly needsApproval?: string | undefined;
  /** The decision of a person, made in another process. */
  readonly resumed?: Resumed | undefined;
  /** The framework's own objects. */
  readonly native?: unknown;
}

/** An input that does not fit a tool's schema. */
export interface InvalidInput {
  /** What does not fit, and where. */
  readonly message: string;
  /** The framework's own error, where it has one. */
  readonly error?: unknown;
}

/** Checks an input against a tool's schema; undefined where it fits. Where it throws or rejects, nothing fits. */
export type InputCheck = (input: unknown) => InvalidInput | undefined | PromiseLike<InvalidInput | undefined>;

/** The tool that a hook has put in the place of the one called. */
export interface RenameTarget {
  readonly tool?: ToolDescriptor;
  readonly check?: InputCheck;
  readonly execute: Execute;
}

/** What a framework can do at this place. A decision outside it is a failure of the hook that gave it. */
export interface Can {
  /** Run the tool again. */
  readonly retry?: boolean;
  /** Run something else in the tool's place. */
  readonly route?: boolean;
  /** Call another tool: the tool of that name, or a text that says why not. */
  readonly rename?: ((toolName: string) => RenameTarget | string) | undefined;
  /**
   * Pause for a person; `unchanged` where the pause shows and keeps the call as the model wrote it, so that one whose
   * input or tool a hook has changed is blocked instead.
   */
  readonly ask?: boolean | 'unchanged';
}

/** Options of `beginToolCall`. */
export interface BeginOptions {
  readonly can?: Can;
  /** Checks inputs against the tool's schema: the model's before any hook, a rewritten one before the guards. */
  readonly check?: InputCheck | undefined;
}

/** Options of `callTool`. */
export interface CallOptions {
  readonly check?: InputCheck | undefined;
  readonly rename?: Can['rename'];
  /** Who approves where a registry does not say; `deny` unless set, with a reason that names the adapter's option. */
  readonly approval?: Approver | 'deny' | undefined;
  /** Whether what was thrown is the framework's own control flow (an interrupt), which passes through untouched. */
  readonly isControlFlow?: ((error: unknown) => boolean) | undefined;
  /** A call that was begun already, in a callback of its own. */
  readonly begun?: Begun | undefined;
}

/** A call between its two halves, as plain JSON: `finishToolCall` may happen in another process. */
export interface CallToken {
  readonly callId: string;
  readonly toolName: string;
  readonly nativeToolName: string;
  /** The effective input. */
  readonly input: unknown;
  readonly session: string;
  readonly agent?: string;
  readonly run?: string;
  readonly turn?: string;
  readonly principal?: Principal;
  readonly parentCallId?: string;
  /** How often it has run, this attempt included. */
  readonly attempt: number;
  /** When this attempt began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether the caller can run the tool again. */
  readonly retry: boolean;
}

/** Run the tool with this input. */
export interface RunCall {
  readonly kind: 'run';
  readonly input: unknown;
  /** Set where a hook had the call run elsewhere or as another tool: call it in place of the tool. */
  readonly execute?: Execute;
  readonly token: CallToken;
}

/** Ask a person, and go on with `answerToolCall`. */
export interface AskApproval {
  readonly kind: 'ask';
  readonly request: ApprovalRequest;
  readonly token: CallToken;
}

/** The call is over. */
export interface DoneCall {
  readonly kind: 'done';
  readonly outcome: ToolCallOutcome;
}

/** Run the tool again, after `delayMs` milliseconds. */
export interface AgainCall {
  readonly kind: 'again';
  readonly input: unknown;
  readonly delayMs: number;
  readonly execute?: Execute;
  readonly token: CallToken;
}

/** This input may run; hooks or a person may have replaced the one that was checked. */
export interface RunChanged {
  readonly kind: 'run';
  readonly input: unknown;
}

/** What comes of `recheckToolCall`. */
export type Rechecked = RunChanged | DoneCall;

/** What comes of `beginToolCall` and `answerToolCall`. */
export type Begun = RunCall | AskApproval | DoneCall;

/** What comes of `finishToolCall`. */
export type Finished = DoneCall | AgainCall;

/** What the tool gave: an output, or what it threw. */
export type ToolResult = { readonly output: unknown } | { readonly error: unknown };

/** How a call ended. The adapter only translates it. */
export interface ToolCallOutcome {
  readonly callId: string;
  /** Canonical name of the tool that ran, or would have run. */
  readonly toolName: string;
  /** The effective input. */
  readonly input: unknown;
  readonly status: ToolCallStatus;
  /** Whether the tool, or what stood in for it, did run. */
  readonly ran: boolean;
  /** What the model is to read of a call that is `ok`. */
  readonly output?: unknown;
  /** What the tool threw, as hooks left it. */
  readonly error?: unknown;
  /** `INVALID_INPUT`: the input did not fit the schema; the framework's own error goes to the model. */
  readonly code?: 'INVALID_INPUT';
  /** Why it was blocked or denied: the hook's own words. */
  readonly reason?: string;
  /** What the model is to read of a blocked or denied call: the reason, as `formatBlocked` has it. */
  readonly message?: string;
  /** The hook that decided so. */
  readonly by?: string;
  /** How often it ran. */
  readonly attempts: number;
  /** A hook wanted it again, but the limit was reached. */
  readonly exhausted: boolean;
  /** How long the last attempt ran, in milliseconds. */
  readonly durationMs: number;
  /** What hooks told the model beside the result; it is kept in the session for the next model call. */
  readonly context: readonly string[];
  /** The run is to end: a Block said so. */
  readonly stop: boolean;
  /** The run was aborted; `error` is the signal's reason, which the adapter throws as its framework does. */
  readonly aborted: boolean;
}
