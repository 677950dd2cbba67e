import type { EventData, EventType } from '../events.ts';
import type { Answer } from '../protocol/answer.ts';
import type { ToolKind } from '../protocol/tool-names.ts';
import type { ToolVocabulary } from '../protocol/tools.ts';

/** The supported formats. */
export type DialectName =
  | 'hooks'
  | 'docker-agent'
  | 'claude-code'
  | 'ai4j'
  | 'cursor'
  | 'copilot'
  | 'gemini'
  | 'codex';

/** The parts of an answer. Output that the event does not take is ignored. `text` is plain stdout as context. */
export type Taken =
  | Exclude<keyof Answer, 'reason' | 'messages' | 'permission'>
  | 'deny'
  /** `allow` and `ask`. */
  | 'approval'
  /** Only `ask`; `allow` has no effect. */
  | 'ask'
  | 'text';

/** An event in a dialect. */
export interface WireEvent {
  readonly event: EventType;
  /** Whether it fires for this particular event. Default: always. */
  readonly fires?: (event: EventData) => boolean;
  /** The event's own fields on stdin: the name of a payload field, or a function. */
  readonly stdin: StdinFields;
  readonly takes: readonly Taken[];
  /** The value that a matcher is compared with. Not set: the event has no matcher. */
  readonly matched?: (event: EventData) => string | undefined;
  /** Its own rule for matchers. Default: the dialect's. */
  readonly matches?: (matcher: string, value: string) => boolean;
  /**
   * What a refusal does in addition, or instead: it ends the run, or its reason becomes context and nothing is undone.
   */
  readonly refusal?: 'stops' | 'context';
  /** The meaning of exit code 2 if nothing can be refused: a failed hook, or stderr for the model or the user. */
  readonly exit2?: 'ignored' | 'context' | 'messages';
  /** Runs before the other hooks of our event, which see its changes, or after them. */
  readonly phase?: 'first' | 'last';
  /** A notice for files with such hooks. */
  readonly notice?: string;
  /** Default timeout in milliseconds, if this event has its own. */
  readonly timeoutMs?: number;
}

/** Fields on stdin. A field that is `undefined` is left out. */
export type StdinFields = Readonly<Record<string, string | ((event: EventData) => unknown)>>;

/** A hook's output: the end of a command, or a response body with exit code 0. */
export interface HookOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A format of hook files, and the protocol of its hooks. */
export interface Dialect {
  readonly name: DialectName;
  /** The events that fire, by their names in the dialect. */
  readonly events: Readonly<Record<string, WireEvent>>;
  /** Events of the original program that never fire here. */
  readonly neverFire: readonly string[];
  /** Events of the original program whose hooks can refuse, and that never fire here. A file with one is invalid. */
  readonly unsupportedGates?: readonly string[];
  /** The whole stdin, from the fields of the event. */
  readonly stdin: (event: EventData, wireEvent: string, fields: Readonly<Record<string, unknown>>) => unknown;
  /** Whether a matcher matches a name. Throws `SyntaxError` if the matcher is invalid. */
  readonly matches: (matcher: string, name: string) => boolean;
  /** The part of stdout that is the answer. Default: all of it. */
  readonly answerIn?: (stdout: string, stderr: string) => string;
  /** Reads the JSON object on stdout. Throws an error with the reason if it does not fit the dialect. */
  readonly readOutput: (json: unknown, wireEvent: string) => Answer;
  /** JSON decides on every exit code except 2. The exit code decides only without JSON. */
  readonly jsonOutranksExitCode: boolean;
  /** The first line of a hook that continues in the background. */
  readonly goesOnAlone?: RegExp;
  /** Maximum characters of each text for people and models. Default: no limit. */
  readonly maxText?: number;
  /** A hook's new input is merged over the call's. Default: it replaces the input. */
  readonly mergesInput?: boolean;
  /** Hooks run one after the other until one changes something; otherwise all run at the same time. */
  readonly sequential: boolean;
  /** The dialect's names of tools and their arguments. */
  readonly tools: ToolVocabulary;
  /** A failed hook of this event blocks, regardless of `on_error`. */
  readonly alwaysClosed: (event: EventType) => boolean;
  /** The effect of a failure without `on_error` under `failures: 'as-original'`. */
  readonly originalFailure: (event: EventType) => 'block' | 'proceed';
  /** The environment of a command, derived from the program's own. */
  readonly env: (own: Readonly<Record<string, string>>, event: EventData) => Readonly<Record<string, string>>;
}

/** Tools whose arguments have the same names everywhere, or that no other agent has. */
export function named(names: Readonly<Partial<Record<ToolKind, string>>>): ToolVocabulary['families'] {
  return Object.fromEntries(Object.entries(names).map(([kind, name]) => [kind, { name, fields: {} }]));
}
