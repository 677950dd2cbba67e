import {
  AfterModelCall,
  type AgentModel,
  AgentSwitch,
  type HookProvider,
  type Session,
  sessionKey,
} from '@hooks/core';
import { type Checks, callback, checkOptions, expecting, having, listOf, text } from './options.ts';
import { versionOf } from './version.ts';

/** Frees the memory of a provider's models. */
export interface Unloader {
  /** Whether this unloader handles that model. */
  handles(model: AgentModel): boolean;
  unload(model: AgentModel, options: { readonly signal: AbortSignal }): Promise<void>;
}

/** Options of {@link unloadModels}. */
export interface UnloadModelsOptions {
  /** Default: Docker Model Runner on this machine. */
  readonly unloaders?: readonly Unloader[];
  /** Gets errors, which are otherwise ignored. Default: `console.warn`. */
  readonly onError?: (message: string, cause: unknown) => void;
}

const CHECKS: Checks<UnloadModelsOptions> = {
  unloaders: listOf(
    having('an unloader, such as dockerModelRunner()', 'handles', 'unload'),
    'unloaders, such as [dockerModelRunner()]',
  ),
  onError: callback,
};

/**
 * When control passes to another agent, frees the memory of the previous agent's models, so that two large local models
 * can share a graphics card. These are the models that the event names, and those that the agent called in the session.
 * Each unload has 10 seconds, and its failure is ignored.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid
 * @example
 * ```ts
 * hooks.use(unloadModels({ unloaders: [dockerModelRunner({ url: 'http://localhost:12434' })] }));
 * ```
 */
export function unloadModels(options: UnloadModelsOptions = {}): HookProvider {
  options = checkOptions('unloadModels', options, CHECKS);
  const { unloaders = [dockerModelRunner()], onError = console.warn } = options;
  const unload = async (model: AgentModel, unloader: Unloader): Promise<void> => {
    try {
      await unloader.unload(model, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (cause) {
      onError(`Could not unload ${model.model}: ${String(cause)}`, cause);
    }
  };
  return {
    name: 'unload',
    version: versionOf(options),
    register(hooks) {
      hooks.observe(
        AfterModelCall,
        ({ session, agent, provider, model }) => {
          if (agent === undefined || model === undefined) return;
          const called = modelsOf(session, agent);
          called.set(`${provider ?? ''} ${model}`, { ...(provider !== undefined && { provider }), model });
        },
        { id: 'models' },
      );
      hooks.observe(
        AgentSwitch,
        async function unloadDeparting({ session, from, models }) {
          const called = modelsOf(session, from);
          const named = models.filter(
            ({ model }) => ![...called.values()].some((one) => one.model === model),
          );
          const departing = [...called.values(), ...named];
          called.clear();
          await Promise.all(
            departing.flatMap((model) =>
              unloaders
                .filter((unloader) => unloader.handles(model))
                .map((unloader) => unload(model, unloader)),
            ),
          );
        },
        { id: 'unload' },
      );
    },
  };
}

/** The models that an agent has used since they were last unloaded, by provider and name. */
function modelsOf(session: Session, agent: string): Map<string, AgentModel> {
  // A sub-agent calls its models in its own session, and the switch fires in its parent's.
  if (session.parent !== undefined) return modelsOf(session.parent, agent);
  const byAgent = session.get(CALLED, () => new Map<string, Map<string, AgentModel>>());
  const called = byAgent.get(agent) ?? new Map<string, AgentModel>();
  byAgent.set(agent, called);
  return called;
}

const CALLED = sessionKey<Map<string, Map<string, AgentModel>>>('@hooks/guards/called-models');

const TIMEOUT_MS = 10_000;

/** Options of {@link dockerModelRunner}. */
export interface DockerModelRunnerOptions {
  /** The address of the runner. Default: `http://localhost:12434`. */
  readonly url?: string;
  /**
   * The providers whose models it runs. Default: `dmr` and `docker`. For a model of `openai` or no provider, the name
   * decides: `ai/`, `docker.io/` and `hf.co/` are its own.
   */
  readonly providers?: readonly string[];
}

const RUNNER: Checks<DockerModelRunnerOptions> = {
  url: expecting('an address, such as http://localhost:12434', (value) => URL.canParse(String(value))),
  providers: listOf(text, "names of providers, such as ['dmr']"),
};

/**
 * Unloads models of Docker Model Runner through its `_unload` endpoint.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid
 */
export function dockerModelRunner(options: DockerModelRunnerOptions = {}): Unloader {
  options = checkOptions('dockerModelRunner', options, RUNNER);
  const { url = 'http://localhost:12434', providers = ['dmr', 'docker'] } = options;
  return {
    // OpenAI's client also talks to other servers, so the model's name decides.
    handles: ({ provider, model }) =>
      provider === undefined || provider === 'openai'
        ? /^(?:ai|docker\.io|hf\.co)\//.test(model)
        : providers.includes(provider),
    async unload({ model }, { signal }) {
      const response = await fetch(new URL('/engines/_unload', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ models: [model] }),
        signal,
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
    },
  };
}
