import type { ApprovalRequest, Approver, Resumed } from '../approval/approval.ts';
import type { ApprovalOption } from '../approval/questions.ts';
import type { BlockCode } from '../decision.ts';
import type { ToolDescriptor } from '../event/catalogue/groups.ts';
import type { Execute } from '../execute.ts';
import type { Principal } from '../principal.ts';
import type { Hooks } from '../registry/hooks.ts';
import type { Session, ToolCallStatus } from '../session/session.ts';

/** A registry that hooks a call, with the options from where it was attached. */
export interface Attached {
  readonly hooks: Hooks;
  /**
   * Answers the approvals that this registry's hooks require: a function, or a person through the framework's own pause
   * (`native`). `deny`: nobody. Default: as the next registry further out says.
   */
  readonly approval?: ApprovalOption | undefined;
  /** What it was attached with. Default: `approval`, and nothing else. */
  readonly options?: AttachedOptions;
}

/** The options of a registry that count for a whole call, whichever tool a hook has it run. */
export interface AttachedOptions {
  readonly approval?: ApprovalOption | undefined;
  /** How the adapter finds the principal; compared, not called. */
  readonly principal?: unknown;
  readonly holdStream?: boolean | undefined;
}

/** The registry that hooks a call, or several of them, outermost first. */
export type Registries = Hooks | readonly Attached[];

/** A tool call, as an adapter describes it. */
export interface ToolCall {
  readonly session: Session;
  readonly agent?: string | undefined;
  readonly run?: string | undefined;
  readonly turn?: string | undefined;
  /** The user on whose behalf it is made. Default: the session's principal. */
  readonly principal?: Principal | undefined;
  /** The framework's name of the tool, as the model sees it. */
  readonly toolName: string;
  /** The model's id of the call. Default: a generated one. */
  readonly callId?: string | undefined;
  /**
   * What the model sent, before the schema's defaults and transforms. It is plain data: hooks see it, a person is shown it,
   * the hash of an approval covers it, and the tool runs with a copy of it. It has one rule:
   *
   * - Objects without a class, arrays, texts, booleans, null and finite numbers are as in JSON.
   * - A field that is `undefined` is left out. The whole input may be `undefined`.
   * - A Date stays a Date of the same time. Hooks cannot change theirs, and its hash is that of its ISO text.
   * - What stands in several places is copied for each of them.
   *
   * Everything else has no form in JSON that shows all of it: class instances, Map, typed arrays, functions, inherited
   * fields, getters, symbols as keys, NaN, bigint, circular data, more than 256 levels. If a hook concerns the call, it ends
   * with `INVALID_INPUT` and the path, and nothing runs. A hook that sets such an input has failed; a call to which a person
   * or `recheckToolCall` gives such an input is blocked.
   */
  readonly input: unknown;
  /**
   * The hash of `input` after the tool's schema, if the schema changes it. Needed by a framework that gives only the parsed input
   * to the process that resumes a paused call: hooks recognize the call by it.
   */
  readonly parsedHash?: string | undefined;
  readonly tool?: ToolDescriptor | undefined;
  readonly parentCallId?: string | undefined;
  /** The run's signal. */
  readonly signal?: AbortSignal | undefined;
  /** Why the framework itself requires approval for this call. */
  readonly needsApproval?: string | undefined;
  /**
   * The decision that a person gave through the framework's own pause, in this process or another one. A yes needs the `callId`
   * that it was given for.
   */
  readonly resumed?: Resumed | undefined;
  /**
   * Identifies the pending approval that a person has answered for this call: the same in each process in which the answer
   * arrives, and never that of another pending approval, which may be of an equal call in a later run. It comes from what the
   * framework has stored of the pause.
   */
  readonly approvalId?: string | undefined;
  /** The framework's own objects. */
  readonly native?: unknown;
}

/** An input that does not fit a tool's schema. */
export interface InvalidInput {
  /** The problems, with their paths. */
  readonly message: string;
  /** The framework's own error, if it has one. */
  readonly error?: unknown;
}

/**
 * Validates an input by a tool's schema; undefined if it fits. If it throws or rejects, the input counts as invalid.
 */
export type InputCheck = (input: unknown) => InvalidInput | undefined | PromiseLike<InvalidInput | undefined>;

/**
 * The tool that a hook wants called instead, as the adapter finds it. Core decides whether the call may run it: the adapter
 * says all that a call by the model would meet.
 */
export interface RenameTarget {
  /** The framework's name of it, as the model sees it. The guards of this name are asked, however the hook spelled it. */
  readonly name: string;
  readonly tool: ToolDescriptor;
  /** `native` of the call's events from now on: the framework's objects, with this tool in place of the called one. */
  readonly native: unknown;
  /** All registries that would decide on a call of it by the model, with their options. */
  readonly registries: Registries;
  /**
   * What the framework does where the model calls it, and does not here, as a clause: `has guardrails, which the SDK would
   * not run`. The call is then refused. `undefined`: it runs as it would there.
   */
  readonly unenforced: string | undefined;
  /** What the adapter keeps of the hooked tool, if it was found among tools that were hooked together: see `noteHookedAgain`. */
  readonly hooked?: object | undefined;
  /** Checks inputs against its schema. `itself`: it refuses by itself what does not fit, whoever calls it. */
  readonly check: InputCheck | 'itself';
  readonly execute: Execute;
}

/** Finds a tool that a hook wants called instead, or says why there is none, as a clause. */
export type FindTarget = (name: string) => RenameTarget | string | undefined;

/** The capabilities of a framework at this point. A hook whose decision needs another one has failed. */
export interface Capabilities {
  /** Run the tool again. */
  readonly retry?: boolean;
  /** Run something else instead of the tool. */
  readonly route?: boolean;
  /** Call another tool. */
  readonly rename?: FindTarget | undefined;
  /**
   * Pause for a person, where `native` answers. `unchanged`: the pause keeps the call as the model wrote it, so a call that a
   * hook changed is blocked instead.
   */
  readonly ask?: boolean | 'unchanged';
}

/** Who answers what a call is to be approved for, besides what its registries say. */
export interface Approving {
  /**
   * Answers for registries that do not say who does, nor does one further out. Default: nobody, with a reason that names the
   * adapter's option; of a tool that itself requires approval, whoever answers that through the framework's pause.
   */
  readonly approval?: ApprovalOption | undefined;
  /**
   * Asks a person through the framework's own pause: throws its control flow, or returns the answer. It answers for
   * registries with `native`, and for what the tool itself requires where no registry has an approver. A text says why it
   * cannot be asked here, as a clause.
   */
  readonly pause?: Approver | string | undefined;
}

/** Options of `beginToolCall`. */
export interface BeginOptions extends Approving {
  readonly capabilities?: Capabilities;
  /** Checks inputs against the tool's schema: the model's before any hook, a rewritten one before the guards. */
  readonly check?: InputCheck | undefined;
  /**
   * `callTool`: the call runs there, with what this returns as `begun`, and `BeforeExecute` hooks are asked there. By default, the
   * caller runs the tool as soon as it may, so they are asked here.
   */
  readonly runsIn?: 'callTool' | undefined;
}

/** Options of `callTool`. */
export interface CallOptions extends Approving {
  readonly check?: InputCheck | undefined;
  readonly rename?: FindTarget | undefined;
  /** Whether a thrown value is the framework's control flow (an interrupt), which passes through unchanged. */
  readonly isControlFlow?: ((error: unknown) => boolean) | undefined;
  /** A call that has already begun in an earlier callback. */
  readonly begun?: Begun | undefined;
}

/** A call between its two halves, as plain JSON, so that `finishToolCall` may run in another process. */
export interface CallToken {
  readonly callId: string;
  readonly toolName: string;
  readonly nativeToolName: string;
  readonly renamedTo?: string;
  /** The effective input. */
  readonly input: unknown;
  /** What the model sent. */
  readonly modelInput?: unknown;
  readonly parsedHash?: string;
  readonly session: string;
  readonly agent?: string;
  readonly run?: string;
  readonly turn?: string;
  readonly principal?: Principal;
  readonly parentCallId?: string;
  /** How often it has run, including this attempt. */
  readonly attempt: number;
  /** When this attempt began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether the caller can run the tool again. */
  readonly retry: boolean;
  /** That of `BeforeExecute`, if it has fired. */
  readonly executionId?: string;
  /** What a `BeforeExecute` hook set. */
  readonly idempotencyKey?: string;
  /** A hook or a person answers in place of the tool. */
  readonly answered?: true;
}

/** Run the tool with this input. */
export interface RunCall {
  readonly kind: 'run';
  readonly input: unknown;
  /** If a hook routed or renamed the call: call this instead of the tool. */
  readonly execute?: Execute;
  /** What a `BeforeExecute` hook set. */
  readonly idempotencyKey?: string;
  readonly token: CallToken;
}

/** Somebody is to approve it. */
export interface AskApproval {
  readonly kind: 'ask';
  /**
   * Whether the framework's pause is to ask a person: continue with `answerToolCall`. If not, only approver functions are left,
   * which `callTool` and `answerToolCall` ask.
   */
  readonly native: boolean;
  readonly request: ApprovalRequest;
  readonly token: CallToken;
}

/** The call is over. */
export interface DoneCall {
  readonly kind: 'done';
  readonly outcome: ToolCallOutcome;
}

/** Run the tool again, after `delayMs` milliseconds. */
export interface AgainCall extends Omit<RunCall, 'kind'> {
  readonly kind: 'again';
  readonly delayMs: number;
}

/** This input may run. Hooks or a person may have replaced the one that was checked. */
export interface RunChanged {
  readonly kind: 'run';
  readonly input: unknown;
}

/** The result of `recheckToolCall`. */
export type Rechecked = RunChanged | DoneCall;

/** The result of `beginToolCall` and `answerToolCall`. */
export type Begun = RunCall | AskApproval | DoneCall;

/** The result of `finishToolCall`. */
export type Finished = DoneCall | AgainCall;

/** What the tool returned or threw. */
export type ToolResult = { readonly output: unknown } | { readonly error: unknown };

/** How a call ended. Adapters only translate it. */
export interface ToolCallOutcome {
  readonly callId: string;
  /** Canonical name of the tool that ran, or would have run. */
  readonly toolName: string;
  /** The framework's name of that tool, if it is not the called one, because a hook replaced it. */
  readonly renamedTo?: string;
  /** The effective input. */
  readonly input: unknown;
  readonly status: ToolCallStatus;
  /** Whether the tool ran, here or where a hook routed the call. False where a hook or a person answered in its place. */
  readonly ran: boolean;
  /** What the model reads of a successful call. */
  readonly output?: unknown;
  /** What the tool threw, as hooks left it. */
  readonly error?: unknown;
  /**
   * `INVALID_INPUT`: the input did not fit a schema. The model reads the framework's own error, or, where the schema is that of the
   * hook `by`, the message of `error`. Of a blocked call it is the code of the Block, if it has one.
   */
  readonly code?: 'INVALID_INPUT' | BlockCode;
  /** Why it was blocked or denied, in the hook's words. */
  readonly reason?: string;
  /** What the model reads of a blocked or denied call: the reason, formatted by `formatBlocked`. */
  readonly message?: string;
  /** The hook that decided. */
  readonly by?: string;
  /** How often it ran. */
  readonly attempts: number;
  /** A hook answered Retry, but the limit was reached. */
  readonly exhausted: boolean;
  /** How long the last attempt ran, in milliseconds. */
  readonly durationMs: number;
  /** Context from hooks for the next model call, which the session keeps. */
  readonly context: readonly string[];
  /** A Block with `stop: true` ends the run. */
  readonly stop: boolean;
  /** The run was aborted. `error` is the signal's reason, which the adapter throws as its framework does. */
  readonly aborted: boolean;
}
