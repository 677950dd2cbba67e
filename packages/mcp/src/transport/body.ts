import { constants } from 'node:buffer';
import { failureOf, TransportFailure } from './failure.ts';

/** The longest text that can be read. */
export const LONGEST: number = constants.MAX_STRING_LENGTH;

/** An answer of `fetch`, or of `send`. */
interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Whether an answer is a stream of events. */
export function isEventStream({ headers }: Answered): boolean {
  return /^text\/event-stream\s*(?:;|$)/i.test(headers.get('content-type') ?? '');
}

/** Whether an answer is JSON. */
export function isJson({ headers }: Answered): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '');
}

/** Whether an answer leads elsewhere. */
export function isRedirect({ status }: Answered): boolean {
  return status >= 300 && status < 400;
}

/**
 * The body of an answer, decompressed. A small one can become a very large one.
 *
 * @throws TransportFailure if it breaks off or is too large
 */
export async function readBody({ body }: Answered): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of body ?? []) {
      length += part.length;
      if (length > LONGEST) throw new TransportFailure('the answer of the server is too large');
      parts.push(part);
    }
  } catch (error) {
    throw failureOf(error);
  }
  return Buffer.concat(parts);
}
