import { PermissionRequest, ToolApprovalDecision } from '@hooks/core';
import type { InputProcessorOrWorkflow } from '@mastra/core/processors';
import type { RunOptions } from '../agent.ts';
import { loadsTools } from '../internals.ts';
import { withRun } from '../tool/assembly.ts';
import { type MastraRun, threadOf } from './agent-run.ts';
import { afterIteration, withLastObject } from './end.ts';
import { mayBringTools, preparedStep, runProcessors } from './processors.ts';
import { delegationHooks, hookedReferences } from './subagents.ts';
import { refuseStructuring } from './unsupported.ts';

/**
 * The options of a run, merged with ours.
 *
 * @param defaults what the agent gives to each of its runs
 * @param given what this run is given
 */
export async function runOptions(
  run: MastraRun,
  defaults: RunOptions,
  given: RunOptions,
  resumes: boolean,
): Promise<RunOptions> {
  const { agent, registries, runs } = run.by;
  const { requestContext } = given;
  const context = requestContext === undefined ? {} : { requestContext };
  run.tools.note(await agent.listTools(context));
  const all = withDefaults(defaults, given);
  // Their tools may require approval by themselves, too.
  const toolsets = all.toolsets && hookedToolsets(run, defaults.toolsets, all.toolsets);
  const { inputProcessors, onFinish, onIterationComplete, prepareStep, requireToolApproval: theirs } = all;
  const configured = inputProcessors ?? (await agent.listConfiguredInputProcessors(requestContext));
  const step = prepareStep && preparedStep(prepareStep);
  const processors = step ? [...configured, step.processor] : configured;
  const threadId = threadOf(given, defaults);
  run.modelsAnswer = all.autoResumeSuspendedTools === true;
  refuseStructuring(run.by, all.structuredOutput, threadId);
  const delegation = withDefaults(defaults.delegation, given.delegation);
  const native = withDefaults(withDefaults(agent.getConfiguredToolHooks(), defaults.hooks), given.hooks);
  run.unenforced = unenforced(theirs, native);
  const { approvals } = run;
  approvals.theirs = theirs;
  approvals.isOn =
    resumes || Boolean(theirs) || registries.isNative || run.tools.mayAsk || mayMakeAsking(run, processors);
  await approvals.restore();
  return {
    ...given,
    runId: run.id,
    hooks: withRun(native, () => runs.get(run.id) ?? run),
    ...(toolsets && { toolsets }),
    inputProcessors: runProcessors(run, processors),
    ...(step && { prepareStep: step.rest }),
    ...(approvals.isOn && { requireToolApproval: approvals.verdict }),
    delegation: delegationHooks(run, await hookedReferences(run, context, delegation)),
    onIterationComplete: afterIteration(run, onIterationComplete),
    ...(onFinish && { onFinish: (finished: never) => onFinish(withLastObject(finished, run)) }),
  };
}

/** What decides by the name of the tool that the model called, and is not asked about another one that a hook puts in its place. */
function unenforced(
  approval: RunOptions['requireToolApproval'],
  { beforeToolCall }: NonNullable<RunOptions['hooks']>,
): string | undefined {
  if (typeof approval === 'function')
    return 'may need approval, for which Mastra would not ask (requireToolApproval is a function)';
  return beforeToolCall && 'may be refused by beforeToolCall, which Mastra would not call';
}

/** The options that {@link runOptions} replaces, except for the id of the run. */
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
 * The user's options of a run that Mastra starts with the options of the previous one, for a message that waited in a
 * queue.
 */
export function asGiven(options: RunOptions, given: RunOptions): RunOptions {
  return { ...options, ...Object.fromEntries(MERGED.map((field) => [field, given[field]])) };
}

type Toolsets = NonNullable<RunOptions['toolsets']>;

function hookedToolsets(run: MastraRun, defaults: Toolsets | undefined, given: Toolsets): Toolsets {
  const sets = Object.entries({ ...defaults, ...given });
  return Object.fromEntries(
    sets.map(([name, set]) => [name, run.tools.hook({ ...defaults?.[name], ...set })]),
  );
}

/** Whether any hook applies to tools that Mastra creates for the agent, if one of them requires approval. */
function mayMakeAsking(run: MastraRun, processors: readonly InputProcessorOrWorkflow[]): boolean {
  const { agent } = run.by;
  if (![PermissionRequest, ToolApprovalDecision].some((point) => run.hooked.hearsOfAnyTool(point)))
    return false;
  return (
    agent.hasOwnWorkspace() ||
    agent.hasOwnBrowser() ||
    agent.getMastraInstance()?.getWorkspace() !== undefined ||
    processors.some((one) => loadsTools(one) || mayBringTools(one))
  );
}

/** The options of a run with the agent's defaults. As in Mastra, `undefined` counts as not given. */
function withDefaults<T extends object>(defaults: T | undefined, given: T | undefined): Partial<T> {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  // The same fields, which Object.fromEntries forgets.
  return { ...defaults, ...(Object.fromEntries(set) as Partial<T>) };
}
