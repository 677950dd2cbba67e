import type { ApprovalSeverity, Remember } from '@hooks/core';
import type {
  IntegrityProblem,
  JournalData,
  JournalRecord,
  RegisteredHook,
  ReplayedCall,
  ReplayReport,
  Verification,
} from '@hooks/journal';
import type { InputPattern } from '@hooks/store/approvals';

/** The status of a run. `open`: no end was recorded, because it still runs or its process died. */
export type RunStatus = 'completed' | 'blocked' | 'failed' | 'canceled' | 'waiting' | 'open';

/** A run in the list: from a prompt to its answer, with the runs of its sub-agents. */
export interface RunSummary {
  readonly id: string;
  readonly session: string;
  readonly agents: readonly string[];
  /** The prompt, or the first tool call if no prompt was recorded. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly status: RunStatus;
  readonly principal?: string;
  readonly models: readonly string[];
  readonly tools: readonly string[];
  /** Hooks that decided something other than to proceed. */
  readonly deciders: readonly string[];
  readonly turns: number;
  readonly toolCalls: number;
  readonly subagents: number;
  /** The numbers of decisions by hooks and people, by kind. */
  readonly counts: DecisionCounts;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The numbers of decisions. */
export interface DecisionCounts {
  readonly blocked: number;
  /** Required approvals. */
  readonly asked: number;
  /** Calls that a person denied, or nobody approved in time. */
  readonly denied: number;
  /** Values that a hook replaced. */
  readonly changed: number;
  readonly retried: number;
  /** Failed hooks. */
  readonly failed: number;
}

/** One record of a run. */
export interface RunEvent {
  readonly record: JournalRecord;
  /** Null if it was erased. */
  readonly data?: JournalData | null;
  readonly hash: string;
  /** `2026-11-23.jsonl:17` */
  readonly place: string;
}

/** A run with all of its records, in the order in which they were written. */
export interface RunDetail {
  readonly summary: RunSummary;
  readonly events: readonly RunEvent[];
}

/** General information for the page. */
export interface Overview {
  /** The location of the journal. */
  readonly journal: string;
  /** The location of the store with pending approvals, if there is one. */
  readonly store?: string;
  /** The policy to compare with, if one was given. */
  readonly comparedPolicy?: string;
  /** Whether the journal was read to its end. */
  readonly loaded: boolean;
  readonly records: number;
}

/** A recorded policy. */
export interface Policy {
  readonly digest: string;
  readonly hooks: readonly RegisteredHook[];
}

/** The result of the journal's verification. */
export interface ChainState {
  readonly state: Verification['state'];
  readonly records: number;
  readonly sessions: number;
  readonly erased: number;
  /** Records that were lost, and older ones that were removed, as the journal says. */
  readonly lost: number;
  readonly pruned: number;
  readonly writers: readonly {
    readonly source: string;
    readonly records: number;
    readonly uncovered: number;
    readonly closed: boolean;
    readonly last: string;
    readonly checkpoint?: string;
  }[];
  /** The places of lines that a process did not end. */
  readonly cutOff: readonly string[];
  readonly problems: readonly IntegrityProblem[];
  /** Whether signatures were checked with a key. */
  readonly signatures: boolean;
  /** When it was verified, and how long that took, in milliseconds. */
  readonly at: number;
  readonly tookMs: number;
}

/** What another policy would have decided about the calls of the journal. */
export interface Comparison extends Omit<ReplayReport, 'calls'> {
  readonly policy: string;
  /** The calls with a different decision, each with its run. */
  readonly calls: readonly (ReplayedCall & { readonly run?: string })[];
  /** The time of the comparison, in milliseconds since 1970. */
  readonly at: number;
}

/** What of an input is too much for a page. */
export interface LeftOut {
  /** How many entries of objects and arrays, each with all that it holds. */
  readonly values: number;
  /** How many characters at the ends of texts. */
  readonly characters: number;
}

/** A pending approval. */
export interface Waiting {
  readonly id: string;
  readonly toolName: string;
  readonly input: unknown;
  /** What `input` does not have: it is only the beginning. */
  readonly leftOut?: LeftOut;
  readonly reason: string;
  /** The reasons one by one, where several hooks require approval. */
  readonly reasons?: readonly string[];
  readonly severity?: ApprovalSeverity;
  readonly session: string;
  readonly agent?: string;
  readonly principal?: string;
  readonly askedAt: number;
  readonly deadline: number;
}

/** The answer to a {@link Waiting}. */
export interface Answer {
  readonly decision: 'allow' | 'deny';
  readonly reason?: string;
  /** Also allow further such calls: in this session, or always; for a time, or so many. */
  readonly remember?: NonNullable<Remember['remember']>;
  /** Only calls whose arguments match these patterns, as `InputPattern` of `@hooks/store` describes them. */
  readonly matching?: InputPattern;
}

/** A remembered approval, which covers further calls. */
export interface Remembered {
  readonly id: string;
  readonly toolName: string;
  /** The session that it covers. Not set: all. */
  readonly session?: string;
  /** The run that it covers. Not set: all. */
  readonly run?: string;
  /** The user whose calls it covers. Not set: calls without a user. */
  readonly principal?: string;
  readonly matching?: Readonly<Record<string, string>>;
  /** The one input that it covers. Not set: those that match. */
  readonly input?: unknown;
  /** What `input` does not have: it is only the beginning. */
  readonly leftOut?: LeftOut;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Until when it counts. Not set: for good. */
  readonly until?: number;
  /** How many calls it covers, and how many of them are left. Not set: any number. */
  readonly times?: number;
  readonly left?: number;
}
