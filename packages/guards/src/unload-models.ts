import { type AgentModel, AgentSwitch, type HookProvider } from '@hooks/core';

/** Frees what the models of one provider hold. */
export interface Unloader {
  /** Whether this unloader is for that model; models of others are skipped. */
  handles(model: AgentModel): boolean;
  unload(model: AgentModel, options: { readonly signal: AbortSignal }): Promise<void>;
}

/** Options of {@link unloadModels}. */
export interface UnloadModelsOptions {
  /** Docker Model Runner on this machine unless set. */
  readonly unloaders?: readonly Unloader[];
  /** Gets what went wrong, which is otherwise swallowed; `console.warn` unless set. */
  readonly onError?: (message: string, cause: unknown) => void;
}

/**
 * When control passes to another agent, frees the memory that the departing agent's models hold: the way to run two
 * heavy local models on a graphics card that fits one. Each unloading has 10 seconds, and its failure stops nothing.
 *
 * @example
 * ```ts
 * hooks.use(unloadModels({ unloaders: [dockerModelRunner({ url: 'http://localhost:12434' })] }));
 * ```
 */
export function unloadModels(options: UnloadModelsOptions = {}): HookProvider {
  const { unloaders = [dockerModelRunner()], onError = console.warn } = options;
  return {
    name: 'unload',
    register(hooks) {
      hooks.observe(
        AgentSwitch,
        async function unload({ models }) {
          await Promise.all(
            models.flatMap((model) =>
              unloaders
                .filter((unloader) => unloader.handles(model))
                .map((unloader) =>
                  unloader
                    .unload(model, { signal: AbortSignal.timeout(TIMEOUT_MS) })
                    .catch((cause: unknown) =>
                      onError(`Could not unload ${model.model}: ${String(cause)}`, cause),
                    ),
                ),
            ),
          );
        },
        { id: 'unload' },
      );
    },
  };
}

const TIMEOUT_MS = 10_000;

/** Options of {@link dockerModelRunner}. */
export interface DockerModelRunnerOptions {
  /** Where it listens; `http://localhost:12434` unless set. */
  readonly url?: string;
  /** Which providers' models it runs; `dmr` and `docker` unless set. */
  readonly providers?: readonly string[];
}

/** Unloads models of Docker Model Runner, by its `_unload` endpoint. */
export function dockerModelRunner(options: DockerModelRunnerOptions = {}): Unloader {
  const { url = 'http://localhost:12434', providers = ['dmr', 'docker'] } = options;
  return {
    handles: ({ provider }) => provider !== undefined && providers.includes(provider),
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
