import { errorText } from '@hooks/core/adapter';
import { isStepCount } from 'ai';
import type { NativeRun } from '../options.ts';
import type { ApprovalOptions, CallSettings, StepOptions, StopWhen } from '../sdk.ts';
import type { Generation } from './generation.ts';

/** The settings of one call that hooks change, without its callbacks. */
export function hookSettings<S extends CallSettings>(
  settings: S,
  generation: Generation,
  native: NativeRun,
): S {
  generation.begin(settings, native);
  const { tools, model, stopWhen } = settings;
  const { secret } = generation;
  return {
    ...settings,
    ...(secret !== undefined && { experimental_toolApprovalSecret: secret }),
    model: generation.model(model),
    ...(tools && { tools: generation.tools(tools) }),
    stopWhen: [
      ...conditionsOf(stopWhen).map((condition) => watched(condition, generation)),
      // Between two steps. An abort there ends `generateText` without a callback.
      async () => {
        await generation.endIfAborted();
        return false;
      },
    ],
    toolApproval: (about: ApprovalOptions) => approved(generation, about),
    prepareStep: async (options: StepOptions) => {
      try {
        return await prepared(settings, generation, options);
      } catch (error) {
        await generation.end({ kind: 'error', error }, error);
        throw error;
      }
    },
  };
}

async function prepared(settings: CallSettings, generation: Generation, options: StepOptions) {
  const {
    stepNumber,
    initialMessages,
    responseMessages,
    experimental_steeringMessages: added = [],
  } = options;
  const run = await generation.open(options.messages);
  let { messages } = options;
  if (stepNumber === 0) await generation.resumed(run, responseMessages);
  if (stepNumber === 0 && !generation.submitted)
    messages = await generation.submit(run, messages, initialMessages.length);
  if (added.length > 0) messages = await generation.steered(run, messages, added);
  if (generation.refused) return { messages, model: generation.model(settings.model) };
  await generation.startTurn(run);
  const own = settings.prepareStep && (await settings.prepareStep({ ...options, messages }));
  const model = own?.model ?? (run.model === undefined ? undefined : settings.model);
  return {
    ...(messages !== options.messages && { messages }),
    ...own,
    ...(model !== undefined && { model: generation.model(model) }),
  };
}

/** If this throws, a stream breaks. */
async function approved(generation: Generation, about: ApprovalOptions) {
  try {
    return await generation.approve(about);
  } catch (error) {
    return { type: 'denied', reason: errorText(error) } as const;
  }
}

function conditionsOf(stopWhen: unknown): readonly StopWhen[] {
  if (stopWhen === undefined) return [isStepCount(1) as StopWhen];
  return (Array.isArray(stopWhen) ? stopWhen : [stopWhen]) as readonly StopWhen[];
}

function watched(condition: StopWhen, generation: Generation): StopWhen {
  return async (about) => {
    const met = await condition(about);
    if (met && isLimit(condition)) generation.limit = about.steps.length;
    return met;
  };
}

type Callbacks<Name extends keyof CallSettings> = Required<Pick<CallSettings, Name>>;

/** The callbacks of one call: the user's, then ours. */
export function hookCallbacks(
  settings: Partial<CallSettings>,
  generation: Generation,
): Callbacks<'onStepEnd' | 'onStepError' | 'onAbort'> {
  const { onStepFinish, onStepEnd = onStepFinish, onStepError, onAbort } = settings;
  return {
    onStepEnd: behind(onStepEnd, (step) => generation.stepEnded(step)),
    onStepError: behind(onStepError, ({ error }) => {
      generation.inStep = false;
      return generation.end({ kind: 'error', error }, error);
    }),
    onAbort: behind(onAbort, () => generation.end({ kind: 'canceled' })),
  };
}

/** The callbacks for the end of a stream, whoever reads it. */
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
    onEnd: behind(onEnd, ({ steps }) => generation.end({ kind: 'done', response: steps.at(-1)?.text })),
  };
}

/** Our callback after the user's. The SDK swallows what callbacks throw. */
function behind<Event>(
  own: ((event: Event) => unknown) | undefined,
  ours: (event: Event) => Promise<void>,
): (event: Event) => Promise<void> {
  if (own === undefined) return ours;
  return async (event) => {
    try {
      await own(event);
    } catch {}
    await ours(event);
  };
}

const ofSteps = String(isStepCount(1));

/** Whether a condition is the SDK's step limit. Others (`hasToolCall`, the user's own) end a run that is done. */
function isLimit(condition: StopWhen): boolean {
  return String(condition) === ofSteps;
}
