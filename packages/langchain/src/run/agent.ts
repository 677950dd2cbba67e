import { isIdle, type NamedModel } from '@hooks/core/adapter';
import { mergeConfigs, type RunnableConfig } from '@langchain/core/runnables';
import { IterableReadableStream } from '@langchain/core/utils/stream';
import { reviewsAny } from '../approval/review.ts';
import type { Whereabouts } from '../config.ts';
import type { AgentHookOptions } from '../options.ts';
import { AgentForms, type AgentLike, type MakeAgent, WRAPPED } from './forms.ts';
import { beginRun, type Ending, endRun, type Memory } from './lifecycle.ts';
import { goesOn, isPromptHeard, lastPrompt, submitPrompt } from './prompt.ts';
import { type HookedRun, type RunSeat, withRun } from './run.ts';

/** What the methods of a hooked agent need. */
export interface AgentSeat extends RunSeat {
  readonly options: AgentHookOptions;
  readonly name: string | undefined;
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
type Config = (Whereabouts & { readonly version?: string }) | undefined;

/**
 * The agent with its runs hooked: each is begun, its prompt submitted, and ended however it ends. Its graph, for those
 * who run that instead, hooks the prompt by a node.
 */
export function hookAgent(make: MakeAgent, at: AgentSeat): AgentLike {
  const forms = new AgentForms(at.members, make);
  // A thread may go on from any node. What a person has answered there counts, also where the hooks that had asked are gone.
  const formFor = (state: unknown): AgentLike => (goesOn(state) ? forms.standing : forms.running);
  const reviews = reviewsAny(at.options);
  const isBare = (state: unknown): boolean =>
    !reviews && at.members.every(({ hooks }) => isIdle(hooks)) && !goesOn(state);
  const methods = new Map<PropertyKey, unknown>([
    [
      'invoke',
      (state: unknown, config: Config) =>
        isBare(state) ? forms.get('bare').invoke(state, config) : invoke(formFor(state), at, state, config),
    ],
    [
      'stream',
      (state: unknown, config: Config) =>
        isBare(state) ? forms.get('bare').stream(state, config) : stream(formFor(state), at, state, config),
    ],
    [
      'streamEvents',
      (state: unknown, config: Config, options: unknown) =>
        isBare(state)
          ? forms.get('bare').streamEvents(state, config, options)
          : streamEvents(formFor(state), at, state, config, options),
    ],
    [
      'withConfig',
      (config: Defaults) => {
        const defaults = mergeConfigs(at.defaults, config);
        // Only the agent itself takes all of it to its runs.
        return hookAgent((form) => make(form).withConfig(config), { ...at, defaults, alone: false });
      },
    ],
  ]);
  return new Proxy(forms.get(WRAPPED), {
    get(target, property) {
      const own = methods.get(property);
      if (own !== undefined) return own;
      if (property === 'constructor') return Reflect.get(target, property, target);
      // Who compiles or runs the graph needs all its nodes; a state is one of the nodes that run.
      const agent = property === 'graph' || property === 'builder' ? forms.standing : forms.running;
      const value: unknown = Reflect.get(agent, property, agent);
      return typeof value === 'function' ? value.bind(agent) : value; // #private fields
    },
    set: (_target, property, value) => forms.assign(property, value),
  });
}

/** A run that has begun: the agent that answers, what it is given, and how to end it. */
interface Begun {
  readonly run: HookedRun;
  readonly agent: AgentLike;
  readonly state: unknown;
  readonly config: unknown;
  /** Where it runs. */
  readonly place: Whereabouts | undefined;
  readonly refused: boolean;
}

async function begin(agent: AgentLike, at: AgentSeat, state: unknown, config: Config): Promise<Begun> {
  const place = at.defaults === undefined ? config : mergeConfigs(at.defaults, config as Defaults);
  const run = await beginRun(at, place, goesOn(state));
  const begun = { run, agent, state, config: withRun(config, run), place, refused: false };
  if (run.parent !== undefined) {
    run.lastUserMessage ??= lastPrompt(state); // what a sub-agent begins with is no user's prompt
    return begun;
  }
  if (!isPromptHeard(run)) return begun;
  try {
    const { state: submitted, refused } = await submitPrompt(run, state, at.model);
    return { ...begun, state: submitted, refused, agent: refused ? at.makeRefusing() : agent };
  } catch (error) {
    await endRun(run, place, { error });
    throw error;
  }
}

/** Ends what has begun. */
function end({ run, place, refused }: Begun, ending: Ending): Promise<void> {
  return endRun(run, place, { ...ending, refused });
}

/** What runs an agent: with middleware about, `createAgent` asks for the state before, which without a memory fails. */
function runner(agent: AgentLike, { alone }: AgentSeat): AgentLike['graph'] {
  return alone ? agent.graph : agent;
}

async function invoke(agent: AgentLike, at: AgentSeat, state: unknown, config: Config): Promise<unknown> {
  const begun = await begin(agent, at, state, config);
  let ending: Ending = {};
  try {
    const result = await runner(begun.agent, at).invoke(begun.state, begun.config);
    ending = { result };
    return result;
  } catch (error) {
    ending = { error };
    throw error;
  } finally {
    await end(begun, ending);
  }
}

async function stream(
  agent: AgentLike,
  at: AgentSeat,
  state: unknown,
  config: Config,
): Promise<AsyncIterable<unknown>> {
  const begun = await begin(agent, at, state, config);
  try {
    const chunks = await runner(begun.agent, at).stream(begun.state, begun.config);
    return IterableReadableStream.fromAsyncGenerator(watched(begun, () => chunks));
  } catch (error) {
    await end(begun, { error });
    throw error;
  }
}

function streamEvents(
  agent: AgentLike,
  at: AgentSeat,
  state: unknown,
  config: Config,
  options: unknown,
): AsyncIterable<unknown> | Promise<unknown> {
  if (config?.version === 'v3' && options === undefined) return streamProjections(agent, at, state, config);
  const events = async function* (): AsyncGenerator<unknown> {
    const begun = await begin(agent, at, state, config);
    yield* watched(begun, () => {
      const chunks = begun.agent.streamEvents(begun.state, begun.config, options);
      return chunks as AsyncIterable<unknown>; // only version v3 gives a promise
    });
  };
  return IterableReadableStream.fromAsyncGenerator(events());
}

async function streamProjections(
  agent: AgentLike,
  at: AgentSeat,
  state: unknown,
  config: Config,
): Promise<unknown> {
  const begun = await begin(agent, at, state, config);
  const projections = await begun.agent.streamEvents(begun.state, begun.config);
  const output: unknown = Reflect.get(Object(projections), 'output');
  Promise.resolve(output).then(
    (result) => end(begun, { result }),
    (error) => end(begun, { error }),
  );
  return projections;
}

/** What is streamed, with the run ended when it ends, fails, or nobody reads on. */
async function* watched(begun: Begun, open: () => AsyncIterable<unknown>): AsyncGenerator<unknown> {
  let ending: Ending = {};
  try {
    yield* open();
  } catch (error) {
    ending = { error };
    throw error;
  } finally {
    await end(begun, ending);
  }
}
