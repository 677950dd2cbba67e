import { Readable } from 'node:stream';
import { eventsOf, type SdkResult } from '../internals.ts';

/** What follows a streamed run. */
export interface Following {
  /** The streamed run that goes on where this one ended, if one does. */
  readonly next: (result: SdkResult) => Promise<SdkResult | undefined>;
  /** Called once, when nothing follows any more. */
  readonly over: (newest: SdkResult, error?: { readonly cause: unknown }) => Promise<void>;
}

/**
 * A streamed result that goes on: its events are those of all runs, its other properties those of the newest, and it
 * is completed when everything that has to be told is told.
 */
export function followed(first: SdkResult, following: Following): SdkResult {
  const chain = new Chain(first, following);
  const { events, completed } = chain;
  const replaced: { [name: PropertyKey]: unknown } = {
    toStream: () => events,
    toTextStream: (options?: { readonly compatibleWithNodeStreams?: boolean }) => {
      const text = events.pipeThrough(onlyText());
      return options?.compatibleWithNodeStreams === true ? Readable.from(text) : text;
    },
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
    completed,
  };
  return new Proxy(first, {
    get: (_first, name) => {
      if (Object.hasOwn(replaced, name)) return replaced[name];
      const { newest } = chain;
      const value: unknown = Reflect.get(newest, name, newest);
      return typeof value === 'function' ? value.bind(newest) : value;
    },
  });
}

type Reader = ReadableStreamDefaultReader<unknown>;

class Chain {
  newest: SdkResult;
  readonly completed: Promise<void>;
  /** The events of all runs. Whoever leaves them, before or while they are read, cancels the run that goes on. */
  readonly events: ReadableStream<unknown>;
  readonly #following: Following;
  /** What follows each run, settled when it is known. */
  readonly #after: Map<SdkResult, PromiseWithResolvers<SdkResult | undefined>> = new Map();
  /** The run that is read. */
  #read: SdkResult;
  #reader: Reader;
  #left = false;

  constructor(first: SdkResult, following: Following) {
    this.newest = first;
    this.#following = following;
    this.#read = first;
    this.#reader = eventsOf(first).getReader();
    this.completed = this.#follow();
    // Whoever reads the events gets the error from them.
    this.completed.catch(() => {});
    this.events = new ReadableStream(
      {
        pull: async (controller) => {
          for (;;) {
            const { done, value } = await this.#next();
            if (this.#left) return;
            if (!done) return controller.enqueue(value);
            const next = await this.#afterOf(this.#read).promise;
            if (this.#left) return;
            if (next === undefined) return controller.close();
            this.#read = next;
            this.#reader = eventsOf(next).getReader();
          }
        },
        cancel: () => {
          this.#left = true;
          return this.#read === this.newest ? this.#reader.cancel() : eventsOf(this.newest).cancel();
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #next(): ReturnType<Reader['read']> {
    try {
      return await this.#reader.read();
    } catch (error) {
      await this.completed.catch(() => {});
      throw error;
    }
  }

  async #follow(): Promise<void> {
    for (;;) {
      const after = this.#afterOf(this.newest);
      try {
        await this.newest.completed;
        const next = await this.#following.next(this.newest);
        if (next === undefined) {
          await this.#following.over(this.newest);
          after.resolve(undefined);
          return;
        }
        this.newest = next;
        if (this.#left) await eventsOf(next).cancel();
        after.resolve(next);
      } catch (cause) {
        await this.#following.over(this.newest, { cause });
        after.reject(cause);
        throw cause;
      }
    }
  }

  #afterOf(result: SdkResult): PromiseWithResolvers<SdkResult | undefined> {
    let after = this.#after.get(result);
    if (after === undefined) {
      after = Promise.withResolvers();
      after.promise.catch(() => {});
      this.#after.set(result, after);
    }
    return after;
  }
}

function onlyText(): TransformStream<unknown, string> {
  return new TransformStream({
    transform(event, controller) {
      const { type, data } = event as {
        readonly type: string;
        readonly data?: { readonly type: string; readonly delta?: string };
      };
      if (type === 'raw_model_stream_event' && data?.type === 'output_text_delta' && data.delta !== undefined)
        controller.enqueue(data.delta);
    },
  });
}
