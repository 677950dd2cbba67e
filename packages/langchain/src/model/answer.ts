import { AfterModelCall, type Hooks } from '@hooks/core';
import { maxAttempts } from '@hooks/core/adapter';
import type { AIMessage } from '@langchain/core/messages';
import { finalRefusal, markFrom, markOf } from '../blocked.ts';
import { common } from '../run/events.ts';
import type { HookedRun } from '../run/run.ts';
import { namedModel, toAIMessage, toModelResponse } from '../translate.ts';
import type { Decide } from './intercept.ts';

/** Whether hooks may still change or refuse an answer, or only look at it. */
export function mayChangeAnswer(hooks: Hooks): boolean {
  return hooks.get(AfterModelCall).some(({ verb }) => verb !== 'observe');
}

/** Decides on the answers to one model call. */
export interface Decider {
  readonly decide: Decide;
  /** Whether this is what it was decided that the answer is. */
  readonly stands: (message: AIMessage) => boolean;
  /** What the model's answer has become where it was blocked. */
  readonly refusal: () => AIMessage | undefined;
}

/** Asks `AfterModelCall` about each answer to one model call. */
export function answerDecider(
  hooks: Hooks,
  run: HookedRun,
  model: unknown,
  signal: AbortSignal | undefined,
): Decider {
  let attempt = 0;
  let verdict: AIMessage | undefined;
  let said: string | undefined;
  const named = namedModel(model);
  const limit = maxAttempts(hooks);
  const settled = (answer: AIMessage): AIMessage => {
    verdict = answer;
    said = saidBy(answer); // now: whoever gets the message may write on it
    return answer;
  };
  const decide: Decide = async (message: AIMessage) => {
    attempt++;
    verdict = undefined;
    said = undefined;
    const response = toModelResponse(message);
    const decision = await hooks.dispatch(
      AfterModelCall,
      {
        ...common(run),
        iteration: run.iteration,
        response,
        attempt,
        ...named,
        ...(run.lastUserMessage !== undefined && { lastUserMessage: run.lastUserMessage }),
        native: message,
      },
      { signal, last: attempt >= limit },
    );
    switch (decision.kind) {
      case 'proceed':
        return settled(message);
      case 'block':
        return settled(finalRefusal(markFrom(decision), message.id));
      case 'modify': {
        const changed = decision.patch.response;
        return settled(changed === undefined ? message : toAIMessage(changed, message));
      }
      case 'retry':
        if (decision.delayMs !== undefined) await wait(decision.delayMs, signal);
        return 'again';
    }
  };
  return {
    decide: Object.assign(decide, { settle: settled }),
    stands: (message) => said !== undefined && said === saidBy(message),
    refusal: () => (verdict !== undefined && markOf(verdict) !== undefined ? verdict : undefined),
  };
}

/** Waits before the next attempt; rejects when the run is aborted. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** What a message says: one that was streamed is put together anew. */
function saidBy({ text, tool_calls = [] }: AIMessage): string {
  return JSON.stringify([text, tool_calls.map(({ id, name, args }) => [id, name, args])]);
}
