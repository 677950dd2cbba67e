import { Readable } from 'node:stream';
import { eventsOf, type SdkResult } from '../internals.ts';
import { isShown } from '../model/call.ts';

/** What follows a streamed run. */
export interface Following {
  /** Returns the streamed run that continues this one, if there is one. */
  readonly next: (result: SdkResult) => Promise<SdkResult | undefined>;
  /** Called once, when nothing follows any more. */
  readonly over: (newest: SdkResult | undefined, error?: { readonly cause: unknown }) => Promise<void>;
}

/** A streamed run, and what follows it, settled when it is known. */
interface Step {
  readonly result: SdkResult;
  readonly following: Promise<Step | undefined>;
}

/**
 * A streamed result that continues: it has the events of all runs and the other properties of the latest one. It
 * completes when everything is reported. Canceling the events cancels the run.
 */
export function followed(first: SdkResult, following: Following): SdkResult {
  const runs = new FollowedRuns(first, following);
  const { events, completed } = runs;
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
      const { newest } = runs;
      const value: unknown = Reflect.get(newest, name, newest);
      return typeof value === 'function' && name !== 'constructor' ? value.bind(newest) : value;
    },
  });
}

/** The runs of one streamed result. They follow each other whether or not anybody reads their events. */
class FollowedRuns {
  newest: SdkResult;
  readonly events: ReadableStream<unknown>;
  readonly completed: Promise<void>;
  readonly #following: Following;
  /** The run whose events are being read. */
  #read: Step;
  #reader: ReadableStreamDefaultReader<unknown>;
  /** Whether the reader has canceled the events. */
  #left = false;

  constructor(first: SdkResult, following: Following) {
    this.newest = first;
    this.#following = following;
    this.#read = this.#step(first);
    this.#reader = eventsOf(first).getReader();
    this.completed = end(this.#read);
    this.completed.catch(() => {});
    this.events = new ReadableStream<unknown>(
      {
        pull: (controller) =>
          this.#passNext(controller).catch(async (error: unknown) => {
            await this.completed.catch(() => {});
            throw error;
          }),
        cancel: () => this.#leave(),
      },
      { highWaterMark: 0 },
    );
  }

  #step(result: SdkResult): Step {
    this.newest = result;
    const following = this.#proceed(result);
    // The reader of the events gets the error from them.
    following.catch(() => {});
    return { result, following };
  }

  async #proceed(result: SdkResult): Promise<Step | undefined> {
    const { next, over } = this.#following;
    try {
      await result.completed;
      const more = await next(result);
      if (more !== undefined && this.#left) await eventsOf(more).cancel();
      if (more !== undefined) return this.#step(more);
    } catch (cause) {
      await over(result, { cause });
      throw cause;
    }
    await over(result);
    return undefined;
  }

  /** Passes the next event that may be shown, of whichever run. */
  async #passNext(controller: ReadableStreamDefaultController<unknown>): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      // The SDK works on while its events are read, so one that may be shown waits for nothing.
      const shown = this.#left || done || isShownEvent(value);
      const passes = shown === true || (await shown);
      const goesOn = done && !this.#left && (await this.#readNext());
      if (this.#left) return;
      if (!done && passes) return controller.enqueue(value);
      if (done && !goesOn) return controller.close();
    }
  }

  /** Goes on to the events of the run that follows. Returns whether one does. */
  async #readNext(): Promise<boolean> {
    const { result, following } = this.#read;
    // After an abort nothing follows, and a tool that does not mind it may still run.
    const next = result.cancelled === true ? undefined : await following;
    if (next === undefined || this.#left) return false;
    this.#read = next;
    this.#reader = eventsOf(next.result).getReader();
    return true;
  }

  #leave(): Promise<void> {
    this.#left = true;
    return this.#read.result === this.newest ? this.#reader.cancel() : eventsOf(this.newest).cancel();
  }
}

/** Whether an event of the run may be shown. Events of models wait for hooks. */
function isShownEvent(event: unknown): boolean | Promise<boolean> {
  const { type, data } = event as { readonly type: string; readonly data: object };
  return type === 'raw_model_stream_event' ? isShown(data) : true;
}

async function end({ following }: Step): Promise<void> {
  const next = await following;
  if (next !== undefined) await end(next);
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
