import type { RunEvent } from '../../src/api.ts';

/** How something ended or was decided; the page has a colour for each. */
export type Tone = 'ok' | 'bad' | 'ask' | 'change' | 'retry' | 'quiet';

/** A word beside a line, for what was decided there. */
export interface Mark {
  readonly text: string;
  readonly tone: Tone;
}

/** What a line of the waterfall is. */
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

/** A line of the waterfall, with all that is recorded of it. */
export interface TraceNode {
  readonly key: string;
  readonly kind: NodeKind;
  label: string;
  /** A line that says more: the prompt, an input. */
  detail: string;
  start: number;
  /** Undefined while no end is recorded. */
  end: number | undefined;
  readonly events: RunEvent[];
  readonly children: TraceNode[];
  /** When the tool really ran. */
  readonly ran: { readonly start: number; readonly end: number }[];
  marks: readonly Mark[];
}
