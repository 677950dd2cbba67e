import { type Hooks, PermissionRequest, Stop, ToolApprovalDecision } from '@hooks/core';
import { decides, hears } from '@hooks/core/adapter';
import type { InputProcessorOrWorkflow } from '@mastra/core/processors';
import { type ApprovalSetup, Approvals } from '../approval/approvals.ts';
import { storedCall } from '../approval/pending.ts';
import type { AgentAttachment } from '../attach.ts';
import { loadsTools } from '../internals.ts';
import { ToolBelt } from '../tool/belt.ts';
import { composeHooks } from '../tool/compose-hooks.ts';
import { mayBringTools, prepareStepProcessor } from '../tool/step-tools.ts';
import { type AgentRun, threadOf } from './agent-run.ts';
import type { AnyAgent, RunOptions } from '../agent.ts';
import { finishedWithLastObject } from './continued.ts';
import { delegationHooks, hookedReferences } from './delegation.ts';
import { runProcessors } from './processors.ts';
import { refuseStructuring } from './structuring.ts';
import { afterIteration } from './turn.ts';
import { withDefaults } from './with-defaults.ts';

/** What a run is to be started with. */
export interface RunSetup {
  readonly agent: AnyAgent;
  readonly attachment: AgentAttachment;
  /** What the agent gives to each of its runs. */
  readonly defaults: RunOptions;
  /** What this run is given. */
  readonly options: RunOptions;
  /** Whether it goes on with one that has paused. */
  readonly resumes: boolean;
}

/** What the run is given, with ours merged in. */
export async function runOptions(setup: RunSetup, run: AgentRun): Promise<RunOptions> {
  const { agent, attachment, defaults, options: given, resumes } = setup;
  const { hooks, settings } = attachment;
  const { requestContext } = given;
  const tools = attachment.listsTools ? new ToolBelt(attachment, run) : attachment.tools.extended(run);
  if (attachment.listsTools) tools.note(await agent.listTools(requestContext && { requestContext }));
  const all = withDefaults(defaults, given);
  const { inputProcessors, onFinish, onIterationComplete, prepareStep, requireToolApproval } = all;
  const configured = inputProcessors ?? (await agent.listConfiguredInputProcessors(requestContext));
  const processors = prepareStep ? [...configured, prepareStepProcessor(prepareStep)] : configured;
  const toolsets = all.toolsets && { ...defaults.toolsets, ...all.toolsets };
  const hookedToolsets = Object.entries(toolsets ?? {}).map(([name, set]): [string, typeof set] => [
    name,
    tools.hook({ ...defaults.toolsets?.[name], ...set }),
  ]);
  const delegation = await hookedReferences(
    agent,
    hooks,
    requestContext === undefined ? {} : { requestContext },
    withDefaults(defaults.delegation, given.delegation),
  );
  const threadId = threadOf(given, defaults);
  refuseStructuring(agent.name, attachment, all.structuredOutput, threadId);
  const theirs = withDefaults(agent.getConfiguredToolHooks(), defaults.hooks);
  const approvals = approvalsOf(
    attachment,
    run,
    resumes || tools.mayAsk || mayMakeAsking(agent, hooks, processors),
    {
      native: settings.approval === 'native',
      approver: typeof settings.approval === 'function' ? settings.approval : undefined,
      theirs: requireToolApproval,
      tools,
      ...(run.restored && { stored: (callId) => storedCall(agent, run.id, threadId, callId) }),
    },
  );
  return {
    ...given,
    runId: run.id,
    hooks: composeHooks({ ...attachment, run, tools }, withDefaults(theirs, given.hooks)),
    ...(toolsets && { toolsets: Object.fromEntries(hookedToolsets) }),
    inputProcessors: runProcessors(attachment, run, processors, tools),
    ...(prepareStep && { prepareStep: () => undefined }),
    ...(approvals && { requireToolApproval: approvals.verdict }),
    delegation: delegationHooks(hooks, run, delegation),
    onIterationComplete: afterIteration(attachment, run, onIterationComplete),
    ...(onFinish && decides(hooks, Stop) && { onFinish: finishedWithLastObject(run, onFinish) }),
  };
}

/** What {@link runOptions} puts in the place of what the user gave, the id of the run apart. */
const MERGED = [
  'delegation',
  'hooks',
  'inputProcessors',
  'onFinish',
  'onIterationComplete',
  'prepareStep',
  'requireToolApproval',
  'toolsets',
] as const;

/**
 * What a run is given that Mastra starts with the options of the one before (for a message that has waited in a queue), as
 * the user gave it to that.
 */
export function asGiven(options: RunOptions, given: RunOptions): RunOptions {
  return { ...options, ...Object.fromEntries(MERGED.map((field) => [field, given[field]])) };
}

/** Whether somebody would hear of it if a tool asked for approval that Mastra makes for the agent itself. */
function mayMakeAsking(
  agent: AnyAgent,
  hooks: Hooks,
  processors: readonly InputProcessorOrWorkflow[],
): boolean {
  if (!hears(hooks, PermissionRequest) && !hears(hooks, ToolApprovalDecision)) return false;
  if (agent.hasOwnWorkspace() || agent.hasOwnBrowser()) return true;
  return (
    agent.getMastraInstance()?.getWorkspace() !== undefined ||
    processors.some((one) => loadsTools(one) || mayBringTools(one))
  );
}

/** Approval by Mastra's own pause, where something may want it. */
function approvalsOf(
  { hooks }: AgentAttachment,
  run: AgentRun,
  mayAsk: boolean,
  setup: ApprovalSetup,
): Approvals | undefined {
  if (run.approvals !== undefined) run.approvals.setup = setup;
  else if (mayAsk || setup.native || setup.theirs) run.approvals = new Approvals(hooks, run, setup);
  return run.approvals;
}
