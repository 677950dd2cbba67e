import { Readable } from 'node:stream';
import type { SdkResult } from './sdk.ts';

/** What follows a streamed run. */
export interface Following {
  /** The streamed run that goes on where this one ended, if one does. */
  readonly next: (result: SdkResult) => Promise<SdkResult | undefined>;
  /** Called once, when nothing follows any more. */
  readonly over: (error?: { readonly cause: unknown }) => Promise<void>;
}

/**
 * A streamed result that goes on: its events are those of all runs, its other properties those of the newest, and it
 * is completed when everything that has to be told is told.
 */
export function followed(first: SdkResult, following: Following): SdkResult {
  const chain = new Chain(first, following);
  const replaced: { [name: PropertyKey]: unknown } = {
    toStream: () => ReadableStream.from(chain.events()),
    toTextStream: (options?: { readonly compatibleWithNodeStreams?: boolean }) => {
      const text = ReadableStream.from(textOf(chain.events()));
      return options?.compatibleWithNodeStreams === true ? Readable.from(text) : text;
    },
    [Symbol.asyncIterator]: () => chain.events(),
    completed: chain.completed,
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

class Chain {
  newest: SdkResult;
  readonly completed: Promise<void>;
  readonly #following: Following;
  /** What follows each run, settled when it is known. */
  readonly #after: Map<SdkResult, PromiseWithResolvers<SdkResult | undefined>> = new Map();

  constructor(first: SdkResult, following: Following) {
    this.newest = first;
    this.#following = following;
    this.completed = this.#follow();
    // Whoever reads the events gets the error from them.
    this.completed.catch(() => {});
  }

  async *events(): AsyncGenerator<unknown> {
    let result: SdkResult | undefined = this.#first;
    while (result !== undefined) {
      try {
        yield* result;
      } catch (error) {
        await this.completed.catch(() => {});
        throw error;
      }
      result = await this.#afterOf(result).promise;
    }
  }

  get #first(): SdkResult {
    return this.#after.keys().next().value ?? this.newest;
  }

  async #follow(): Promise<void> {
    for (;;) {
      const after = this.#afterOf(this.newest);
      try {
        await this.newest.completed;
        const next = await this.#following.next(this.newest);
        if (next === undefined) {
          await this.#following.over();
          after.resolve(undefined);
          return;
        }
        this.newest = next;
        after.resolve(next);
      } catch (cause) {
        await this.#following.over({ cause });
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

async function* textOf(events: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const event of events) {
    const { type, data } = event as {
      readonly type: string;
      readonly data?: { readonly type: string; readonly delta?: string };
    };
    if (type === 'raw_model_stream_event' && data?.type === 'output_text_delta' && data.delta !== undefined)
      yield data.delta;
  }
}
