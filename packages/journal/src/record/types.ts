import type { DecisionKind, HookVerb, Principal, ToolCallStatus, ToolKind } from '@hooks/core';

/** A decision without its texts, which are in the data and can be erased. */
export interface RecordedDecision {
  readonly kind: 'proceed' | DecisionKind;
  /** The hook that blocked or retried. */
  readonly by?: string;
  /** The hook failed, and its gate stayed closed. */
  readonly failed?: true;
  /** A Block that also ended the run. */
  readonly stop?: true;
  /** The source that `ToolApprovalDecision` has for a Block. */
  readonly source?: string;
  readonly delayMs?: number;
  /** For Modify: the replaced fields. The data of the record has their final values. */
  readonly fields?: readonly string[];
  /** For Modify: the fields whose value a later hook replaced. That value is not recorded. */
  readonly superseded?: readonly string[];
  /** For Modify of `approval`. */
  readonly approval?: {
    readonly kind: 'required' | 'granted';
    /** Whether only a person may grant it. */
    readonly by?: 'person';
    readonly source?: string;
  };
  /** For Modify of `toolName`: the tool that was called instead. */
  readonly toolName?: string;
}

/** One hook that ran, in order. */
export interface RecordedHook {
  /** `provider/id`. */
  readonly id: string;
  readonly verb: HookVerb;
  /** Its answer. Absent if it failed. */
  readonly decision?: RecordedDecision;
  /** The code of its failure. */
  readonly error?: string;
  /** Its calls to other processes: a program, a service, a model. */
  readonly external?: string;
  /** In milliseconds. */
  readonly durationMs: number;
}

/** The tool call that a record is about. */
export interface RecordedTool {
  /** The name that the model sees. */
  readonly name: string;
  /** The framework's name, if it differs. */
  readonly nativeName?: string;
  /** The framework's name of the tool that a hook had run instead of that one. */
  readonly renamedTo?: string;
  /** The model's id of the call. */
  readonly callId: string;
  /** The call inside which it was made. */
  readonly parentCallId?: string;
  readonly kind?: ToolKind;
  /** SHA-256 of the tool's input schema, as canonical JSON. */
  readonly schemaDigest?: string;
  /** Where the call ran instead of its tool. */
  readonly route?: { readonly provider: string; readonly isolated: boolean };
}

/** Further fields of an event, by the names of its payload. */
export interface RecordedDetails {
  readonly iteration?: number;
  readonly model?: string;
  readonly provider?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** How a prompt arrived. */
  readonly delivery?: string;
  /** Why a session opened, or who requested a compaction. */
  readonly source?: string;
  /** Why a turn or session ended, or a history was compacted. */
  readonly reason?: string;
  readonly subagent?: string;
  readonly subagentSession?: string;
  readonly from?: string;
  readonly to?: string;
  readonly switchKind?: string;
  readonly level?: string;
  readonly maxIterations?: number;
  readonly continuations?: number;
  readonly last?: boolean;
}

/** A hook of the current policy. */
export interface RegisteredHook {
  readonly id: string;
  readonly verb: HookVerb;
  readonly event: string;
  readonly priority: number;
  readonly matcher?: string;
  readonly agents?: string;
  /** The version of its provider: a release, or a hash of its options or its file. */
  readonly version?: string;
}

/** A statement about all records that one writer has written so far. */
export interface Checkpoint {
  /** How many records of this writer it covers: all before it. */
  readonly size: number;
  /** The Merkle tree hash (RFC 6962) of their hashes. */
  readonly root: string;
  /** Whether the writer has closed: it writes nothing after this. */
  readonly final: boolean;
  /** SHA-256 of the public key (SPKI, DER); absent where the journal has no key. */
  readonly key?: string;
  /** Ed25519 over the canonical JSON of the record without this field, in base64. */
  readonly signature?: string;
}

/** Records that were lost because they could not be written, and too many waited. */
export interface Gap {
  /** How many. */
  readonly lost: number;
  /** When the first and the last of them happened: UTC, with milliseconds. */
  readonly since: string;
  readonly until: string;
}

/** Who changed what a journal keeps, and why. */
export interface Responsible {
  readonly by?: string;
  readonly why?: string;
}

/** A torn line: its process was killed while it wrote the line, or the disk was full. It holds no record. */
export interface TornLine {
  /** How long it is, in bytes. */
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Its process writes the line again. */
  readonly again?: true;
}

/** The data of sessions was erased: of all their records before this one. */
export interface Erasure extends Responsible {
  readonly sessions: readonly string[];
  readonly records: number;
  /** The last record of these sessions by each writer. A later one is not erased, whatever the clocks say. */
  readonly last?: readonly { readonly source: string; readonly id: number }[];
  /** What is left of torn lines, without their data. */
  readonly torn?: readonly TornLine[];
  /** The hashes of the records that named these lines before. Those names no longer count. */
  readonly replaces?: readonly string[];
}

/** The oldest days were removed. The journal verifies from here on. */
export interface Pruning extends Responsible {
  /** The first day that was kept: `2026-11-23`. */
  readonly before: string;
  /** How many records were removed. */
  readonly records: number;
  /** In a store: the position in the log at which the journal goes on. */
  readonly position?: number;
  /** The writers that had not closed, with what is needed to verify the rest of what they wrote. */
  readonly writers: readonly PrunedWriter[];
  /**
   * The records of new keys that were removed, as canonical JSON. Each is signed with the key before it, so whoever verifies with an old
   * key still comes to trust the new one, and a key that was replaced stays so.
   */
  readonly rotations?: readonly string[];
}

/** What one writer had written before a pruning. */
export interface PrunedWriter {
  readonly source: string;
  /** How many records, and the roots of the complete subtrees of their Merkle tree, the largest first. */
  readonly size: number;
  readonly roots: readonly string[];
  /** The hash of its last checkpoint. */
  readonly checkpoint?: string;
}

/** A key of which the one before it says that it comes next. */
export interface KeyRotation {
  /** SHA-256 of the public key (SPKI, DER), in hexadecimal, and that key in base64. */
  readonly key: string;
  readonly publicKey: string;
  /** The key before it, by its hash. */
  readonly by: string;
  /** Ed25519 with the key before it, over the canonical JSON of the record without this field, in base64. */
  readonly signature?: string;
}

/**
 * One record of a journal. It cannot be erased. Texts and values are in the {@link JournalData} beside it, which
 * `commitment` binds to it.
 *
 * `specversion`, `id`, `source`, `type`, `time` and `dataschema` are attributes of CloudEvents 1.0.
 */
export interface JournalRecord {
  readonly specversion: '1.0';
  /** How many records this writer has written before, as text. Unique within `source`. */
  readonly id: string;
  /** The writer: one journal in one process, `urn:uuid:…`. */
  readonly source: string;
  /** `hooks.` and the event's type, or one of {@link OWN_TYPES}. */
  readonly type: string;
  /** When it began: UTC, with milliseconds. */
  readonly time: string;
  /** `urn:hooks:journal:` and the version of the format. */
  readonly dataschema: 'urn:hooks:journal:1';
  /** The session; absent in records about the journal itself. */
  readonly session?: string;
  /** The session that started this sub-agent's session. */
  readonly parentSession?: string;
  /** The position in the chain: the records of this writer in this session, or outside of sessions. */
  readonly sequence: number;
  /** The hash of the previous record in the chain. Null for the first. */
  readonly previous: string | null;
  readonly agent?: string;
  readonly run?: string;
  readonly turn?: string;
  /** The digest of the current policy. Its hooks are in a record of type `hooks.policy`. */
  readonly policy?: string;
  /** The tenant of the principal. */
  readonly tenant?: string;
  /** The span in which it happened, as W3C Trace Context has it. */
  readonly traceId?: string;
  readonly spanId?: string;
  /** How long the dispatch took, in milliseconds. */
  readonly durationMs?: number;
  /** The outcome of the dispatch. */
  readonly decision?: RecordedDecision;
  /** The hooks that ran. Of observers, only those that failed. */
  readonly hooks?: readonly RecordedHook[];
  readonly tool?: RecordedTool;
  /** The number of the attempt at the call, from 1. 0 if nothing ran. */
  readonly attempt?: number;
  /** How the call ended. For `hooks.transform_tool_result`: how the tool ended. */
  readonly status?: ToolCallStatus;
  /** Whether the tool ran, here or where a hook routed the call. */
  readonly ran?: boolean;
  /** A hook or a person gave the result in place of the tool. */
  readonly answered?: true;
  readonly code?: 'INVALID_INPUT';
  /** How long this attempt ran, in milliseconds. */
  readonly toolMs?: number;
  /** How an approval was resolved, and by whom. */
  readonly approval?: { readonly decision: 'allow' | 'deny' | 'canceled'; readonly source: string };
  readonly details?: RecordedDetails;
  /** For `hooks.policy`: the registered hooks, without observers. */
  readonly registered?: readonly RegisteredHook[];
  /** For `hooks.checkpoint`. */
  readonly checkpoint?: Checkpoint;
  /** For `hooks.gap`, `hooks.erasure`, `hooks.pruning` and `hooks.key`. */
  readonly gap?: Gap;
  readonly erasure?: Erasure;
  readonly pruning?: Pruning;
  readonly rotation?: KeyRotation;
  /** Values that were not recorded, because they have no JSON form, or are too large for a store. */
  readonly omitted?: readonly string[];
  /** Binds the data: SHA-256 of its canonical JSON, which holds a random salt. */
  readonly commitment?: string;
  /** The data is large and has its own file. */
  readonly blob?: true;
}

/**
 * The values and texts of a record, as hooks left them. They are beside the chain, so they can be erased without
 * breaking it. The salt keeps short values from being guessed by their commitment.
 */
export interface JournalData {
  readonly salt: string;
  /** For a tool call: the input that ran, or would have run. */
  readonly input?: unknown;
  readonly output?: unknown;
  /** The message of the error that the tool threw. */
  readonly errorMessage?: string;
  readonly prompt?: string;
  /** The text of a model's answer. */
  readonly response?: string;
  readonly message?: string;
  readonly summary?: string;
  /** The context that hooks added. */
  readonly context?: readonly string[];
  /** The principal. */
  readonly principal?: Principal;
  /** The reason of the decision, of an approval, or of required approval. */
  readonly reason?: string;
  /** For a tool call: SHA-256 of the input that the model sent, as canonical JSON. */
  readonly askedHash?: string;
  /** For a tool call: SHA-256 of the input as hooks left it. */
  readonly inputHash?: string;
  /** For an approval: SHA-256 of the approved input. */
  readonly approvedHash?: string;
  /** For an approval or a denial: the name of the person who decided, if the approver gave it. */
  readonly approvedBy?: string;
  /** Where hooks changed a value, as JSON Pointers such as `/input/command`. The original is not recorded. */
  readonly replaced?: readonly string[];
  /** The texts of hooks, by their position in `record.hooks`. */
  readonly hooks?: Readonly<Record<string, HookTexts>>;
  /**
   * For `hooks.torn_line`: what this writer found in front of the first line that it wrote. It is data, because whoever has the hash of a
   * text can guess a short one. What stands in a journal and is neither a record nor named, here or by an erasure, is none of it.
   */
  readonly torn?: readonly TornLine[];
}

/** The texts of a hook. */
export interface HookTexts {
  readonly reason?: string;
  readonly note?: string;
}

/** One line of a journal. */
export interface JournalLine {
  /** Null if erased. Absent if there is none, or it is elsewhere. */
  readonly data?: JournalData | null;
  /** The leaf hash of RFC 6962: SHA-256 of a zero byte and the record's canonical JSON (RFC 8785), in hexadecimal. */
  readonly hash: string;
  readonly record: JournalRecord;
}
