import { isStepCount, type ModelMessage } from 'ai';
import type { NativeRun } from '../options.ts';
import type { ApprovalOptions, CallSettings, StepOptions, StopWhen } from '../sdk.ts';
import type { Generation } from './generation.ts';
import { isLimit } from './limit.ts';

/** What hooks change in the settings of one call: everything but its callbacks. */
export function hookSettings<S extends CallSettings>(
  settings: S,
  generation: Generation,
  native: NativeRun,
): S {
  generation.begin(settings);
  const { tools, model, stopWhen } = settings;
  return {
    ...settings,
    model: generation.model(model),
    ...(tools && { tools: generation.tools(tools) }),
    stopWhen: conditionsOf(stopWhen).map((condition) => watched(condition, generation)),
    toolApproval: (about: ApprovalOptions) => approved(generation, about, native),
    prepareStep: async (options: StepOptions) => {
      try {
        return await prepared(settings, generation, options, native);
      } catch (error) {
        await generation.end({ kind: 'error', error }, error);
        throw error;
      }
    },
  };
}

async function prepared(
  settings: CallSettings,
  generation: Generation,
  options: StepOptions,
  native: NativeRun,
) {
  const { stepNumber, experimental_steeringMessages: added = [] } = options;
  const run = await generation.open(options.messages, native);
  let { messages } = options;
  if (stepNumber === 0 && !generation.submitted) messages = await generation.submit(run, messages);
  if (added.length > 0) messages = await generation.steered(run, messages, added);
  await generation.startTurn(run);
  const own = await settings.prepareStep?.({ ...options, messages });
  const model = own?.model ?? (run.model === undefined ? undefined : settings.model);
  return {
    ...(messages !== options.messages && { messages }),
    ...own,
    ...(model !== undefined && { model: generation.model(model) }),
  };
}

/** A stream breaks where this throws. */
async function approved(generation: Generation, about: ApprovalOptions, native: NativeRun) {
  try {
    return await generation.approve(about, native);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { type: 'denied', reason } as const;
  }
}

function conditionsOf(stopWhen: unknown): readonly StopWhen[] {
  if (stopWhen === undefined) return [isStepCount(1) as StopWhen];
  return (Array.isArray(stopWhen) ? stopWhen : [stopWhen]) as readonly StopWhen[];
}

function watched(condition: StopWhen, generation: Generation): StopWhen {
  if (!isLimit(condition)) return condition;
  return async (about) => {
    const met = await condition(about);
    if (met) generation.limit = about.steps.length;
    return met;
  };
}

type Callbacks<Name extends keyof CallSettings> = Required<Pick<CallSettings, Name>>;

/** The callbacks of one call: the user's, and ours behind them. */
export function hookCallbacks(
  settings: Partial<CallSettings>,
  generation: Generation,
): Callbacks<'onStepEnd' | 'onStepError' | 'onAbort'> {
  const { onStepFinish, onStepEnd = onStepFinish, onStepError, onAbort } = settings;
  return {
    onStepEnd: async (step) => {
      await quietly(() => onStepEnd?.(step));
      await generation.stepEnded(step);
    },
    onStepError: async (event) => {
      await quietly(() => onStepError?.(event));
      generation.inStep = false;
      await generation.end({ kind: 'error', error: event.error }, event.error);
    },
    onAbort: async (event) => {
      await quietly(() => onAbort?.(event));
      await generation.end({ kind: 'canceled' });
    },
  };
}

/** The callbacks with which a stream ends, whoever reads it. */
export function hookStreamEnd(
  settings: Partial<CallSettings>,
  generation: Generation,
): Callbacks<'onError' | 'onEnd'> {
  const { onError = ({ error }) => console.error(error), onFinish, onEnd = onFinish } = settings;
  return {
    onError: async (event) => {
      const { error } = event;
      if (!generation.inStep) await generation.end({ kind: 'error', error }, error);
      return onError(event);
    },
    onEnd: async (event) => {
      await quietly(() => onEnd?.(event));
      await generation.end({ kind: 'done', response: event.steps.at(-1)?.text });
    },
  };
}

/** The SDK swallows what callbacks throw. */
async function quietly(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch {}
}

/** The messages that a call begins with. */
export function messagesOf({ prompt, messages }: Pick<CallSettings, 'prompt' | 'messages'>): ModelMessage[] {
  if (messages !== undefined) return messages;
  return typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : (prompt ?? []);
}
