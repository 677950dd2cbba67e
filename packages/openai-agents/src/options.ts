import type { Approver } from '@hooks/core';
import {
  type Attachment,
  type PrincipalOption,
  type RefusedOption,
  sharedOptions,
} from '@hooks/core/adapter';
import type { OptionChecks } from '@hooks/core/options';

/**
 * Options of `hookTool` and `hookTools`. `Context` is that of the user's runs (`run(agent, input, { context })`), which `principal`
 * reads; undefined where a run was given none.
 */
export interface HookToolOptions<Context = unknown> extends PrincipalOption<Context | undefined> {
  /**
   * Who approves calls for which a hook requires approval: an approver function; `native`, the SDK's own pause in a
   * hooked runner (`result.interruptions`, a serializable `RunState`); or nobody (`deny`). By default, the next
   * registry further out decides, and in the end nobody. A runner's option comes before that of an agent or a tool.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /** Types of events that may be registered although this adapter cannot fire or honour them. */
  readonly allowUnsupported?: readonly string[];
}

/** Options of `hookedRunner` and `attachHooks`. */
export interface HookedOptions<Context = unknown> extends HookToolOptions<Context> {
  /**
   * `false` lets streamed model answers through before `AfterModelCall` has decided: faster, and unfiltered. Unless
   * set, they are held back where a hook may change or refuse them.
   */
  readonly holdStream?: boolean;
  /** How often in a row a `Stop` hook may make a run continue. Default: 3. Of several registries the smallest counts. */
  readonly maxContinuations?: number;
}

/** Options of `hookedRunner`. */
export interface HookedRunnerOptions<Context = unknown> extends HookedOptions<Context>, RefusedOption {}

const { allowUnsupported, principal, approval, holdStream, refused, maxContinuations } = sharedOptions;

export const OF_TOOLS: OptionChecks<HookToolOptions> = { allowUnsupported, principal, approval };
export const OF_AGENTS: OptionChecks<HookedOptions> = { ...OF_TOOLS, holdStream, maxContinuations };
export const OF_RUNNERS: OptionChecks<HookedRunnerOptions> = { ...OF_AGENTS, refused };

/** The registries that hook a run, an agent or a tool, with the options that they were attached with. */
export type Registries = Attachment<unknown, HookedOptions>;
