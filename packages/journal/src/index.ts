export { JournalError, type JournalErrorCode } from './error.ts';
export { toOtlpLogs } from './export/otlp.ts';
export {
  consistencyProof,
  inclusionProof,
  type TreeHead,
  verifyConsistency,
  verifyInclusion,
} from './integrity/merkle.ts';
export {
  type IntegrityProblem,
  type Verification,
  type VerifiedWriter,
  type VerifyOptions,
  verifyJournal,
} from './integrity/verify.ts';
export { type Erased, type EraseOptions, eraseSession } from './privacy/erase.ts';
export { type Pruned, type PruneOptions, pruneJournal } from './privacy/prune.ts';
export {
  followJournal,
  type JournalFollower,
  type JournalPart,
  type JournalPosition,
  journalFiles,
  readPart,
} from './read/follow.ts';
export type { JournalReading, ReadProblem } from './read/parse.ts';
export { type JournalSource, type ReadOptions, readJournal } from './read/read-journal.ts';
export type { LineText } from './record/line.ts';
export { hashRecord, journalLineText } from './record/line.ts';
export {
  DATA_SCHEMA,
  JOURNAL_VERSION,
  journalDataSchema,
  journalJsonSchema,
  journalLineSchema,
  journalRecordSchema,
  OWN_TYPES,
} from './record/schema.ts';
export type * from './record/types.ts';
export { type ReplayOptions, replay } from './replay/replay.ts';
export type {
  CallFate,
  Gate,
  OtherDivergence,
  ReplayedCall,
  ReplayReport,
  UnknownReason,
  Verdict,
} from './replay/report.ts';
export type { SpanIds } from './write/entry.ts';
export { fileSink } from './write/file-sink.ts';
export { type Journal, type JournalOptions, type JournalTarget, journal } from './write/journal.ts';
export type { JournalSink, SinkLine } from './write/sink.ts';
