import type { Hooks, Session } from '@hooks/core';
import type { AgentSpec, RunOptions } from '../../src/index.ts';
import type { Fault } from './faults.ts';
import type { Message } from './model.ts';

/** A registry with its session of this run. */
export interface Gate {
  readonly hooks: Hooks;
  readonly session: Session;
}

/** One run on its way. */
export interface Run {
  readonly id: string;
  readonly spec: AgentSpec;
  readonly options: RunOptions;
  /** Outermost first. */
  readonly gates: readonly Gate[];
  /** The session's messages; what is pushed is kept. */
  readonly history: Message[];
  /** Shows something to the framework's user. */
  readonly show: (kind: string, value: unknown) => void;
  readonly faults: ReadonlySet<Fault>;
}

/** A hook ended the run. */
export class Stopped extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`The run was stopped: ${reason}`);
    this.reason = reason;
  }
}
