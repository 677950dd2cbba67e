import { isSameInput } from '@hooks/core/adapter';
import { isStoredAs } from '../approval/proposed-calls.ts';
import { Execution } from './execution.ts';

/** A call that Mastra may run, and how it runs. */
interface Known {
  readonly callId: string | undefined;
  /** The input that hooks saw. */
  readonly sent: unknown;
  readonly execution: Execution;
}

/** The calls of a run that have begun or paused. While one runs it is not here, so no other call with its id takes it over. */
export class Executions {
  readonly #all: Set<Known> = new Set();

  /** The execution of a call that hooks are asked about before Mastra runs it. */
  prepare(callId: string, sent: unknown): Execution {
    const known = this.#same(callId, sent);
    if (known !== undefined) return known.execution;
    const execution = new Execution();
    execution.sent = sent;
    this.#all.add({ callId, sent, execution });
    return execution;
  }

  /** Takes the execution of a call that runs now, for the first time or again after a pause. */
  take(callId: string | undefined, sent: unknown): Execution {
    const known = this.#same(callId, sent) ?? this.#stored(callId, sent) ?? this.#paused(callId);
    if (known === undefined) return new Execution();
    this.#all.delete(known);
    return known.execution;
  }

  /** The call has paused. */
  keep(callId: string | undefined, execution: Execution): void {
    this.#all.add({ callId, sent: execution.sent, execution });
  }

  #same(callId: string | undefined, sent: unknown): Known | undefined {
    return [...this.#all].find((one) => one.callId === callId && isSameInput(one.sent, sent));
  }

  /** A call that had to wait behind a paused one, with what Mastra's storage left of its input. */
  #stored(callId: string | undefined, sent: unknown): Known | undefined {
    return [...this.#all].find((one) => one.callId === callId && isStoredAs(one.sent, sent));
  }

  /** Mastra may add to the input while the call is paused. */
  #paused(callId: string | undefined): Known | undefined {
    return [...this.#all].find((one) => one.callId === callId && one.execution.hasEntered);
  }
}
