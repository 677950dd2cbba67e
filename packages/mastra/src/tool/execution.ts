import type { ToolCallOutcome } from '@hooks/core';
import { interceptWrites } from '../internals.ts';
import { isValidationError, ReturnedError } from '../translate.ts';
import { Adoption } from './adoption.ts';
import { type CallContext, type Write, watchSuspend } from './context.ts';

/**
 * How a call is executed. What a tool writes to the stream itself (`context.writer`) may hold pieces of its result, so
 * it is held back until hooks have decided on that: where the result stands as the tool gave it, all is written then;
 * else nothing is.
 */
export class Execution {
  #context: CallContext | undefined;
  #suspended = false;
  #mode: 'passing' | 'held' | 'withheld' = 'passing';
  #held: unknown[] = [];
  /** What was held back when the call paused. */
  #before: unknown[] = [];
  #write: Write | undefined;
  readonly #adoption: Adoption = new Adoption();
  /** What the last attempt returned or threw. */
  #given: unknown;

  /** The call runs: what Mastra gives to its tool is known, which may be later than the call was begun. */
  enter(given: CallContext | undefined): CallContext | undefined {
    this.#suspended = false;
    this.#write = undefined;
    this.#context = watchSuspend(given, () => {
      this.#suspended = true;
    });
    this.#adoption.enter(this.#context);
    return this.#context;
  }

  /** What the tool is to be given. */
  get context(): CallContext | undefined {
    return this.#context;
  }

  /**
   * Runs one attempt of the call. What an earlier one has written is forgotten.
   *
   * @throws Suspended where the tool has paused, ReturnedError where Mastra gave a failure as the result
   */
  async during(hold: boolean, attempt: () => unknown): Promise<unknown> {
    this.start(hold);
    try {
      const output = await this.#adoption.output(await attempt());
      if (this.#suspended) throw new Suspended(output);
      if (isValidationError(output)) throw new ReturnedError(output);
      this.#given = output;
      return output;
    } catch (error) {
      this.pauses(); // in a stream by a throw of Mastra's
      this.#given = error;
      throw error;
    }
  }

  /** An attempt starts. Where it runs elsewhere, {@link pauses} and {@link settle} follow. */
  start(hold: boolean): void {
    this.#adoption.start();
    this.#held = [];
    this.#mode = hold ? 'held' : 'passing';
    if (hold) this.#write ??= interceptWrites(this.#context, (chunk) => this.#take(chunk));
  }

  /** Whether the attempt has ended in a pause: what was held back until then stays so until the call goes on. */
  pauses(): boolean {
    if (this.#suspended) this.#before.push(...this.#held.splice(0));
    return this.#suspended;
  }

  /** The call is over; `given` is what the tool returned or threw, where it did not run in {@link during}. */
  async settle({ status, output, error }: ToolCallOutcome, given: unknown = this.#given): Promise<void> {
    if (this.#mode !== 'held') return;
    const stands = (status === 'ok' && output === given) || (status === 'error' && error === given);
    this.#mode = stands ? 'passing' : 'withheld';
    if (stands) for (const chunk of [...this.#before, ...this.#held]) await this.#write?.(chunk);
    this.#held = [];
    this.#before = [];
  }

  /** What the copy of the tool gives, which is what Mastra waits for where the tool has handed an operation over. */
  deliver<T>(delivered: T): T {
    return this.#adoption.deliver(delivered);
  }

  #take(chunk: unknown): unknown {
    if (this.#mode === 'passing') return this.#write?.(chunk);
    if (this.#mode === 'held') this.#held.push(chunk);
    return undefined;
  }
}

/** The tool has paused: no result yet. */
export class Suspended {
  readonly output: unknown;

  constructor(output: unknown) {
    this.output = output;
  }
}
