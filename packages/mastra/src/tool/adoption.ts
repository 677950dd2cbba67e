import type { CallContext } from './context.ts';

/** What a tool that runs in the background hands over, to be its result when it is done. */
export interface Operation {
  readonly completion: unknown;
  readonly cancel?: ((reason?: unknown) => unknown) | undefined;
}

/** How a tool that runs in the background hands an operation over. */
export interface Background {
  adopt(operation: Operation): void;
}

/**
 * Stands where a tool hands an operation over (`background.adopt`), whose result Mastra would else take past the hooks: it
 * is the output of the call, and what Mastra waits for is what hooks leave of it.
 */
export class Adoption {
  /** The operation of the present attempt. */
  #operation: Operation | undefined;
  #deliver: ((delivered: unknown) => void) | undefined;

  /** The context of a call, which is changed in place: see {@link watchSuspend}. */
  enter(context: CallContext | undefined): void {
    const { background } = context ?? {};
    if (context === undefined || background === undefined) return;
    context.background = { ...background, adopt: (operation) => this.#adopt(background, operation) };
  }

  /** The output of an attempt that has returned this. */
  async output(returned: unknown): Promise<unknown> {
    if (this.#operation === undefined) return returned;
    try {
      return await this.#operation.completion;
    } finally {
      this.#operation = undefined;
    }
  }

  /** An attempt starts. */
  start(): void {
    this.#operation = undefined;
  }

  /** The call is over, with this. */
  deliver<T>(delivered: T): T {
    this.#deliver?.(delivered);
    return delivered;
  }

  #adopt(background: Background, operation: Operation): void {
    if (this.#deliver === undefined) {
      const completion = new Promise((resolve) => {
        this.#deliver = resolve;
      });
      background.adopt({ completion, cancel: (reason) => this.#operation?.cancel?.(reason) });
    } else if (this.#operation !== undefined) {
      throw new Error('A background tool may adopt only one operation');
    }
    this.#operation = operation;
    Promise.resolve(operation.completion).catch(() => {}); // it is waited for when the tool has returned
  }
}
