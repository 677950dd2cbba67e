/** What becomes of a decision in an agent. */
export type Carried =
  | 'yes'
  /** The agent cannot do it, so it is refused: the call does not run, the result is withheld. The reason says why. */
  | 'refused'
  /** What was decided on is refused, and the run goes on; the reason says so. */
  | 'in part'
  /** It is left out, and the user is told. */
  | 'left out'
  /** The agent can neither do nor refuse it; the user is told. */
  | 'no';

/** The moments at which agents ask their hooks, and what a policy may decide there. */
export const DECISIONS = {
  call: [
    'block',
    'block, stop',
    'modify.input',
    'modify.toolName',
    'modify.execute',
    'modify.context',
    'require approval',
    'grant approval',
  ],
  approval: ['block', 'block, stop', 'modify.input', 'grant approval'],
  result: ['block', 'block, stop', 'modify.output', 'modify.context', 'retry'],
  'failed result': ['block', 'block, stop', 'modify.errorMessage', 'modify.context', 'retry'],
  prompt: ['block', 'block, stop', 'modify.prompt', 'modify.context'],
  start: ['modify.context'],
  turn: ['modify.context'],
  stop: ['retry'],
  compaction: ['block', 'modify.summary', 'modify.context'],
} as const;

export type Moment = keyof typeof DECISIONS;

/** What becomes of each decision in one agent. What an agent has no such moment for is not in it. */
export type Carries = {
  readonly [M in Moment]?: { readonly [D in (typeof DECISIONS)[M][number]]: Carried };
};

/** The agent's name in sentences, and what becomes of decisions in it. */
export interface Able {
  readonly title: string;
  readonly carries: Carries;
}
