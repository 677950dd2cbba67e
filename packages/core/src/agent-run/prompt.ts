import type { HookDecision } from '../decision.ts';
import { BeforeRun, UserPromptSubmit } from '../event/catalogue/prompt.ts';
import { type RunState, type RunStop, unlessAborted } from './state.ts';

/** A model, as events describe it. */
export interface NamedModel {
  readonly model?: string;
  readonly provider?: string;
}

/** A user message. */
export interface Prompt {
  readonly text: string;
  /** Identifies the prompt in its run. A prompt submitted again with the same id after a pause runs no hooks. */
  readonly id?: string;
  /** The framework's own message. */
  readonly native?: unknown;
}

/** The context of a prompt. */
export interface SubmitOptions extends NamedModel {
  /** `prompt` begins a run. The others arrive during a run, after `BeforeRun`. Default: `prompt`. */
  readonly delivery?: 'prompt' | 'steering' | 'followup';
  /** Why a `BeforeRun` decision cannot be honored: its model is not available. */
  refuse?(decision: HookDecision): string | undefined;
}

/** The texts of the prompts as hooks left them, in order; or that the run must not continue. */
export type Submitted =
  | { readonly kind: 'submitted'; readonly prompts: readonly string[] }
  | { readonly kind: 'blocked'; readonly stop: RunStop };

/** Fires `UserPromptSubmit` for each prompt, then `BeforeRun`. A sub-agent's first message is not a user's prompt. */
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
