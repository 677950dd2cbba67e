import type { NamedModel } from '@hooks/core/adapter';
import { mergeConfigs, type RunnableConfig } from '@langchain/core/runnables';
import { IterableReadableStream } from '@langchain/core/utils/stream';
import type { Whereabouts } from '../config.ts';
import { agentConfig, type Memory, unwrapped } from '../internals.ts';
import type { Registries } from '../registries.ts';
import { type ResultPlace, submitResults } from './client-results.ts';
import { AgentForms, type AgentLike, type MakeAgent } from './forms.ts';
import { goesOn, sendsMessages, unseen, withoutForgedMarks } from './input.ts';
import { beginRun, type Ending, endRun } from './lifecycle.ts';
import { lastPrompt, submitPrompt } from './prompt.ts';
import { type RunSeat, withRun } from './run.ts';

/** What the methods of a hooked agent need. */
export interface AgentSeat extends RunSeat, ResultPlace {
  readonly registries: Registries;
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
  // A thread may resume at any node.
  const runs = (state: unknown): HookedRuns =>
    new HookedRuns(goesOn(state) ? forms.standing : forms.running, at);
  const own: Partial<AgentLike> = {
    invoke: (state, config) => runs(state).invoke(state, config),
    stream: (state, config) => runs(state).stream(state, config),
    streamEvents: (state, config, options) => runs(state).streamEvents(state, config, options),
    withConfig: (config) =>
      // The graph alone would not get all of the config.
      hookAgent((form) => make(form).withConfig(config), {
        ...at,
        defaults: mergeConfigs(at.defaults, config as Defaults),
        alone: false,
      }),
  };
  return new Proxy(forms.running, {
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

/** A run that has begun. */
interface Begun {
  /** The agent that answers. */
  agent: AgentLike;
  state: unknown;
  readonly config: Whereabouts;
  /** Its prompt was blocked. */
  refused: boolean;
  readonly end: (ending: Ending) => Promise<void>;
  /** Throws if a hook has ended the run, and `refused` is `throw`. */
  readonly check: () => void;
}

/** Runs an agent with hooks. */
class HookedRuns {
  readonly #agent: AgentLike;
  readonly #at: AgentSeat;

  constructor(agent: AgentLike, at: AgentSeat) {
    this.#agent = agent;
    this.#at = at;
  }

  async invoke(state: unknown, config: Config): Promise<unknown> {
    const begun = await this.#begin(state, config);
    try {
      const result = await this.#graph(begun).invoke(begun.state, begun.config);
      begun.check();
      await begun.end({ result });
      return result;
    } catch (thrown) {
      return failed(begun, thrown);
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
    const place = mergeConfigs(at.defaults, config as Defaults);
    const run = await beginRun(at, place, goesOn(state));
    const begun: Begun = {
      agent: this.#agent,
      state,
      // The graph alone would have the name of the agent that it runs in.
      config: withRun(mergeConfigs(agentConfig(at.agent), config as Defaults), run),
      refused: false,
      end: (ending) => endRun(run, place, { ...ending, refused: begun.refused }),
      check: () => at.registries.throwRejection(run),
    };
    if (run.parent !== undefined) {
      run.lastUserMessage ??= lastPrompt(state); // the input of a sub-agent is not a user's prompt
      return begun;
    }
    try {
      if (sendsMessages(state)) throw unseen();
      const results = await submitResults(run, withoutForgedMarks(state), at, place);
      const submitted = results.refused ? results : await submitPrompt(run, results.state, at.model);
      begun.state = submitted.state;
      begun.refused = submitted.refused;
      if (begun.refused) {
        begun.check();
        begun.agent = at.makeRefusing();
      }
      return begun;
    } catch (error) {
      return failed(begun, error);
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

/** Ends a run that has failed. */
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
