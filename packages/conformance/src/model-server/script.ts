import type { ModelRequest } from './request.ts';

/**
 * Answers a request. If it returns `undefined`, the client gets a 400 that says so. A promise delays the answer as long
 * as the test wants; the server itself has no timers.
 */
export type Script = (request: ModelRequest) => Answer | undefined | Promise<Answer | undefined>;

/** An entry in a list of answers. A function is called when its turn comes. */
export type Step = Answer | Script;

/** The model answers with text, tool calls (several are parallel), or both; or the request fails. */
export type Answer = SpokenAnswer | FailedAnswer;

export interface SpokenAnswer {
  /**
   * Streamed in small pieces. The pieces of an iterable are sent as it yields them, so a test can hold a stream half
   * way.
   */
  readonly text?: string | AsyncIterable<string>;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** What it thought before, as most servers of open models send it (`reasoning_content`). Chat completions only. */
  readonly reasoning?: string;
  /** How many characters a piece of a streamed answer has at most. Default: 8. */
  readonly pieceLength?: number;
  /** Default: 10 tokens in, 5 out. */
  readonly usage?: Usage;
}

export interface FailedAnswer {
  /** The HTTP status, 400 to 599. Most clients retry after 429 and 5xx. */
  readonly status: number;
  /** The message that the client shows. */
  readonly error: string;
}

export interface ScriptedToolCall {
  /** Default: `call_1`, `call_2`, …, counted by the server. `null`: the answer has no id, as some servers do. */
  readonly id?: string | null;
  readonly name: string;
  /** A string is sent unchanged, so a script can send malformed JSON. */
  readonly arguments: object | string;
}

/** Tokens. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Returns a script that gives these answers one after the other, in each conversation from the start.
 *
 * The next answer depends only on the conversation (`request.turn`), so any number of conversations can run concurrently.
 * A failure is not a turn: when the client retries (`request.attempt`), the model continues with the step after it. When
 * the client retries after it dropped an answer, the model repeats that answer; a function can give another one.
 *
 * @example
 * inOrder([{ toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] }, { text: 'Sunny.' }]);
 */
export function inOrder(steps: readonly Step[]): Script {
  return (request) => {
    let next = afterTurns(steps, request.turn);
    for (let failed = 1; failed < request.attempt && isFailure(steps[next]); failed++) next++;
    const step = steps[next];
    return typeof step === 'function' ? step(request) : step;
  };
}

function afterTurns(steps: readonly Step[], turns: number): number {
  let left = turns;
  let next = 0;
  for (; left > 0 && next < steps.length; next++) if (!isFailure(steps[next])) left--;
  return next + left;
}

/** Whether this step or answer is a failed request. */
export function isFailure(step: object | undefined): step is FailedAnswer {
  return typeof step === 'object' && 'status' in step;
}
