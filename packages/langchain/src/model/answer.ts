import type { ModelCall } from '@hooks/core/adapter';
import type { AIMessage } from '@langchain/core/messages';
import { finalRefusal, markOf } from '../blocked.ts';
import { toAIMessage, toModelResponse } from '../translate.ts';

/** Decides on what a model answered: the answer that counts, or `again`. */
export type Decide = (message: AIMessage) => Promise<AIMessage | 'again'>;

/** Decides on the answers to one model call. */
export interface Decider {
  readonly decide: Decide;
  /** Whether this is what was decided that the answer is. */
  readonly stands: (message: AIMessage) => boolean;
  /** What the model's answer has become where it was blocked. */
  readonly refusal: () => AIMessage | undefined;
}

/** Asks `AfterModelCall` about each answer to one model call. */
export function answerDecider(call: ModelCall): Decider {
  let verdict: AIMessage | undefined;
  let said: string | undefined;
  return {
    async decide(message) {
      verdict = undefined;
      said = undefined;
      const judged = await call.judge(toModelResponse(message), { native: message });
      if (judged.kind === 'retry') return 'again';
      verdict =
        judged.kind === 'blocked'
          ? finalRefusal(judged.stop, message.id)
          : judged.kind === 'replaced'
            ? toAIMessage(judged.response, message)
            : message;
      said = saidBy(verdict); // now: whoever gets the message may write on it
      return verdict;
    },
    stands: (message) => said !== undefined && said === saidBy(message),
    refusal: () => (verdict !== undefined && markOf(verdict) !== undefined ? verdict : undefined),
  };
}

/** What a message says: one that was streamed is put together anew. */
function saidBy({ text, tool_calls = [] }: AIMessage): string {
  return JSON.stringify([text, tool_calls.map(({ id, name, args }) => [id, name, args])]);
}
