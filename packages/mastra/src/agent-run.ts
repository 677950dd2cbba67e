import type { AgentExecutionOptionsBase } from '@mastra/core/agent';
import type { InputProcessorOrWorkflow } from '@mastra/core/processors';
import type { Attachment, Run } from './run.ts';

/** What a run is given, as far as this adapter reads or changes it. */
export type RunOptions = Pick<
  AgentExecutionOptionsBase<unknown>,
  | 'abortSignal'
  | 'clientTools'
  | 'hooks'
  | 'inputProcessors'
  | 'memory'
  | 'requestContext'
  | 'runId'
  | 'toolsets'
>;

/** An agent of any type; the type parameters of `Agent` are invariant and of no interest here. */
export interface AnyAgent {
  readonly id: string;
  readonly name: string;
  getDefaultOptions(context: Pick<RunOptions, 'requestContext'>): RunOptions | Promise<RunOptions>;
  listConfiguredInputProcessors(context: RunOptions['requestContext']): Promise<InputProcessorOrWorkflow[]>;
  getMastraInstance():
    | { generateId(context: { idType: 'run'; source: 'agent'; entityId: string }): string }
    | undefined;
}

/** Opens the run of an agent: in the session of its memory thread, else in one of the run's own. */
export function openRun(
  agent: AnyAgent,
  { hooks }: Attachment,
  defaults: RunOptions,
  options: RunOptions,
  resumes: boolean,
): Run {
  const id = options.runId ?? defaults.runId ?? mintRunId(agent);
  const thread = threadOf(options, defaults);
  const session = hooks.session(thread ?? id, { source: resumes ? 'resume' : 'startup' });
  return {
    id,
    session,
    agent: agent.name,
    signal: options.abortSignal ?? defaults.abortSignal,
    end: async () => {
      session.endRun(id);
      if (thread === undefined) await session.close();
    },
  };
}

/** Closes a run, unless it waits for a person. */
export async function closeRun(run: Run, output: unknown): Promise<void> {
  if (!isSuspended(output)) await run.end?.();
}

function mintRunId(agent: AnyAgent): string {
  const minted = agent
    .getMastraInstance()
    ?.generateId({ idType: 'run', source: 'agent', entityId: agent.id });
  return minted ?? globalThis.crypto.randomUUID();
}

function threadOf(options: RunOptions, defaults: RunOptions): string | undefined {
  const fromContext: unknown = options.requestContext?.get('mastra__threadId');
  if (typeof fromContext === 'string') return fromContext;
  const thread = options.memory?.thread ?? defaults.memory?.thread;
  return typeof thread === 'object' ? thread.id : thread;
}

function isSuspended(output: unknown): boolean {
  if (typeof output !== 'object' || output === null) return false;
  const { finishReason, status }: { readonly finishReason?: unknown; readonly status?: unknown } = output;
  return finishReason === 'suspended' || status === 'suspended';
}
