import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';

/** The part of a LangGraph config that identifies the run. */
export interface Whereabouts {
  readonly context?: unknown;
  readonly configurable?: { readonly [key: string]: unknown } | undefined;
  readonly metadata?: { readonly [key: string]: unknown } | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Pauses the node of a graph. */
  readonly interrupt?: ((value: unknown) => unknown) | undefined;
}

// LangGraph copies neither objects nor names with two underscores into metadata, events or checkpoints.
const PARENT_CALL = '__hooks_parent_call';

/** Records in the config of a tool's function that calls inside it have this parent. */
export function withParentCall(config: unknown, callId: string | undefined): unknown {
  if (callId === undefined || typeof config !== 'object' || config === null) return config;
  const { configurable } = config as Whereabouts;
  return { ...config, configurable: { ...configurable, [PARENT_CALL]: callId } };
}

/** The call that a config was passed to, if any. */
export function parentCall(config: Whereabouts | undefined): string | undefined {
  const id: unknown = config?.configurable?.[PARENT_CALL];
  return typeof id === 'string' ? id : undefined;
}

/** The config of the node or tool that is running, if any. */
export function ambientConfig(): RunnableConfig | undefined {
  return AsyncLocalStorageProviderSingleton.getRunnableConfig();
}

/** The thread's id, if the caller gave one. */
export function threadId(config: Whereabouts | undefined): string | undefined {
  const id: unknown = config?.configurable?.['thread_id'];
  return typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined;
}
