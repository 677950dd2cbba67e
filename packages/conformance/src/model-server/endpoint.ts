import type { ModelRequest } from './request.ts';
import type { SpokenAnswer, Usage } from './script.ts';

/** What a wire format is: how its request reads and how an answer is written, at once and streamed. */
export interface Endpoint {
  /** Throws `BadRequest` where the real API would answer 400. */
  readonly read: (body: unknown) => WireRequest;
  readonly whole: (answer: WireAnswer, text: string) => object;
  readonly streamed: (answer: WireAnswer) => AsyncIterable<ServerSentEvent>;
}

/** A request as far as its own body tells. */
export type WireRequest = Omit<ModelRequest, 'turn' | 'attempt' | 'body'>;

/** An answer with all that the script left open filled in. */
export interface WireAnswer {
  /** Unique on this server; the ids on the wire are made of it. */
  readonly id: number;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  /** The request's body, for what an answer repeats of it. */
  readonly body: unknown;
  readonly text: SpokenAnswer['text'];
  readonly toolCalls: readonly WireToolCall[];
  readonly usage: Usage;
}

export interface WireToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: object | '[DONE]';
}

/** The text in the pieces in which it is streamed: the script's own if it gave an iterable. */
export async function* textPieces(text: SpokenAnswer['text']): AsyncGenerator<string> {
  if (typeof text === 'string') yield* pieces(text);
  else if (text) yield* text;
}

/** Pieces of at most 8 characters: a real stream cuts words and JSON anywhere, but no character. */
export function pieces(text: string): readonly string[] {
  return text.match(/.{1,8}/gsu) ?? [];
}
