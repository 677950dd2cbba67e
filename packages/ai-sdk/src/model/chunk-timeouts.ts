import { type LanguageModel, wrapLanguageModel } from 'ai';
import type { CallSettings, StreamPart } from '../sdk.ts';
import { resolved } from './hooked-model.ts';

type Timeout = CallSettings['timeout'];

/**
 * The SDK's limits of the time until the first chunk of an answer and between two. The SDK sees the chunks of an answer
 * that is held back only when hooks have decided, so these are measured where the model gives them.
 */
export class ChunkTimeouts {
  readonly #controller = new AbortController();
  /** Aborts the run, as the SDK does when time is up. */
  readonly signal: AbortSignal;
  #limits: Limits = {};

  constructor(outer: AbortSignal | undefined) {
    const { signal } = this.#controller;
    this.signal = outer === undefined ? signal : AbortSignal.any([outer, signal]);
  }

  /** Takes the limits out of a timeout, and returns the rest for the SDK. */
  take<T extends Timeout>(timeout: T): T {
    if (typeof timeout !== 'object') return timeout;
    const { firstChunkMs, chunkMs, ...rest } = timeout;
    this.#limits = { firstChunkMs, chunkMs };
    return rest as T; // both are optional
  }

  /** The model, with its streams measured. */
  measured(model: LanguageModel): LanguageModel {
    if (!hasChunkLimits(this.#limits)) return model;
    return wrapLanguageModel({
      model: typeof model === 'string' ? resolved(model) : model,
      middleware: {
        specificationVersion: 'v4',
        wrapStream: async ({ doStream }) => {
          const result = await doStream();
          return { ...result, stream: ReadableStream.from(this.#measured(result.stream)) };
        },
      },
    });
  }

  async *#measured(stream: ReadableStream<StreamPart>): AsyncGenerator<StreamPart> {
    const { firstChunkMs, chunkMs } = this.#limits;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const clear = () => clearTimeout(timer);
    const arm = (label: string, ms: number | undefined) => {
      clear();
      if (ms === undefined || this.signal.aborted) return;
      const reason = new DOMException(`${label} timeout of ${ms}ms exceeded`, 'TimeoutError');
      timer = setTimeout(() => this.#controller.abort(reason), ms);
    };
    // A model may not end its stream then.
    this.signal.addEventListener('abort', clear);
    arm('First chunk', firstChunkMs);
    try {
      for await (const part of stream) {
        if (part.type === 'finish' || part.type === 'error') clear();
        else if (isOutput(part)) arm('Chunk', chunkMs);
        yield part;
      }
    } finally {
      clear();
      this.signal.removeEventListener('abort', clear);
    }
  }
}

interface Limits {
  readonly firstChunkMs?: number | undefined;
  readonly chunkMs?: number | undefined;
}

/** Whether a timeout limits the time of chunks. */
export function hasChunkLimits(timeout: Timeout): boolean {
  if (typeof timeout !== 'object') return false;
  return timeout.firstChunkMs !== undefined || timeout.chunkMs !== undefined;
}

/** Whether a chunk ends the wait for output, by the SDK's rule. */
function isOutput(part: StreamPart): boolean {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
      return part.delta.length > 0;
    case 'file':
    case 'reasoning-file':
    case 'tool-call':
      return true;
    default:
      return false;
  }
}
