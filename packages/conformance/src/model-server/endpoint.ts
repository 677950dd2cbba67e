import type { ModelRequest } from './request.ts';
import type { SpokenAnswer, Usage } from './script.ts';

/** A wire format: how to read its request and write its answer, plain and streamed. */
export interface Endpoint {
  /** Throws `BadRequest` if the real API would answer 400. */
  readonly read: (body: unknown) => WireRequest;
  readonly whole: (answer: WireAnswer, text: string) => object;
  readonly streamed: (answer: WireAnswer) => AsyncIterable<ServerSentEvent>;
}

/** The part of a request that its own body contains. */
export type WireRequest = Omit<ModelRequest, 'turn' | 'attempt' | 'body'>;

/** An answer with defaults for everything that the script left open. */
export interface WireAnswer {
  /** Unique on this server. The ids on the wire are derived from it. */
  readonly id: number;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  /** The request's body, for the fields that an answer repeats. */
  readonly body: unknown;
  readonly text: SpokenAnswer['text'];
  readonly reasoning: string | undefined;
  readonly toolCalls: readonly WireToolCall[];
  readonly usage: Usage;
  /** The length of a streamed piece, in characters. */
  readonly pieceLength: number;
}

export interface WireToolCall {
  /** `null`: the answer has no id. */
  readonly id: string | null;
  readonly name: string;
  readonly arguments: string;
}

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: object | '[DONE]';
}

/** The pieces in which the text is streamed. If the script supplied an iterable, its own pieces. */
export async function* textPieces({
  text,
  pieceLength,
}: Pick<WireAnswer, 'text' | 'pieceLength'>): AsyncGenerator<string> {
  if (typeof text === 'string') yield* pieces(text, pieceLength);
  else if (text) yield* text;
}

/** Splits a text into pieces. As a real stream does, this cuts words and JSON anywhere, but no character. */
export function pieces(text: string, length: number): readonly string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / length);
  return Array.from({ length: count }, (_, at) => characters.slice(at * length, (at + 1) * length).join(''));
}
