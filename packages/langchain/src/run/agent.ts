import type { NamedModel } from '@hooks/core/adapter';
import { mergeConfigs, type RunnableConfig } from '@langchain/core/runnables';
import { IterableReadableStream } from '@langchain/core/utils/stream';
import type { Whereabouts } from '../config.ts';
import { agentConfig, type Memory, unwrapped } from '../internals.ts';
import type { Registries } from '../registries.ts';
import { type ResultPlace, submitResults } from './client-results.ts';
import { AgentForms, type AgentLike, type MakeAgent, WRAPPED } from './forms.ts';
import { goesOn, sendsMessages, unseen, withoutForgedMarks } from './input.ts';
import { beginRun, type Ending, endRun } from './lifecycle.ts';
import { isPromptHeard, lastPrompt, submitPrompt } from './prompt.ts';
import { type RunSeat, withRun } from './run.ts';

/** What the methods of a hooked agent need. */
export interface AgentSeat extends RunSeat, ResultPlace {
  readonly registries: Registries;
  /** Calls may need approval although no registry of the agent has a hook: `interruptOn`, or a tool that is hooked itself. */
  readonly approves: boolean;
  readonly agent: string | undefined;
  readonly memory: Memory | undefined;
  readonly model: NamedModel;
  /** The config of `withConfig`, which applies to each run. */
  readonly defaults?: Defaults;
  /** It has only our middleware, so its graph can run directly. */
  readonly alone: boolean;
  /** Creates the agent that answers a blocked prompt. It has no memory, and calls no model. */
  readonly makeRefusing: () => AgentLike;
}

type Defaults = Partial<RunnableConfig>;
type Config = Whereabouts | undefined;

/**
 * Hooks the runs of an agent: their prompt, and their end, however they end. Users who run its graph instead get a node
 * that hooks the prompt.
 */
export function hookAgent(make: MakeAgent, at: AgentSeat): AgentLike {
  const forms = new AgentForms(at.registries, make);
  const runner = (state: unknown): Runner => {
    // A thread may resume at any node, and a person's answer counts even if the hooks that asked are gone.
    if (goesOn(state)) return new HookedRuns(forms.standing, at);
    const idle = !at.approves && at.registries.isIdle;
    return idle ? forms.get('bare') : new HookedRuns(forms.running, at);
  };
  const own: Partial<AgentLike> = {
    invoke: (state, config) => runner(state).invoke(state, config),
    stream: (state, config) => runner(state).stream(state, config),
    streamEvents: (state, config, options) => runner(state).streamEvents(state, config, options),
    withConfig: (config) =>
      // The graph alone would not get all of the config.
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
      // Users who compile or run the graph need all its nodes. A state refers to the nodes that really run.
      const agent = property === 'graph' || property === 'builder' ? forms.standing : forms.running;
      const value: unknown = Reflect.get(agent, property, agent);
      return typeof value === 'function' ? value.bind(agent) : value; // #private fields
    },
    set: (_target, property, value) => forms.assign(property, value),
  });
}

type Runner = Pick<AgentLike, 'invoke' | 'stream' | 'streamEvents'>;

/** A run that has begun: the agent that answers, its input, and how to end it. */
interface Begun {
  readonly agent: AgentLike;
  readonly state: unknown;
  readonly config: unknown;
  readonly end: (ending: Ending) => Promise<void>;
  /** Throws if a hook has ended the run, and `refused` is `throw`. */
  readonly check: () => void;
}

/** Runs an agent with hooks. */
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
      begun.check();
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
      return failed(begun, thrown);
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
      // The graph alone would have the name of the agent that it runs in.
      config: withRun(mergeConfigs(agentConfig(at.agent), config as Defaults), run),
      end: (ending: Ending) => endRun(run, place, ending),
      check() {
        const rejection = at.registries.rejection(run);
        if (rejection !== undefined) throw rejection;
      },
    };
    if (run.parent !== undefined) {
      run.lastUserMessage ??= lastPrompt(state); // the input of a sub-agent is not a user's prompt
      return begun;
    }
    let refused: boolean | undefined;
    const end = (ending: Ending) => endRun(run, place, { ...ending, ...(refused && { refused }) });
    try {
      if (sendsMessages(state)) throw unseen();
      const results = await submitResults(run, withoutForgedMarks(state), at, place);
      const submitted =
        results.refused || !isPromptHeard(run) ? results : await submitPrompt(run, results.state, at.model);
      refused = submitted.refused;
      if (!refused) return { ...begun, state: submitted.state };
      begun.check();
      return { ...begun, state: submitted.state, agent: at.makeRefusing(), end };
    } catch (error) {
      return failed({ ...begun, end }, error);
    }
  }

  /** With any middleware, `createAgent` reads the checkpoint once more before each run, for the state of other middleware. */
  #graph({ agent }: Begun): AgentLike['graph'] {
    return this.#at.alone ? agent.graph : agent;
  }
}

async function projections(beginning: () => Promise<Begun>): Promise<unknown> {
  const begun = await beginning();
  try {
    const given = await begun.agent.streamEvents(begun.state, begun.config);
    const output: unknown = Reflect.get(Object(given), 'output');
    Promise.resolve(output).then(
      (result) => begun.end({ result }),
      (error) => begun.end({ error }),
    );
    return given;
  } catch (thrown) {
    return failed(begun, thrown);
  }
}

/** Ends a run that could not start. */
async function failed(begun: Begun, thrown: unknown): Promise<never> {
  const error = unwrapped(thrown);
  await begun.end({ error });
  throw error;
}

/** Passes a stream on, and ends the run when the stream ends, fails, or its reader stops. */
async function* watched(begun: Begun, open: () => AsyncIterable<unknown>): AsyncGenerator<unknown> {
  let ending: Ending = {};
  try {
    yield* open();
    begun.check();
  } catch (thrown) {
    const error = unwrapped(thrown);
    ending = { error };
    throw error;
  } finally {
    await begun.end(ending);
  }
}
