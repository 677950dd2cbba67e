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
import { ChunkTimeouts, hasChunkLimits } from '../model/chunk-timeouts.ts';
import type { Registries } from '../options.ts';
import type { CallSettings } from '../sdk.ts';
import { Generation } from './generation.ts';
import { messagesOf } from './prompts.ts';
import { hookCallbacks, hookSettings, hookStreamEnd } from './settings.ts';

export type Context = Record<string, unknown>;
type Steered = { readonly experimental_steering?: Steering };

/** A hooked agent. Each of its runs is the run of an SDK agent with hooked settings. */
export class HookedAgent<
  CallOptions,
  Tools extends ToolSet,
  RuntimeContext extends Context,
  Out extends Output,
> extends ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out> {
  readonly given: ToolLoopAgentSettings<CallOptions, Tools, RuntimeContext, Out>;
  readonly registries: Registries;

  constructor(
    settings: ToolLoopAgentSettings<CallOptions, Tools, RuntimeContext, Out>,
    registries: Registries,
  ) {
    super(settings);
    this.given = settings;
    this.registries = registries;
  }

  override async generate(
    options: AgentCallParameters<CallOptions, Tools, RuntimeContext> & Steered,
  ): Promise<GenerateTextResult<Tools, RuntimeContext, Out>> {
    return this.#run(options, async (generation, experimental_steering) => {
      const agent = this.#agent(generation, false);
      const result = await agent.generate({ ...options, experimental_steering });
      await generation.end({ kind: 'done', response: result.text }, result);
      generation.checkRefused();
      return result;
    });
  }

  override async stream(
    options: AgentStreamParameters<CallOptions, Tools, RuntimeContext> & Steered,
  ): Promise<StreamTextResult<Tools, RuntimeContext, Out>> {
    const { given } = this;
    const isLimited = given.prepareCall !== undefined || hasChunkLimits(options.timeout ?? given.timeout);
    const timeouts = isLimited ? new ChunkTimeouts(options.abortSignal) : undefined;
    const measured = timeouts && {
      abortSignal: timeouts.signal,
      ...(options.timeout !== undefined && { timeout: timeouts.take(options.timeout) }),
    };
    const run = { ...options, ...measured };
    // The agent's own counts if the call has none.
    const ofAgent = options.timeout === undefined ? timeouts : undefined;
    return this.#run({ ...run, timeouts }, async (generation, experimental_steering) => {
      const agent = this.#agent(generation, true, ofAgent);
      const result = await agent.stream({ ...run, experimental_steering });
      generation.result = result;
      return result;
    });
  }

  /** Ends the run if it rejects. */
  async #run<Result>(
    {
      abortSignal: signal,
      experimental_steering: steering = experimental_createSteering(),
      timeouts,
    }: Pick<CallSettings, 'abortSignal' | 'experimental_steering'> & {
      readonly timeouts?: ChunkTimeouts | undefined;
    },
    act: (generation: Generation, steering: Steering) => Promise<Result>,
  ): Promise<Result> {
    const generation = new Generation(this.registries, { agent: this.given.id, signal, steering, timeouts });
    try {
      return await act(generation, steering);
    } catch (error) {
      await generation.end(signal?.aborted ? { kind: 'canceled' } : { kind: 'error', error }, error);
      throw error;
    }
  }

  /** The SDK agent for one run. */
  #agent(
    generation: Generation,
    streams: boolean,
    timeouts?: ChunkTimeouts,
  ): ToolLoopAgent<CallOptions, Tools, RuntimeContext, Out> {
    const { given } = this;
    // The types of its users are the same inside and outside.
    const settings: Partial<CallSettings> = given as object;
    const callbacks = {
      ...hookCallbacks(settings, generation),
      ...(streams && hookStreamEnd(settings, generation)),
    };
    const prepareCall = async (args: object): Promise<object> => {
      const prepared = ((await given.prepareCall?.(args as never)) ?? args) as CallSettings & {
        options?: unknown;
      };
      const { options = Reflect.get(args, 'options'), runtimeContext, timeout } = prepared;
      const settings = timeouts ? { ...prepared, timeout: timeouts.take(timeout) } : prepared;
      const hooked = hookSettings(settings, generation, { options, runtimeContext });
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
