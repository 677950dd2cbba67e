import type { Hooks } from '@hooks/core';
import { Attachment } from '@hooks/core/adapter';
import type { LanguageModel } from 'ai';
import { type HookModelOptions, OF_MODELS, type Registries } from '../options.ts';
import { HookedRun } from '../run/hooked-run.ts';
import { supports } from '../supports.ts';
import { wrapModel } from './hooked-model.ts';

const HOOKED = Symbol('@hooks/ai-sdk model');

/** A model, and the registries that it was hooked with on its own, outermost first. */
export interface StandaloneModel {
  readonly bare: LanguageModel;
  readonly own: Registries;
}

/**
 * Hooks a model that is used outside of hooked runs. Each of its calls is a run with its own session. In a hooked
 * agent, its registries are further in than the agent's.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`
 * @example
 * ```ts
 * const { text } = await generateText({ model: hookModel(openai('gpt-5'), hooks), prompt });
 * ```
 */
export function hookModel(
  model: LanguageModel,
  hooks: Hooks,
  options: HookModelOptions = {},
): Exclude<LanguageModel, string> {
  const { bare, own } = standaloneModel(model);
  const attached: Registries = Attachment.of(hooks, options, { of: 'hookModel', takes: OF_MODELS, supports });
  return hookedStandalone({ bare, own: attached.around(own) });
}

/** How a model is hooked on its own. */
export function standaloneModel(model: LanguageModel): StandaloneModel {
  const known = typeof model === 'object' && HOOKED in model ? (model[HOOKED] as StandaloneModel) : undefined;
  return known ?? { bare: model, own: Attachment.none };
}

/** The model with these registries. Without any it is the original. */
export function hookedStandalone({ bare, own }: StandaloneModel): Exclude<LanguageModel, string> {
  const hooked = wrapModel(bare, async ({ abortSignal: signal }, act) => {
    const run = new HookedRun(own, { signal });
    await run.begin();
    await run.startTurn();
    try {
      return await act(run, (end) => run.end(end));
    } catch (error) {
      await run.end({ kind: 'error', error });
      throw error;
    }
  });
  return Object.assign(hooked, { [HOOKED]: { bare, own } });
}
