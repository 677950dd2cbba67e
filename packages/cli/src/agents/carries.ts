/** How an agent carries out a decision. */
export type Carried =
  | 'yes'
  /** The agent cannot do it, so the call does not run or the result is withheld. The reason says why. */
  | 'refused'
  /** The call or result is refused, but the run continues. The reason says so. */
  | 'in part'
  /** The decision has no effect, and the user gets a warning. */
  | 'left out'
  /** The agent can neither carry it out nor refuse. The user gets a warning. */
  | 'no';

/** The moments at which agents run hooks, and the decisions that a policy may make there. */
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
  stop: ['block', 'retry'],
  compaction: ['block', 'modify.summary', 'modify.context'],
} as const;

export type Moment = keyof typeof DECISIONS;

/** How one agent carries out each decision. Moments that the agent does not have are missing. */
export type Carries = {
  readonly [M in Moment]?: { readonly [D in (typeof DECISIONS)[M][number]]: Carried };
};

/** The agent's name in sentences, and how it carries out decisions. */
export interface Capabilities {
  readonly title: string;
  readonly carries: Carries;
}
