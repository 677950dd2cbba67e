import type { ModelSettings } from '@hooks/core';

/** What hooks want of a model. */
export interface ModelWish {
  readonly model?: string | undefined;
  readonly settings?: ModelSettings | undefined;
}

/** The same client with other settings; undefined where the model cannot be made anew. */
export function modelWith(model: object, { model: name, settings = {} }: ModelWish): object | undefined {
  const fields: unknown = Reflect.get(model, 'lc_kwargs');
  if (typeof fields !== 'object' || fields === null || !('_generate' in model)) return undefined;
  const { temperature, maxTokens, reasoningEffort } = settings;
  const wanted = {
    ...(name !== undefined && { model: name }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(reasoningEffort !== undefined && {
      reasoning: reasoningEffort === 'off' ? undefined : { effort: reasoningEffort },
    }),
  };
  // One that is chosen by name is made of its configuration when it is called.
  const chosen: unknown = '_getModelInstance' in model ? Reflect.get(fields, 'defaultConfig') : undefined;
  const changed =
    chosen === undefined
      ? { ...fields, ...wanted }
      : { ...fields, defaultConfig: { ...Object(chosen), ...wanted } };
  const made: unknown = Reflect.construct(model.constructor as new (fields: object) => object, [changed]);
  return typeof made === 'object' && made !== null ? made : undefined;
}

/** The settings that a client was made with, as far as hooks know them. */
export function settingsOf(model: object): ModelSettings {
  const temperature: unknown = Reflect.get(model, 'temperature');
  const maxTokens: unknown = Reflect.get(model, 'maxTokens');
  return {
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
  };
}
