import type { Played, Scene } from './play.ts';

/** One guard at work in an agent. What it has to come to is the same in every framework. */
export interface Scenario {
  /** The guard, and what it does. */
  readonly rule: string;
  /** Why it cannot be tried on this machine. */
  readonly skip?: string | undefined;
  /** Plays the scene or scenes, and says what has to have come of it. */
  readonly run: (play: (scene: Scene) => Promise<Played>) => Promise<void>;
}
