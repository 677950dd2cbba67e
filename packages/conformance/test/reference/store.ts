import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PendingApproval } from '@hooks/core/adapter';
import type { Message } from './model.ts';
import type { Answered } from './run.ts';

/** The stored state of a session. */
export interface Stored {
  readonly history: readonly Message[];
  /** The state of a paused run. */
  readonly paused?: {
    readonly run: string;
    readonly iteration: number;
    readonly pending: readonly PendingApproval[];
    /** The answers so far. */
    readonly answers: readonly (readonly [callId: string, Answered])[];
    readonly results: readonly (readonly [callId: string, string])[];
  };
}

/** Stores sessions in files of a directory, or in memory if there is none. */
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
