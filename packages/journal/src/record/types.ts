import type { DecisionKind, HookVerb, Principal, ToolCallStatus, ToolKind } from '@hooks/core';

/** A decision, without its texts: those stand in the data, which can be erased. */
export interface RecordedDecision {
  readonly kind: 'proceed' | DecisionKind;
  /** The hook that blocked or retried. */
  readonly by?: string;
  /** The hook failed, and its gate stayed closed. */
  readonly failed?: true;
  /** A Block that also ended the run. */
  readonly stop?: true;
  /** Whom `ToolApprovalDecision` names for a Block. */
  readonly source?: string;
  readonly delayMs?: number;
  /** Modify: the fields that it replaced. The data of the record has their final values. */
  readonly fields?: readonly string[];
  /** Modify: those of the fields whose value a later hook replaced; it is not recorded. */
  readonly superseded?: readonly string[];
  /** Modify of `approval`. */
  readonly approval?: {
    readonly kind: 'required' | 'granted';
    /** No hook may grant it. */
    readonly by?: 'person';
    readonly source?: string;
  };
  /** Modify of `toolName`: the tool that was called instead. */
  readonly toolName?: string;
}

/** One hook that was asked, in order. */
export interface RecordedHook {
  /** `provider/id`. */
  readonly id: string;
  readonly verb: HookVerb;
  /** What it answered; absent where it failed. */
  readonly decision?: RecordedDecision;
  /** The code of its failure. */
  readonly error?: string;
  /** Names what it asked outside of its process: a program, a service, a model. */
  readonly external?: string;
  /** In milliseconds. */
  readonly durationMs: number;
}

/** The tool call that a record is about. */
export interface RecordedTool {
  /** The name that the model sees. */
  readonly name: string;
  /** The framework's name, where it is another. */
  readonly nativeName?: string;
  /** The model's id of the call. */
  readonly callId: string;
  /** The call inside which it was made. */
  readonly parentCallId?: string;
  readonly kind?: ToolKind;
  /** SHA-256 of the tool's input schema, as canonical JSON. */
  readonly schemaDigest?: string;
  /** Where the call ran instead of at its tool. */
  readonly route?: { readonly provider: string; readonly isolated: boolean };
}

/** What else is known of an event, by the field names of its payload. */
export interface RecordedDetails {
  readonly iteration?: number;
  readonly model?: string;
  readonly provider?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** How a prompt came. */
  readonly delivery?: string;
  /** Why a session opened, or who asked for a compaction. */
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

/** A hook of the policy in force. */
export interface RegisteredHook {
  readonly id: string;
  readonly verb: HookVerb;
  readonly event: string;
  readonly priority: number;
  readonly matcher?: string;
  readonly agents?: string;
  /** The version that its provider states: of a file, the hash of its content. */
  readonly version?: string;
}

/** A statement about all records that one writer has written so far. */
export interface Checkpoint {
  /** How many records of this writer it covers: all before it. */
  readonly size: number;
  /** The Merkle tree hash (RFC 6962) of their hashes. */
  readonly root: string;
  /** The writer has closed: it writes nothing after this. */
  readonly final: boolean;
  /** SHA-256 of the public key (SPKI, DER); absent where the journal has no key. */
  readonly key?: string;
  /** Ed25519 over the canonical JSON of the record without this field, in base64. */
  readonly signature?: string;
}

/**
 * One record of a journal. Nothing in it can be erased; texts and values stand in the {@link JournalData} beside it, to which
 * `commitment` binds it.
 *
 * `specversion`, `id`, `source`, `type`, `time` and `dataschema` are attributes of CloudEvents 1.0.
 */
export interface JournalRecord {
  readonly specversion: '1.0';
  /** How many records this writer has written before, as text: unique within `source`. */
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
  /** The session in which a sub-agent's session was started. */
  readonly parentSession?: string;
  /** The position in the chain: the records of this writer in this session, or in none. */
  readonly sequence: number;
  /** The hash of the record before it in the chain; null for the first. */
  readonly previous: string | null;
  readonly agent?: string;
  readonly run?: string;
  readonly turn?: string;
  /** The digest of the policy in force; its hooks are in a record of type `hooks.policy`. */
  readonly policy?: string;
  /** How long the dispatch took, in milliseconds. */
  readonly durationMs?: number;
  /** What came of the dispatch. */
  readonly decision?: RecordedDecision;
  /** Who was asked. Of observers, those that failed. */
  readonly hooks?: readonly RecordedHook[];
  readonly tool?: RecordedTool;
  /** Which attempt at the call it was, from 1; 0 where nothing ran. */
  readonly attempt?: number;
  /** How the call ended; of `hooks.transform_tool_result`, how the tool did. */
  readonly status?: ToolCallStatus;
  /** Whether the tool, or what stood in for it, did run. */
  readonly ran?: boolean;
  readonly code?: 'INVALID_INPUT';
  /** How long this attempt ran, in milliseconds. */
  readonly toolMs?: number;
  /** How an approval was resolved, and by whom. */
  readonly approval?: { readonly decision: 'allow' | 'deny' | 'canceled'; readonly source: string };
  readonly details?: RecordedDetails;
  /** `hooks.policy`: the hooks registered, without observers. */
  readonly registered?: readonly RegisteredHook[];
  /** `hooks.checkpoint`. */
  readonly checkpoint?: Checkpoint;
  /** Values that could not be recorded, since they have no JSON form. */
  readonly omitted?: readonly string[];
  /** Binds the data: SHA-256 of its canonical JSON, which holds a random salt. */
  readonly commitment?: string;
  /** The data is large, and stands in a file of its own. */
  readonly blob?: true;
}

/**
 * The values and texts of a record, as hooks left them. They stand beside the chain, and can be erased without breaking it. The salt
 * keeps short values from being guessed by their commitment.
 */
export interface JournalData {
  readonly salt: string;
  /** Of a tool call: what runs, or would have run. */
  readonly input?: unknown;
  readonly output?: unknown;
  /** What the tool threw: its message. */
  readonly errorMessage?: string;
  readonly prompt?: string;
  /** Of a model: its text. */
  readonly response?: string;
  readonly message?: string;
  readonly summary?: string;
  /** What hooks told the model. */
  readonly context?: readonly string[];
  /** For whom it happened. */
  readonly principal?: Principal;
  /** Of the decision, of an approval, or why approval was required. */
  readonly reason?: string;
  /** Of an approval: SHA-256 of the input, as `ApprovalRequest.hash`. */
  readonly approvedHash?: string;
  /** Where hooks changed a value, as JSON Pointers such as `/input/command`; what stood there is not recorded. */
  readonly replaced?: readonly string[];
  /** What hooks said, by the position in `record.hooks`. */
  readonly hooks?: Readonly<Record<string, HookTexts>>;
}

/** What a hook said. */
export interface HookTexts {
  readonly reason?: string;
  readonly note?: string;
}

/** One line of a journal. */
export interface JournalLine {
  /** Null where it was erased; absent where there was none, or where it stands elsewhere. */
  readonly data?: JournalData | null;
  /** The leaf hash of RFC 6962: SHA-256 of a zero byte and the record's canonical JSON (RFC 8785), in hexadecimal. */
  readonly hash: string;
  readonly record: JournalRecord;
}
