import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PendingApproval } from '@hooks/core/adapter';
import type { Message } from './model.ts';
import type { Answered } from './run.ts';

/** What the reference framework keeps of a session. */
export interface Stored {
  readonly history: readonly Message[];
  /** Of a run that waits for a person. */
  readonly paused?: {
    readonly run: string;
    readonly iteration: number;
    readonly pending: readonly PendingApproval[];
    /** What was answered already, and what the model will read of the calls that are over. */
    readonly answers: readonly (readonly [callId: string, Answered])[];
    readonly results: readonly (readonly [callId: string, string])[];
  };
}

/** Keeps sessions: in files of a directory, where there is one, else in memory. */
export class Store {
  readonly #directory: string | undefined;
  readonly #memory = new Map<string, string>();

  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  load(session: string): Stored {
    const file = this.#fileOf(session);
    const text =
      file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : this.#memory.get(session);
    return text === undefined ? { history: [] } : JSON.parse(text);
  }

  save(session: string, stored: Stored): void {
    const file = this.#fileOf(session);
    const text = JSON.stringify(stored);
    if (file === undefined) this.#memory.set(session, text);
    else writeFileSync(file, text);
  }

  #fileOf(session: string): string | undefined {
    return this.#directory === undefined ? undefined : join(this.#directory, `${session}.json`);
  }
}
