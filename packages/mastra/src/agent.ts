import type { Mastra } from '@mastra/core';
import type { AgentConfig, AgentExecutionOptionsBase, ToolsInput } from '@mastra/core/agent';
import type { InputProcessorOrWorkflow } from '@mastra/core/processors';
import type { ToolHooks } from '@mastra/core/tools';
import type { WorkflowRunState } from '@mastra/core/workflows';

/** The options of a run, as far as this adapter reads or changes them. */
export type RunOptions = Pick<
  AgentExecutionOptionsBase<unknown>,
  | 'abortSignal'
  | 'autoResumeSuspendedTools'
  | 'clientTools'
  | 'delegation'
  | 'hooks'
  | 'inputProcessors'
  | 'maxSteps'
  | 'memory'
  | 'onIterationComplete'
  | 'prepareStep'
  | 'requestContext'
  | 'requireToolApproval'
  | 'runId'
  | 'stopWhen'
  | 'toolsets'
> & {
  /** This depends on the run's structured output. */
  readonly onFinish?: ((finished: never) => unknown) | undefined;
  readonly structuredOutput?: { readonly model?: unknown; readonly useAgent?: boolean } | undefined;
};

/** The tools of an agent, by the names that the model sees. */
export type Tools = Readonly<Record<string, object>>;

/** The tools of an agent's configuration, which may depend on the run. */
export type ConfiguredTools = ToolsInput | ((context: never) => ToolsInput | PromiseLike<ToolsInput>);

type Agents = Readonly<Record<string, object>>;

/** The context that an agent's own settings may depend on. */
export type Context = Pick<RunOptions, 'requestContext'>;

/** The start of a loop that hooks see only a part of. */
type OtherStart = (first: never, options: never) => Promise<unknown>;

/** An agent of any type; the type parameters of `Agent` are invariant and of no interest here. */
export interface AnyAgent {
  /** The fields of its configuration as the user gave them. */
  __getOverridableFields(): { readonly model: unknown; readonly tools: ConfiguredTools };
  /** Replaces its tools, for all runs. */
  __setTools(tools: ConfiguredTools): void;
  getVoice(context?: Context): Promise<AgentConfig['voice']>;
  getConfiguredToolHooks(): ToolHooks | undefined;
  readonly id: string;
  readonly name: string;
  getDefaultOptions(context: Context): RunOptions | Promise<RunOptions>;
  getMemory(context?: Context): Promise<object | undefined>;
  listTools(context?: Context): Tools | Promise<Tools>;
  listAgents(context?: Context): Agents | PromiseLike<Agents>;
  listWorkflows(context?: Context): Promise<object>;
  listSuspendedRuns(filter: {
    readonly threadId?: string;
  }): Promise<{ readonly runs: readonly SuspendedRun[] }>;
  generateLegacy: OtherStart;
  streamLegacy: OtherStart;
  network: OtherStart;
  resumeNetwork: OtherStart;
  hasOwnWorkspace(): boolean;
  hasOwnBrowser(): boolean;
  listConfiguredInputProcessors(context: RunOptions['requestContext']): Promise<InputProcessorOrWorkflow[]>;
  getMastraInstance():
    | (Pick<Mastra, 'addTool' | 'listTools' | 'removeTool'> & {
        generateId(context: { idType: 'run'; source: 'agent'; entityId: string }): string;
        getStorage(): Storage | undefined;
        getWorkspace(): unknown;
      })
    | undefined;
}

/** Where Mastra keeps paused runs. */
interface Storage {
  getStore(domain: 'workflows'): Promise<Snapshots | undefined>;
}

/** Where Mastra stores the runs of workflows, of which a run of an agent is one. */
export interface Snapshots {
  loadWorkflowSnapshot(run: StoredRun): Promise<{
    readonly context?: Readonly<Record<string, unknown>>;
    readonly result?: Readonly<Record<string, unknown>>;
  } | null>;
  persistWorkflowSnapshot(run: StoredRun & { readonly snapshot: WorkflowRunState }): Promise<void>;
  deleteWorkflowRunById(run: StoredRun): Promise<void>;
}

interface StoredRun {
  readonly workflowName: string;
  readonly runId: string;
}

/** A call that waits for approval, as Mastra stores it with a paused run. */
export interface StoredCall {
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly args?: unknown;
  /** Whether another call of the same answer has its id. An answer is by id, so nobody knows which of them a person saw. */
  readonly repeats?: boolean;
}

/** A paused run, as Mastra stores it. */
export interface SuspendedRun {
  readonly runId: string;
  readonly threadId?: string | undefined;
  readonly toolCalls: readonly (StoredCall & { readonly requiresApproval: boolean })[];
}
