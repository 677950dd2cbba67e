import { type Hooks, HooksError } from '@hooks/core';
import { warnOnce } from '@hooks/core/adapter';
import type { ToolHooks } from '@mastra/core/tools';
import { type AgentRun, type AnyAgent, openRun, type RunOptions, threadOf } from './agent-run.ts';
import { type ApprovalSetup, Approvals } from './approvals.ts';
import { hookedMemory, watchesCompaction } from './compaction.ts';
import { composeHooks, isComposedFor } from './compose-hooks.ts';
import { delegationHooks } from './delegation.ts';
import { nativeHooks } from './native-hooks.ts';
import type { HookedOptions } from './options.ts';
import { storedCall } from './pending.ts';
import { runProcessors } from './processor.ts';
import type { Attachment } from './run.ts';
import { endRun } from './run-end.ts';
import { hookedProcessor, prepareStepProcessor } from './step-tools.ts';
import { withStop } from './stopped.ts';
import type { ToolBelt } from './tool-belt.ts';
import { afterIteration } from './turn.ts';

/** What is known of the agent that hooks are attached to. */
export interface AgentAttachment extends Attachment {
  readonly settings: HookedOptions;
  /** The agent's own native hooks. */
  readonly ownHooks: ToolHooks | undefined;
  /** The agent's hooked tools. */
  readonly tools: ToolBelt;
  /** They are not known before the agent lists them: a function gives them, or the agent was made by somebody else. */
  readonly listsTools: boolean;
}

type Start = (first: unknown, options?: RunOptions) => Promise<unknown>;

/** All other ways to start or go on with a run come down to these. */
const STARTS = ['generate', 'stream', 'resumeGenerate', 'resumeStream'] as const;

const attached: WeakMap<object, readonly AgentAttachment[]> = new WeakMap();

/** The hooks that are attached to this very agent, first to last. */
export function attachmentsOf(agent: object): readonly AgentAttachment[] {
  return attached.get(agent) ?? [];
}

/**
 * Puts hooks around the runs of an agent that is ours to change. Only where a run starts can what it is given
 * (`hooks`, `inputProcessors`, `toolsets`) be merged with ours instead of displacing it.
 */
export function attachTo(agent: AnyAgent, attachment: AgentAttachment): void {
  const { hooks } = attachment;
  attached.set(agent, [...attachmentsOf(agent), attachment]);
  for (const method of STARTS) {
    const inner: unknown = Reflect.get(agent, method);
    if (typeof inner !== 'function') continue;
    const original: Start = inner.bind(agent);
    const resumes = method.startsWith('resume');
    const start: Start = (first, options = {}) => {
      // Nobody to ask, or started from inside a run that is hooked already (`untilIdle`).
      const passes = hooks.list().length === 0 || isComposedFor(attachment, options.hooks);
      return passes
        ? original(first, options)
        : hookedRun(agent, attachment, original, resumes, first, options);
    };
    Object.defineProperty(agent, method, { value: start, configurable: true, writable: true });
  }
  const getMemory = agent.getMemory.bind(agent);
  const hookedGetMemory: AnyAgent['getMemory'] = (context) =>
    watchesCompaction(hooks)
      ? getMemory(context).then((memory) => memory && hookedMemory(memory, agent, hooks))
      : getMemory(context);
  Object.defineProperty(agent, 'getMemory', { value: hookedGetMemory, configurable: true, writable: true });
}

async function hookedRun(
  agent: AnyAgent,
  attachment: AgentAttachment,
  original: Start,
  resumes: boolean,
  first: unknown,
  options: RunOptions,
): Promise<unknown> {
  const { hooks } = attachment;
  checkStorage(agent, attachment);
  const defaults = await agent.getDefaultOptions(options);
  const run = openRun(agent, attachment, defaults, options, resumes);
  await run.session.open();
  let output: unknown;
  try {
    const merged = await runOptions(agent, attachment, defaults, options, run, resumes);
    if (resumes) await resumeApproval(run, first, options);
    output = await original(first, merged);
  } catch (error) {
    await endRun(hooks, run, { error });
    throw error;
  }
  if (isStreaming(output)) void endStreamed(hooks, run, output);
  else await endRun(hooks, run, { output });
  return withStop(output, run);
}

/** What the run is given, with ours merged in. */
async function runOptions(
  agent: AnyAgent,
  attachment: AgentAttachment,
  defaults: RunOptions,
  given: RunOptions,
  run: AgentRun,
  resumes: boolean,
): Promise<RunOptions> {
  const { hooks, settings, ownHooks } = attachment;
  const { requestContext } = given;
  if (attachment.listsTools) await agent.listTools(requestContext && { requestContext });
  const tools = attachment.tools.extended(run);
  const { toolsets, inputProcessors, onIterationComplete, prepareStep, requireToolApproval } = {
    ...defaults,
    ...given,
  };
  const processors = inputProcessors ?? (await agent.listConfiguredInputProcessors(requestContext));
  const hookedToolsets =
    toolsets && Object.entries(toolsets).map(([name, set]): [string, typeof set] => [name, tools.hook(set)]);
  const threadId = threadOf(given, defaults);
  const approvals = approvalsOf(attachment, run, resumes || tools.mayAsk, {
    native: settings.approval === 'native',
    theirs: requireToolApproval,
    callsOf: (name) => tools.get(name),
    ...(run.restored && { stored: (callId) => storedCall(agent, run.id, threadId, callId) }),
  });
  const { first, last } = runProcessors(hooks, settings, run);
  const gate = nativeHooks({
    ...attachment,
    run,
    wraps: (name) => tools.has(name) && !isFrameworkMade(name),
  });
  return {
    ...given,
    runId: run.id,
    hooks: composeHooks(attachment, gate, { ...ownHooks, ...defaults.hooks, ...given.hooks }),
    ...(hookedToolsets && { toolsets: Object.fromEntries(hookedToolsets) }),
    inputProcessors: [
      ...(first ? [first] : []),
      ...[...processors, ...(prepareStep ? [prepareStepProcessor(prepareStep)] : [])].map((theirs) =>
        hookedProcessor(theirs, tools),
      ),
      ...(last ? [last] : []),
    ],
    ...(prepareStep && { prepareStep: () => undefined }),
    ...(approvals && { requireToolApproval: approvals.verdict }),
    delegation: delegationHooks(hooks, run, { ...defaults.delegation, ...given.delegation }),
    onIterationComplete: afterIteration(hooks, run, onIterationComplete),
  };
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

/** An agent is registered in a Mastra after it was made, so that this shows when a run starts. */
function checkStorage(agent: AnyAgent, { settings }: AgentAttachment): void {
  if (settings.approval !== 'native' || agent.getMastraInstance()?.getStorage()) return;
  throw new HooksError(
    'CONFIG_INVALID',
    `hooked: approval 'native' of the agent "${agent.name}" needs a storage to keep paused runs: register it with new Mastra({ agents, storage }).`,
  );
}

/** A person's answer comes in the data that the run is resumed with. */
async function resumeApproval(run: AgentRun, data: unknown, options: RunOptions): Promise<void> {
  const { toolCallId }: { readonly toolCallId?: string } = Object(options);
  const { approved, reason }: { readonly approved?: unknown; readonly reason?: unknown } = Object(data);
  if (typeof approved !== 'boolean') return;
  await run.approvals?.resume(toolCallId, approved, typeof reason === 'string' ? reason : undefined);
}

/** Mastra gives these names to the tools that it makes of sub-agents and workflows; they win over an assigned tool. */
function isFrameworkMade(toolName: string): boolean {
  return toolName.startsWith('agent-') || toolName.startsWith('workflow-');
}

interface Streaming {
  readonly status: unknown;
  readonly error: unknown;
  readonly tripwire: unknown;
  readonly finishReason: PromiseLike<unknown>;
  _waitUntilFinished(): Promise<void>;
}

function isStreaming(output: unknown): output is Streaming {
  return typeof output === 'object' && output !== null && '_waitUntilFinished' in output;
}

async function endStreamed(hooks: Hooks, run: AgentRun, output: Streaming): Promise<void> {
  try {
    await output._waitUntilFinished();
    const { status, error, tripwire } = output;
    const finishReason = await Promise.resolve(output.finishReason).catch(() => undefined);
    await endRun(hooks, run, { output: { status, error, tripwire, finishReason } });
  } catch (error) {
    // Nobody waits for this: the user reads the stream.
    warnOnce(hooks, `@hooks/mastra could not tell how the stream ended: ${String(error)}`);
  }
}
