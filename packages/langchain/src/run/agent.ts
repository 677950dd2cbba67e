import { isIdle, type NamedModel } from '@hooks/core/adapter';
import { mergeConfigs, type RunnableConfig } from '@langchain/core/runnables';
import { IterableReadableStream } from '@langchain/core/utils/stream';
import type { Whereabouts } from '../config.ts';
import { agentConfig, unwrapped } from '../internals.ts';
import { AgentForms, type AgentLike, type MakeAgent, WRAPPED } from './forms.ts';
import { beginRun, type Ending, endRun, type Memory } from './lifecycle.ts';
import { goesOn, isPromptHeard, lastPrompt, submitPrompt } from './prompt.ts';
import { type RunSeat, withRun } from './run.ts';

/** What the methods of a hooked agent need. */
export interface AgentSeat extends RunSeat {
  /** It has calls approved where none of its registries has a hook: by `interruptOn`, or for a tool that is hooked itself. */
  readonly approves: boolean;
  readonly agent: string | undefined;
  readonly memory: Memory | undefined;
  readonly model: NamedModel;
  /** What the agent was given by `withConfig`, and counts for each run. */
  readonly defaults?: Defaults;
  /** It has no middleware but ours: then its graph can be run directly, without its looking for their state. */
  readonly alone: boolean;
  /** Makes the agent that answers a blocked prompt: it has no memory, and calls no model. */
  readonly makeRefusing: () => AgentLike;
}

type Defaults = Partial<RunnableConfig>;
type Config = Whereabouts | undefined;

/**
 * The agent with its runs hooked: each is begun, its prompt submitted, and ended however it ends. Its graph, for those
 * who run that instead, hooks the prompt by a node.
 */
export function hookAgent(make: MakeAgent, at: AgentSeat): AgentLike {
  const forms = new AgentForms(at.registries, make);
  const runner = (state: unknown): Runner => {
    // A thread may go on from any node. What a person has answered there counts, also where the hooks that had asked are gone.
    if (goesOn(state)) return new HookedRuns(forms.standing, at);
    const idle = !at.approves && at.registries.every(({ hooks }) => isIdle(hooks));
    return idle ? forms.get('bare') : new HookedRuns(forms.running, at);
  };
  const own: Partial<AgentLike> = {
    invoke: (state, config) => runner(state).invoke(state, config),
    stream: (state, config) => runner(state).stream(state, config),
    streamEvents: (state, config, options) => runner(state).streamEvents(state, config, options),
    withConfig: (config) =>
      // Only the agent itself takes all of it to its runs.
      hookAgent((form) => make(form).withConfig(config), {
        ...at,
        defaults: mergeConfigs(at.defaults, config as Defaults),
        alone: false,
      }),
  };
  return new Proxy(forms.get(WRAPPED), {
    get(target, property) {
      if (Object.hasOwn(own, property)) return Reflect.get(own, property);
      if (property === 'constructor') return Reflect.get(target, property, target);
      // Who compiles or runs the graph needs all its nodes; a state is one of the nodes that run.
      const agent = property === 'graph' || property === 'builder' ? forms.standing : forms.running;
      const value: unknown = Reflect.get(agent, property, agent);
      return typeof value === 'function' ? value.bind(agent) : value; // #private fields
    },
    set: (_target, property, value) => forms.assign(property, value),
  });
}

type Runner = Pick<AgentLike, 'invoke' | 'stream' | 'streamEvents'>;

/** A run that has begun: the agent that answers, what it is given, and how to end it. */
interface Begun {
  readonly agent: AgentLike;
  readonly state: unknown;
  readonly config: unknown;
  readonly end: (ending: Ending) => Promise<void>;
}

/** How an agent is run with its runs hooked. */
class HookedRuns implements Runner {
  readonly #agent: AgentLike;
  readonly #at: AgentSeat;

  constructor(agent: AgentLike, at: AgentSeat) {
    this.#agent = agent;
    this.#at = at;
  }

  async invoke(state: unknown, config: Config): Promise<unknown> {
    const begun = await this.#begin(state, config);
    let ending: Ending = {};
    try {
      const result = await this.#graph(begun).invoke(begun.state, begun.config);
      ending = { result };
      return result;
    } catch (thrown) {
      const error = unwrapped(thrown);
      ending = { error };
      throw error;
    } finally {
      await begun.end(ending);
    }
  }

  async stream(state: unknown, config: Config): Promise<AsyncIterable<unknown>> {
    const begun = await this.#begin(state, config);
    try {
      const chunks = await this.#graph(begun).stream(begun.state, begun.config);
      return IterableReadableStream.fromAsyncGenerator(watched(begun, () => chunks));
    } catch (thrown) {
      const error = unwrapped(thrown);
      await begun.end({ error });
      throw error;
    }
  }

  streamEvents(state: unknown, config: Config, options: unknown): AsyncIterable<unknown> | Promise<unknown> {
    const beginning = (): Promise<Begun> => this.#begin(state, config);
    if (Object(config).version === 'v3' && options === undefined) return projections(beginning);
    const events = async function* (): AsyncGenerator<unknown> {
      const begun = await beginning();
      // Only version v3 gives a promise.
      yield* watched(
        begun,
        () => begun.agent.streamEvents(begun.state, begun.config, options) as AsyncIterable<unknown>,
      );
    };
    return IterableReadableStream.fromAsyncGenerator(events());
  }

  async #begin(state: unknown, config: Config): Promise<Begun> {
    const at = this.#at;
    const place = at.defaults === undefined ? config : mergeConfigs(at.defaults, config as Defaults);
    const run = await beginRun(at, place, goesOn(state));
    const begun = {
      agent: this.#agent,
      state,
      // Its graph alone would tell the name of the agent that it runs in.
      config: withRun(mergeConfigs(agentConfig(at.agent), config as Defaults), run),
      end: (ending: Ending) => endRun(run, place, ending),
    };
    if (run.parent !== undefined) {
      run.lastUserMessage ??= lastPrompt(state); // what a sub-agent begins with is no user's prompt
      return begun;
    }
    if (!isPromptHeard(run)) return begun;
    try {
      const { state: submitted, refused } = await submitPrompt(run, state, at.model);
      if (!refused) return { ...begun, state: submitted };
      const end = (ending: Ending) => endRun(run, place, { ...ending, refused });
      return { ...begun, state: submitted, agent: at.makeRefusing(), end };
    } catch (error) {
      await begun.end({ error });
      throw error;
    }
  }

  /** What runs an agent: with middleware about, `createAgent` asks for the state before, which without a memory fails. */
  #graph({ agent }: Begun): AgentLike['graph'] {
    return this.#at.alone ? agent.graph : agent;
  }
}

async function projections(beginning: () => Promise<Begun>): Promise<unknown> {
  const begun = await beginning();
  const given = await begun.agent.streamEvents(begun.state, begun.config);
  const output: unknown = Reflect.get(Object(given), 'output');
  Promise.resolve(output).then(
    (result) => begun.end({ result }),
    (error) => begun.end({ error }),
  );
  return given;
}

/** What is streamed, with the run ended when it ends, fails, or nobody reads on. */
async function* watched(begun: Begun, open: () => AsyncIterable<unknown>): AsyncGenerator<unknown> {
  let ending: Ending = {};
  try {
    yield* open();
  } catch (thrown) {
    const error = unwrapped(thrown);
    ending = { error };
    throw error;
  } finally {
    await begun.end(ending);
  }
}
