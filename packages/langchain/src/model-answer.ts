import { AfterModelCall, type Hooks } from '@hooks/core';
import { maxAttempts } from '@hooks/core/adapter';
import type { AIMessage } from '@langchain/core/messages';
import { finalRefusal } from './blocked.ts';
import { common } from './events.ts';
import type { Decide } from './model-intercept.ts';
import { modelName, toAIMessage, toModelResponse } from './model-translate.ts';
import type { HookedRun } from './run.ts';

/** Whether hooks may still change or refuse an answer, or only look at it. */
export function mayChangeAnswer(hooks: Hooks): boolean {
  return hooks.get(AfterModelCall).some(({ verb }) => verb !== 'observe');
}

/** Asks `AfterModelCall` about each answer to one model call. */
export function answerDecider(
  hooks: Hooks,
  run: HookedRun,
  model: unknown,
  signal: AbortSignal | undefined,
): { readonly decide: Decide; readonly asked: () => boolean } {
  let attempt = 0;
  const name = modelName(model);
  const limit = maxAttempts(hooks);
  const decide: Decide = async (message: AIMessage) => {
    attempt++;
    const response = toModelResponse(message);
    const decision = await hooks.dispatch(
      AfterModelCall,
      {
        ...common(run),
        iteration: run.iteration,
        response,
        attempt,
        ...(name !== undefined && { model: name }),
        ...(run.lastUserMessage !== undefined && { lastUserMessage: run.lastUserMessage }),
        native: message,
      },
      { signal },
    );
    switch (decision.kind) {
      case 'proceed':
        return message;
      case 'block': {
        const { reason, by } = decision;
        return finalRefusal({ reason, ...(by !== undefined && { by }) }, message.id);
      }
      case 'modify': {
        const changed = decision.patch.response;
        return changed === undefined ? message : toAIMessage(changed, message);
      }
      case 'retry':
        return attempt < limit ? 'again' : message;
    }
  };
  return { decide, asked: () => attempt > 0 };
}
