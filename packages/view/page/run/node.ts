import type { RunEvent } from '../../src/api.ts';

/** The kind of an outcome or decision. The page has a color for each. */
export type Tone = 'ok' | 'bad' | 'ask' | 'change' | 'retry' | 'quiet';

/** A label of a line for a decision. */
export interface Mark {
  readonly text: string;
  readonly tone: Tone;
}

/** The kind of a line in the waterfall. */
export type NodeKind =
  | 'run'
  | 'prompt'
  | 'turn'
  | 'model'
  | 'tool'
  | 'attempt'
  | 'approval'
  | 'subagent'
  | 'answer'
  | 'event';

/** A line of the waterfall, with its records. */
export interface TraceNode {
  readonly key: string;
  readonly kind: NodeKind;
  label: string;
  /** More text: the prompt, an input. */
  detail: string;
  start: number;
  /** Undefined if no end is recorded. */
  end: number | undefined;
  readonly events: RunEvent[];
  readonly children: TraceNode[];
  /** The times at which the tool itself ran. */
  readonly ran: { readonly start: number; readonly end: number }[];
  marks: readonly Mark[];
}
