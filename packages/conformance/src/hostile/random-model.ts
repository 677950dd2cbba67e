import { type Draw, draw } from '../draw.ts';
import { hostileArguments } from './arguments.ts';

/** A call of a hostile model. */
export interface HostileCall {
  /** `null`: the model's server sends none. */
  readonly id: string | null;
  readonly name: string;
  /** The JSON text, valid or not. */
  readonly arguments: string;
}

/** How a call is approved that needs it. */
export type Asking = 'approver' | 'native' | 'nobody';

/** What a hostile model says in a few runs of one agent. */
export interface HostileConversation {
  /** The calls of each answer, run by run. Every run ends with an answer without calls. */
  readonly runs: readonly (readonly (readonly HostileCall[])[])[];
  readonly asking: Asking;
  /** Whether the runs share a session. */
  readonly session: boolean;
  /** Whether a sub-agent's model sends the calls. */
  readonly inside: boolean;
  /** The length of a streamed piece, in characters. */
  readonly pieceLength: number;
}

/** The limits for a hostile conversation. */
export interface HostileOptions {
  readonly asking: readonly [Asking, ...Asking[]];
  readonly inside: boolean;
}

/** The conversation with this seed: the same for the same options. */
export function hostileConversation(seed: number, { asking, inside }: HostileOptions): HostileConversation {
  const drawn = draw(seed);
  const { below, oneOf } = drawn;
  const many = below(60) === 0;
  let count = 0;
  const answer = (): readonly HostileCall[] => {
    const length = many ? 50 : 1 + below(4);
    return Array.from({ length }, () => hostileCall(drawn, `c${++count}`));
  };
  const run = () => Array.from({ length: 1 + below(many ? 1 : 3) }, answer);
  const chosen = oneOf(asking);
  const runs = Array.from({ length: 1 + below(2) }, run);
  return {
    runs,
    asking: chosen,
    session: chosen === 'native' || below(3) > 0,
    inside,
    pieceLength: Math.max(pieceLengthFor(runs), oneOf([1, 8, 8])),
  };
}

/** The least length of a streamed piece. Some frameworks parse all that they have after each piece. */
export function pieceLengthFor(runs: HostileConversation['runs']): number {
  return runs.flat(2).some((call) => call.arguments.length > 2_000) ? 1_000 : 1;
}

function hostileCall(drawn: Draw, unique: string): HostileCall {
  const { below, oneOf } = drawn;
  const tool = oneOf(['shell', 'shell', 'note'] as const);
  const ids =
    below(10) < 6 ? ([unique] as const) : (['c1', 'c1', 'c2', 'c2', '', null, '__proto__', 'a\nb'] as const);
  const names = below(10) < 9 ? ([tool] as const) : STRANGE;
  return { id: oneOf(ids), name: oneOf(names), arguments: hostileArguments(drawn, tool) };
}

/** Names of tools that the agent does not have. */
const STRANGE = [
  'nobody',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'shell\n',
  'Shell',
  'shell ',
  '',
] as const;
