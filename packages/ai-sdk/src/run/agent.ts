import { areIdle } from '@hooks/core/adapter';
import {
  type AgentCallParameters,
  type AgentStreamParameters,
  experimental_createSteering,
  type GenerateTextResult,
  type OutputInterface as Output,
  type Experimental_Steering as Steering,
  type StreamTextResult,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
} from 'ai';
import type { Registry } from '../registries.ts';
import type { CallSettings } from '../sdk.ts';
import { Generation } from './generation.ts';
import { messagesOf } from './prompts.ts';
import { hookCallbacks, hookSettings, hookStreamEnd } from './settings.ts';

export type Context = Record<string, unknown>;
type Steered = { readonly experimental_steering?: Steering };

/** An agent under hooks: each of its runs is one of an agent of the SDK with hooked settings. */
export class HookedAgent<
  CallOptions,
  Tools extends ToolSet,
  RuntimeContext extends Context,
  Out extends Output,
> extends ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out> {
  readonly given: ToolLoopAgentSettings<CallOptions, Tools, RuntimeContext, Out>;
  /** Outermost first. */
  readonly registries: readonly Registry[];

  constructor(
    settings: ToolLoopAgentSettings<CallOptions, Tools, RuntimeContext, Out>,
    registries: readonly Registry[],
  ) {
    super(settings);
    this.given = settings;
    this.registries = registries;
  }

  override async generate(
    options: AgentCallParameters<CallOptions, Tools, RuntimeContext> & Steered,
  ): Promise<GenerateTextResult<Tools, RuntimeContext, Out>> {
    if (areIdle(this.registries)) return super.generate(options);
    const generation = this.#generation(options);
    try {
      const result = await this.#agent(generation, false).generate(steered(options, generation));
      await generation.end({ kind: 'done', response: result.text }, result);
      return result;
    } catch (error) {
      const aborted = options.abortSignal?.aborted === true;
      await generation.end(aborted ? { kind: 'canceled' } : { kind: 'error', error }, error);
      throw error;
    }
  }

  override async stream(
    options: AgentStreamParameters<CallOptions, Tools, RuntimeContext> & Steered,
  ): Promise<StreamTextResult<Tools, RuntimeContext, Out>> {
    if (areIdle(this.registries)) return super.stream(options);
    const generation = this.#generation(options);
    try {
      const result = await this.#agent(generation, true).stream(steered(options, generation));
      generation.result = result;
      return result;
    } catch (error) {
      await generation.end({ kind: 'error', error }, error);
      throw error;
    }
  }

  #generation({
    abortSignal: signal,
    experimental_steering: steering = experimental_createSteering(),
  }: Pick<CallSettings, 'abortSignal' | 'experimental_steering'>): Generation {
    return new Generation(this.registries, { agent: this.given.id, signal, steering });
  }

  /** The SDK's agent for one run. */
  #agent(generation: Generation, streams: boolean): ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out> {
    const { given } = this;
    // Its users' types are the same inside and outside.
    const settings: Partial<CallSettings> = given as object;
    const callbacks = {
      ...hookCallbacks(settings, generation),
      ...(streams && hookStreamEnd(settings, generation)),
    };
    const prepareCall = async (args: object): Promise<object> => {
      const prepared = ((await given.prepareCall?.(args as never)) ?? args) as CallSettings & {
        options?: unknown;
      };
      const { options = Reflect.get(args, 'options'), runtimeContext } = prepared;
      const hooked = hookSettings(prepared, generation, { options, runtimeContext });
      const messages = messagesOf(prepared);
      const run = await generation.open(messages);
      const left = await generation.submit(run, messages);
      const { onStepError } = callbacks;
      if (left === messages) return { ...hooked, onStepError };
      const { prompt: _, messages: _given, ...others } = hooked;
      return { ...others, onStepError, messages: left };
    };
    return new ToolLoopAgent({ ...given, ...callbacks, prepareCall } as never);
  }
}

function steered<Options>(options: Options, { steering }: Generation): Options {
  return { ...options, experimental_steering: steering };
}
