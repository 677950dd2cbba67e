import type { NamedModel } from '@hooks/core/adapter';
import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages';
import type { AfterAgentHook, BeforeAgentHook, ModelRequest } from 'langchain';
import { finalRefusal, markOf } from '../blocked.ts';
import type { Whereabouts } from '../config.ts';
import { type ResultPlace, submitResults } from './client-results.ts';
import { messagesIn, type SubmittedInput, speakerOf } from './input.ts';
import { submitPrompt, unanswered } from './prompt.ts';
import { contextAround, continuationId, type HookedRun, type RunSeat, runFor } from './run.ts';

/** What submitting the messages of a run needs. */
export type PromptSeat = RunSeat & ResultPlace & { readonly model: NamedModel };

/** Submits the prompt of a run that was not started through the agent's own methods. Removes a blocked prompt from the history. */
export function promptNode(seat: PromptSeat): BeforeAgentHook<undefined, unknown> {
  return {
    canJumpTo: ['end'],
    hook: async ({ messages }, runtime) => {
      const run = runFor(seat, runtime, messages);
      if (run.parent !== undefined) return undefined;
      const { submitted, refused, at } = await submit(run, messages, seat, runtime);
      const changed = submitted.filter((message, index) => message !== messages[index]);
      if (refused && run.stop !== undefined) {
        run.over = true;
        const removed = [...new Set([at ?? -1, ...unanswered(messages)])].flatMap((index) => {
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
 * Submits what came to a model call past the node of the prompt: a Command that a client has posted may go to another node,
 * and bring messages along. Returns the request with what hooks left of them.
 */
export async function submitUnseen(
  run: HookedRun,
  request: ModelRequest,
  seat: PromptSeat,
): Promise<ModelRequest> {
  const { messages, runtime } = request;
  const { submitted: seen, parent } = run;
  const isSeen = (one: BaseMessage): boolean => speakerOf(one) === 'model' || seen?.has(one) === true;
  if (seen === undefined || parent !== undefined || messages.every(isSeen)) return request;
  const { submitted } = await submit(run, messages, seat, runtime);
  return { ...request, messages: [...submitted] };
}

async function submit(
  run: HookedRun,
  messages: readonly BaseMessage[],
  seat: PromptSeat,
  runtime: Whereabouts,
): Promise<Omit<SubmittedInput, 'state'> & { readonly submitted: readonly BaseMessage[] }> {
  const results = await submitResults(run, { messages }, seat, { ...runtime, ...contextAround() });
  const about = { ...seat.model, ...(run.iteration > 0 && { delivery: 'steering' as const }) };
  const { state, ...ended } = results.refused ? results : await submitPrompt(run, results.state, about);
  const submitted = messagesIn(state) ?? [];
  for (const message of [...messages, ...submitted]) run.submitted?.add(message);
  return { ...ended, submitted };
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
        run.hasAnswered = false;
        const prompt = new HumanMessage({ content: next.prompt, id });
        run.submitted?.add(prompt); // it is a hook's, not a user's
        return { jumpTo: 'model', messages: [prompt] };
      }
      await run.endTurn(next.kind === 'blocked' ? 'hook_blocked' : 'normal');
      return next.kind === 'blocked' ? { messages: [finalRefusal(next.stop, last.id)] } : undefined;
    },
  };
}
