import { type Hooks, HooksError } from '@hooks/core';
import { Attachment, blockReasonWith } from '@hooks/core/adapter';
import {
  experimental_createSteering,
  type OutputInterface as Output,
  type streamText,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
} from 'ai';
import { checkSecret } from './approval/approval.ts';
import { ChunkTimeouts, hasChunkLimits } from './model/chunk-timeouts.ts';
import { type HookedOptions, OF_RUNS, type Registries } from './options.ts';
import { type Context, HookedAgent } from './run/agent.ts';
import { Generation } from './run/generation.ts';
import { hookCallbacks, hookSettings, hookStreamEnd } from './run/settings.ts';
import type { CallSettings } from './sdk.ts';
import { supports } from './supports.ts';

/**
 * Creates a `ToolLoopAgent` whose prompts, model calls and tool calls go through the hooks. Takes the settings of `new
 * ToolLoopAgent`, or an agent that this function created, to add further hooks. The settings of other agents are
 * private.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that the AI SDK does not have
 * @throws HooksError `INVALID_INPUT` where `approval` is `native` and there is no `experimental_toolApprovalSecret`, or an empty one
 * @example
 * ```ts
 * const agent = hookedAgent({ model, instructions: '…', tools: { deploy } }, hooks);
 * await agent.generate({ prompt: 'Deploy it.' });
 * ```
 */
export function hookedAgent<
  CallOptions = never,
  Tools extends ToolSet = Record<never, never>,
  RuntimeContext extends Context = Context,
  Out extends Output = never,
>(
  agent: ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out>,
  hooks: Hooks,
  options?: HookedOptions,
): ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out>;
export function hookedAgent<
  CallOptions = never,
  Tools extends ToolSet = Record<never, never>,
  RuntimeContext extends Context = Context,
  Out extends Output = never,
>(
  settings: ToolLoopAgentSettings<CallOptions, Tools, RuntimeContext, Out>,
  hooks: Hooks,
  options?: HookedOptions,
): ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out>;
export function hookedAgent<
  CallOptions,
  Tools extends ToolSet,
  RuntimeContext extends Context,
  Out extends Output,
>(
  settings:
    | ToolLoopAgentSettings<CallOptions, Tools, RuntimeContext, Out>
    | ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out>,
  hooks: Hooks,
  options: HookedOptions = {},
): ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out> {
  const before = settings instanceof ToolLoopAgent ? hookedBefore(settings) : undefined;
  const given = before?.given ?? (settings as ToolLoopAgentSettings<CallOptions, Tools, RuntimeContext, Out>);
  const attached = attachTo('hookedAgent', given as object, hooks, options);
  return new HookedAgent(given, attached.around(before?.registries ?? Attachment.none));
}

function hookedBefore<CallOptions, Tools extends ToolSet, RuntimeContext extends Context, Out extends Output>(
  agent: ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out>,
): HookedAgent<CallOptions, Tools, RuntimeContext, Out> {
  if (agent instanceof HookedAgent) return agent;
  throw new HooksError(
    'INVALID_INPUT',
    'hookedAgent: the settings of an agent that was made already are private; give hookedAgent what `new ToolLoopAgent` was given.',
  );
}

/**
 * Hooks one call of `generateText` or `streamText`: takes its options and returns hooked ones. Create them anew for
 * each call.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`, `INVALID_INPUT` as `hookedAgent`
 * @example
 * ```ts
 * const { text } = await generateText(hookedCall({ model, tools, prompt, stopWhen: isStepCount(5) }, hooks));
 * ```
 */
export function hookedCall<
  Tools extends ToolSet,
  RuntimeContext extends Context = Context,
  Out extends Output = Output<string, string, never>,
>(
  settings: CallOptions<Tools, RuntimeContext, Out>,
  hooks: Hooks,
  options?: HookedOptions,
): NoInfer<CallOptions<Tools, RuntimeContext, Out>>;
export function hookedCall(settings: object, hooks: Hooks, options: HookedOptions = {}): CallSettings {
  const known: Hooked | undefined = Reflect.get(settings, HOOKED);
  // The types of its users are the same inside and outside.
  const given = known?.given ?? (settings as CallSettings);
  const registries = attachTo('hookedCall', given, hooks, options).around(
    known?.registries ?? Attachment.none,
  );
  const { runtimeContext, telemetry, timeout } = given;
  const timeouts = hasChunkLimits(timeout) ? new ChunkTimeouts(given.abortSignal) : undefined;
  const signal = timeouts?.signal ?? given.abortSignal;
  const measured = timeouts && { timeout: timeouts.take(timeout), abortSignal: signal };
  const steering = given.experimental_steering ?? experimental_createSteering();
  const generation = new Generation(registries, { agent: telemetry?.functionId, signal, steering, timeouts });
  return {
    ...hookSettings(given, generation, { runtimeContext, options: undefined }),
    ...measured,
    ...hookCallbacks(given, generation),
    ...hookStreamEnd(given, generation),
    experimental_steering: steering,
    ...{ [HOOKED]: { given, registries } satisfies Hooked },
  };
}

/** What `streamText` takes. `generateText` takes the same, except for a few options of streams. */
type CallOptions<Tools extends ToolSet, RuntimeContext extends Context, Out extends Output> = Parameters<
  typeof streamText<Tools, RuntimeContext, Out>
>[0];

const HOOKED = Symbol('@hooks/ai-sdk options');

interface Hooked {
  readonly given: CallSettings;
  readonly registries: Registries;
}

function attachTo(
  of: string,
  settings: Partial<CallSettings>,
  hooks: Hooks,
  options: HookedOptions,
): Registries {
  const { tools = {}, experimental_toolApprovalSecret: secret } = settings;
  checkSecret(secret, options.approval === 'native' && !('prepareCall' in settings));
  return Attachment.of(hooks, options, { of, takes: OF_RUNS, supports, tools: Object.keys(tools) });
}

/**
 * Why a hook refused: a run, given its result or error; or a call, given the error of a hooked tool. For `streamText`,
 * pass `await result.steps`. Undefined if no hook refused.
 */
export const blockReason: (resultOrError: unknown) => string | undefined = blockReasonWith((result) => {
  const steps = Array.isArray(result) ? result : 'steps' in result ? result.steps : [];
  return Array.isArray(steps) && steps.length > 0 ? blockReason(steps.at(-1)) : undefined;
});
