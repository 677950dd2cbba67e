import type { NamedModel } from '@hooks/core/adapter';
import { AIMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages';
import type { AfterAgentHook, BeforeAgentHook } from 'langchain';
import { finalRefusal, markOf } from '../blocked.ts';
import { type ResultPlace, submitResults } from './client-results.ts';
import { messagesIn, type SubmittedInput } from './input.ts';
import { promptsIn, submitPrompt } from './prompt.ts';
import { contextAround, continuationId, type RunSeat, runFor } from './run.ts';

/** Submits the prompt of a run that was not started through the agent's own methods. Removes a blocked prompt from the history. */
export function promptNode(
  seat: RunSeat & ResultPlace & { readonly model: NamedModel },
): BeforeAgentHook<undefined, unknown> {
  return {
    canJumpTo: ['end'],
    hook: async ({ messages }, runtime) => {
      const run = runFor(seat, runtime, messages);
      if (run.parent !== undefined) return undefined;
      const results = await submitResults(run, { messages }, seat, { ...runtime, ...contextAround() });
      const { state, refused, at }: SubmittedInput = results.refused
        ? results
        : await submitPrompt(run, results.state, seat.model);
      const submitted = messagesIn(state) ?? [];
      const changed = submitted.filter((message, index) => message !== messages[index]);
      if (refused && run.stop !== undefined) {
        run.over = true;
        const removed = [...new Set([at ?? -1, ...promptsIn(messages)])].flatMap((index) => {
          const id = messages[index]?.id;
          return id === undefined ? [] : [new RemoveMessage({ id })];
        });
        return { jumpTo: 'end', messages: [...changed, ...removed, finalRefusal(run.stop)] };
      }
      return changed.length === 0 ? undefined : { messages: changed };
    },
  };
}

/**
 * Fires `Stop` when the agent has finished, and ends the turn of its last answer. The reason of a Retry is the next user
 * message; the reason of a Block replaces the answer.
 */
export function stopNode(seat: RunSeat): AfterAgentHook<undefined, unknown> {
  return {
    canJumpTo: ['model'],
    hook: async ({ messages }, runtime) => {
      const last = messages.at(-1);
      const run = runFor(seat, runtime, messages);
      if (!AIMessage.isInstance(last) || markOf(last) !== undefined) {
        await run.endTurn('normal');
        return undefined;
      }
      const id = continuationId(run, messages);
      const next = await run.finished(last.text);
      if (next.kind === 'continue') {
        await run.endTurn('continue');
        return { jumpTo: 'model', messages: [new HumanMessage({ content: next.prompt, id })] };
      }
      await run.endTurn(next.kind === 'blocked' ? 'hook_blocked' : 'normal');
      return next.kind === 'blocked' ? { messages: [finalRefusal(next.stop, last.id)] } : undefined;
    },
  };
}
