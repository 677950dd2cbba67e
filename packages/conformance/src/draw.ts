/** Random values that are the same for the same seed. */
export interface Draw {
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** A whole number from 0 up to, but not including, a limit. */
  readonly below: (limit: number) => number;
  readonly oneOf: <T>(choices: readonly [T, ...T[]]) => T;
}

export function draw(seed: number): Draw {
  const random = generator(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return { random, below, oneOf: (choices) => choices[below(choices.length)] ?? choices[0] };
}

/** Numbers from 0 to 1 by a linear congruential generator. */
function generator(seed: number): () => number {
  let state = Math.imul(seed + 1, 2_654_435_761);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** How many times as many cases random scenarios draw: `HOOKS_RANDOM`, or 1. */
export function times(): number {
  return Number(process.env['HOOKS_RANDOM'] ?? 1);
}

/** The number of cases that a random scenario draws: `few`, times `HOOKS_RANDOM` if that is set. */
export function drawn(few: number): number {
  return Math.ceil(few * times());
}
