import type {
  IntegrityProblem,
  JournalData,
  JournalRecord,
  RegisteredHook,
  ReplayedCall,
  ReplayReport,
} from '@hooks/journal';

/** How a run stands. `open`: no end was recorded; it still runs, or its process died. */
export type RunStatus = 'completed' | 'blocked' | 'failed' | 'canceled' | 'waiting' | 'open';

/** A run, as the list shows it: from a prompt to its answer, with the runs of its sub-agents. */
export interface RunSummary {
  readonly id: string;
  readonly session: string;
  readonly agents: readonly string[];
  /** The prompt, or the first tool call where no prompt was recorded. */
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
  /** What hooks and people decided, by what it was. */
  readonly counts: DecisionCounts;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How often something was decided. */
export interface DecisionCounts {
  readonly blocked: number;
  /** A person was asked. */
  readonly asked: number;
  /** A person, or nobody in time, said no. */
  readonly denied: number;
  /** A hook replaced a value. */
  readonly changed: number;
  readonly retried: number;
  /** A hook failed. */
  readonly failed: number;
}

/** One record of a run. */
export interface RunEvent {
  readonly record: JournalRecord;
  /** Null where it was erased. */
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

/** What the page shows from the start. */
export interface Overview {
  /** Where the journal is. */
  readonly journal: string;
  /** Where approvals wait, if a store was given. */
  readonly store?: string;
  /** The policy to compare with, if one was given. */
  readonly comparedPolicy?: string;
  /** Whether the journal was read to its end. */
  readonly loaded: boolean;
  readonly records: number;
}

/** A policy that was in force. */
export interface Policy {
  readonly digest: string;
  readonly hooks: readonly RegisteredHook[];
}

/** What a verification of the journal found. */
export interface ChainState {
  readonly state: 'intact' | 'open' | 'broken';
  readonly records: number;
  readonly sessions: number;
  readonly erased: number;
  readonly writers: readonly {
    readonly source: string;
    readonly records: number;
    readonly uncovered: number;
    readonly closed: boolean;
    readonly last: string;
    readonly checkpoint?: string;
  }[];
  readonly problems: readonly IntegrityProblem[];
  /** Whether signatures were checked with a key. */
  readonly signatures: boolean;
  /** When it was verified, and how long that took, in milliseconds. */
  readonly at: number;
  readonly tookMs: number;
}

/** What another policy would have done to the calls of the journal. */
export interface Comparison extends Omit<ReplayReport, 'calls'> {
  readonly policy: string;
  /** All calls but those that are the same, with the run that each is in. */
  readonly calls: readonly (ReplayedCall & { readonly run?: string })[];
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
}

/** A request that waits for a person. */
export interface Waiting {
  readonly id: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly reason: string;
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
  /** Allow further such calls, too: in this session, or always. */
  readonly remember?: 'session' | 'always';
  /** Only calls whose arguments match these patterns, as `Remember` of `@hooks/core` describes them. */
  readonly matching?: Readonly<Record<string, string>>;
}

/** An approval that counts for further calls. */
export interface Remembered {
  readonly id: string;
  readonly toolName: string;
  /** The session in which it counts; in all where there is none. */
  readonly session?: string;
  /** Whose calls it counts for; where there is none, for those of nobody in particular. */
  readonly principal?: string;
  readonly matching?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly at: number;
}
