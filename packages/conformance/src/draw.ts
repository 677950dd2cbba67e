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

/** How many times as many cases random scenarios draw: `HOOKS_RANDOM`, or 1. Below 1, the suite plays a part. */
export function times(): number {
  return Number(process.env['HOOKS_RANDOM'] ?? 1);
}

/** Which part the suite plays if it plays one only: `HOOKS_PART`, from 0 up, or 0. */
function part(): number {
  return Number(process.env['HOOKS_PART'] ?? 0);
}

/** The first seed of random scenarios: `HOOKS_FIRST`, or 0. */
function firstSeed(): number {
  return Number(process.env['HOOKS_FIRST'] ?? 0);
}

/**
 * The seeds that a random scenario draws: from `HOOKS_FIRST` or 0 on, `few` times `HOOKS_RANDOM` if that is set. Below 1, those of
 * the part that `HOOKS_PART` names.
 */
export function drawn(few: number): readonly number[] {
  const count = Math.ceil(few * times());
  const parts = Math.max(1, Math.floor(few / count));
  const first = firstSeed() + (part() % parts) * count;
  return Array.from({ length: count }, (_, nth) => first + nth);
}

/** Whether a part has the streamed form of what is played in both. It is another form in every second part. */
export function isStreamedIn(name: string): boolean {
  let hash = 0;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return ((hash >>> 16) + part()) % 2 === 1;
}
