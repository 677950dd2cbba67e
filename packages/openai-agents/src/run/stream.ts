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
export function followed(first: SdkResult, { next, over }: Following): SdkResult {
  let newest = first;
  let left = false;
  const step = (result: SdkResult): Step => {
    newest = result;
    const following = proceed(result);
    // The reader of the events gets the error from them.
    following.catch(() => {});
    return { result, following };
  };
  const proceed = async (result: SdkResult): Promise<Step | undefined> => {
    try {
      await result.completed;
      const more = await next(result);
      if (more !== undefined && left) await eventsOf(more).cancel();
      if (more !== undefined) return step(more);
    } catch (cause) {
      await over(result, { cause });
      throw cause;
    }
    await over(result);
    return undefined;
  };
  let read = step(first);
  let reader = eventsOf(first).getReader();
  const completed = end(read);
  completed.catch(() => {});
  const passNext = async (controller: ReadableStreamDefaultController<unknown>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (left) return;
      if (!done) {
        // The SDK works on while its events are read, so one that may be shown waits for nothing.
        const shown = isShownEvent(value);
        if (shown !== true && !(await shown)) continue;
        return left ? undefined : controller.enqueue(value);
      }
      // After an abort nothing follows, and a tool that does not mind it may still run.
      const following = read.result.cancelled === true ? undefined : await read.following;
      if (left) return;
      if (following === undefined) return controller.close();
      read = following;
      reader = eventsOf(read.result).getReader();
    }
  };
  const events = new ReadableStream<unknown>(
    {
      pull: (controller) =>
        passNext(controller).catch(async (error: unknown) => {
          await completed.catch(() => {});
          throw error;
        }),
      cancel: () => {
        left = true;
        return read.result === newest ? reader.cancel() : eventsOf(newest).cancel();
      },
    },
    { highWaterMark: 0 },
  );
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
      const value: unknown = Reflect.get(newest, name, newest);
      return typeof value === 'function' && name !== 'constructor' ? value.bind(newest) : value;
    },
  });
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
