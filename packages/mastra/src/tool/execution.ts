import { isValidationError } from '@mastra/core/tools';
import { interceptWrites, isEagerHandback, thrownByTool } from '../internals.ts';
import { returnedByTool } from '../translate.ts';
import { type Background, type CallContext, type Operation, type Write, watchSuspend } from './context.ts';

/**
 * A call. What a tool writes to the stream (`context.writer`) may contain parts of the result that hooks would
 * replace or refuse, and they only see the result, so it is withheld. If the tool hands over an operation
 * (`background.adopt`), the operation is its output, which Mastra waits for.
 */
export class Execution {
  #context: CallContext | undefined;
  #suspended = false;
  /** The operation that the current attempt handed over. */
  #operation: Operation | undefined;
  /** Settles the result that Mastra has waited for since the first operation was handed over. */
  #deliver: ((delivered: unknown) => void) | undefined;

  readonly callId: string | undefined;
  readonly toolName: string;
  /** The input that hooks see, as the model wrote it. */
  readonly sent: unknown;
  /** Whether Mastra has asked whether the call needs approval. */
  isAsked = false;
  /** Whether the call ran before and paused. */
  hasEntered = false;
  /** Throws if no tool may run for the call, whichever a hook has named. Called before each attempt. */
  admit: () => void = () => {};

  constructor(callId: string | undefined, toolName: string, sent: unknown) {
    this.callId = callId;
    this.toolName = toolName;
    this.sent = sent;
  }

  /** Sets the context of the call, which is changed in place: see {@link watchSuspend}. */
  enter(given: CallContext | undefined): CallContext | undefined {
    this.hasEntered = true;
    this.#suspended = false;
    const context = watchSuspend(given, () => {
      this.#suspended = true;
    });
    const background = context?.background;
    if (context !== undefined && background !== undefined)
      context.background = { ...background, adopt: (operation) => this.#adopt(background, operation) };
    this.#context = context;
    return context;
  }

  /** The arguments for the tool. */
  get context(): CallContext | undefined {
    return this.#context;
  }

  /**
   * Runs one attempt of the call.
   *
   * @param withheld if set, called for each write of the tool, instead of writing it
   *
   * @throws Suspended where the tool has paused, ReturnedError where Mastra gave a failure as the result
   */
  async during(withheld: Write | undefined, attempt: () => unknown): Promise<unknown> {
    this.admit();
    this.#operation = undefined;
    if (withheld !== undefined) interceptWrites(this.#context, withheld);
    const output = await this.#outputOf(await attempt());
    if (this.#suspended) throw new Suspended(output);
    if (isValidationError(output)) throw returnedByTool(output);
    return output;
  }

  /** The call is over: gives what Mastra is to get as the result of the tool. */
  settle<T>(delivered: () => T): T {
    const result = delivered();
    this.#deliver?.(result);
    return result;
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
    Promise.resolve(operation.completion).catch(() => {}); // awaited when the tool has returned
  }

  async #outputOf(returned: unknown): Promise<unknown> {
    if (this.#operation === undefined) return returned;
    try {
      return await this.#operation.completion;
    } finally {
      this.#operation = undefined;
    }
  }
}

/** The tool has paused: no result yet. */
export class Suspended {
  readonly output: unknown;

  constructor(output: unknown) {
    this.output = output;
  }
}

/** Whether a call pauses by this throw. */
export function isPause(error: unknown): boolean {
  return error instanceof Suspended || isEagerHandback(thrownByTool(error));
}
