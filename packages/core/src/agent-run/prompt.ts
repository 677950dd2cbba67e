import type { HookDecision } from '../decision.ts';
import { BeforeRun, UserPromptSubmit } from '../event/catalogue/prompt.ts';
import { type RunState, type RunStop, unlessAborted } from './state.ts';

/** A model, as events tell of it. */
export interface NamedModel {
  readonly model?: string;
  readonly provider?: string;
}

/** A message of the user. */
export interface Prompt {
  readonly text: string;
  /** Tells it from others of the run. A prompt that is submitted again under its id, after a pause, asks nobody again. */
  readonly id?: string;
  /** The framework's own message. */
  readonly native?: unknown;
}

/** What is known where prompts are submitted. */
export interface SubmitOptions extends NamedModel {
  /** `prompt` begins a run; the others come while it goes on, and `BeforeRun` has been asked. `prompt` unless set. */
  readonly delivery?: 'prompt' | 'steering' | 'followup';
  /** Why a decision of a `BeforeRun` hook cannot be honoured: the model that it wants cannot be had. */
  refuse?(decision: HookDecision): string | undefined;
}

/** What came of the prompts: their texts as hooks left them, in order; or the run must not go on. */
export type Submitted =
  | { readonly kind: 'submitted'; readonly prompts: readonly string[] }
  | { readonly kind: 'blocked'; readonly stop: RunStop };

/** Asks `UserPromptSubmit` about each prompt, then `BeforeRun`. What a sub-agent begins with is no user's prompt. */
export async function submitPrompts(
  run: RunState,
  known: Map<string, string>,
  prompts: readonly Prompt[],
  options: SubmitOptions,
): Promise<Submitted> {
  const { delivery, refuse, ...model } = options;
  const texts: string[] = [];
  let asks = delivery === undefined || delivery === 'prompt';
  if (asks && prompts.length > 0 && prompts.every(({ id }) => id !== undefined && known.has(id)))
    asks = false;
  for (const { text, id, native } of prompts) {
    const before = id === undefined ? undefined : known.get(id);
    run.lastUserMessage = before ?? text;
    if (before === undefined && run.parent === undefined && run.hears(UserPromptSubmit)) {
      const decision = await unlessAborted(
        run.signal,
        run.ask(UserPromptSubmit, {
          ...model,
          prompt: text,
          ...(delivery !== undefined && { delivery }),
          ...(native !== undefined && { native }),
        }),
      );
      if (decision.kind === 'block') return { kind: 'blocked', stop: run.endBy(decision) };
      if (decision.kind === 'modify') run.lastUserMessage = decision.patch.prompt ?? text;
    }
    texts.push(run.lastUserMessage);
    if (id !== undefined) known.set(id, run.lastUserMessage);
  }
  if (!asks || run.parent !== undefined || !run.hears(BeforeRun))
    return { kind: 'submitted', prompts: texts };
  const { metadata } = run.session.run(run.id);
  const event = { ...model, message: run.lastUserMessage ?? '', metadata };
  const decision = await unlessAborted(run.signal, run.ask(BeforeRun, event, refuse && { refuse }));
  if (decision.kind === 'block') return { kind: 'blocked', stop: run.endBy(decision) };
  if (decision.kind === 'modify') {
    run.model = decision.patch.model;
    run.settings = decision.patch.settings;
  }
  return { kind: 'submitted', prompts: texts };
}
