import type { EventData, EventType } from '../events.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ToolVocabulary } from '../protocol/tools.ts';

/** The formats that are read. */
export type DialectName = 'hooks' | 'docker-agent' | 'claude-code' | 'ai4j' | 'cursor' | 'copilot';

/** What an answer may hold; a hook's output that its event does not take is ignored. `text` is plain stdout as context. */
export type Taken =
  | Exclude<keyof Answer, 'reason' | 'messages' | 'permission'>
  | 'deny'
  /** `allow` and `ask`. */
  | 'approval'
  /** `ask` alone: an `allow` is no more than a remark. */
  | 'ask'
  | 'text';

/** One event as a dialect has it. */
export interface WireEvent {
  readonly event: EventType;
  /** Whether it fires for this very event; absent: always. */
  readonly fires?: (event: EventData) => boolean;
  /** The fields on stdin beside the common ones: a name of the payload's field, or a function. */
  readonly stdin: StdinFields;
  readonly takes: readonly Taken[];
  /** What a matcher is held against. Absent: the event has no matcher. */
  readonly matched?: (event: EventData) => string | undefined;
  /** What a refusal does beside refusing: it ends the run, or instead: its reason is context, and nothing is undone. */
  readonly refusal?: 'stops' | 'context';
  /** What exit code 2 is, where it refuses nothing: a failed hook, or stderr told to the model or to the user. */
  readonly exit2?: 'ignored' | 'context' | 'messages';
  /** Asked before the other hooks of our event, which see what it made of it; or after them. */
  readonly phase?: 'first' | 'last';
  /** What a reader of a file with such hooks should know. */
  readonly notice?: string;
  /** Milliseconds for a hook that names no timeout, where the event has a default of its own. */
  readonly timeoutMs?: number;
}

/** Fields on stdin; one that comes out `undefined` is left out. */
export type StdinFields = Readonly<Record<string, string | ((event: EventData) => unknown)>>;

/** The output of a hook: the end of a command, or the body of a response with exit code 0. */
export interface HookOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A dialect of hook files and of the protocol with the hooks in them. */
export interface Dialect {
  readonly name: DialectName;
  /** The events that fire, by the dialect's names. */
  readonly events: Readonly<Record<string, WireEvent>>;
  /** Events that the original has and that never fire here. */
  readonly neverFire: readonly string[];
  /** The whole stdin, given the fields of the event. */
  readonly stdin: (event: EventData, wireEvent: string, fields: Readonly<Record<string, unknown>>) => unknown;
  /** Whether a matcher means this name. Throws `SyntaxError` for an expression that is none. */
  readonly matches: (matcher: string, name: string) => boolean;
  /** The part of stdout that is the answer. Default: all of it. */
  readonly answerIn?: (stdout: string) => string;
  /** What the JSON object on stdout says. Throws for one that the dialect does not know; the message says why. */
  readonly readOutput: (json: unknown, wireEvent: string) => Answer;
  /** JSON decides on every exit code but 2, and the exit code only without it. */
  readonly jsonOutranksExitCode: boolean;
  /** The first line of a hook that answers nothing and goes on by itself. */
  readonly goesOnAlone?: RegExp;
  /** Characters kept of each text for people and models. Default: all. */
  readonly maxText?: number;
  /** One after the other, and the first answer that changes something ends it; else all at once. */
  readonly sequential: boolean;
  /** What the dialect calls tools and their arguments. */
  readonly tools: ToolVocabulary;
  /** A failed hook of this event blocks, whatever its `on_error` says. */
  readonly alwaysClosed: (event: EventType) => boolean;
  /** What `failures: 'as-original'` does on a failure without `on_error`. */
  readonly originalFailure: (event: EventType) => 'block' | 'proceed';
  /** The environment of a command, made of the program's own. */
  readonly env: (own: Readonly<Record<string, string>>, event: EventData) => Readonly<Record<string, string>>;
}
