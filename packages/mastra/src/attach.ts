import type { InputProcessorOrWorkflow } from '@mastra/core/processors';
import type { ToolHooks } from '@mastra/core/tools';
import { type AnyAgent, closeRun, openRun, type RunOptions } from './agent-run.ts';
import { composeHooks, isComposedFor } from './compose-hooks.ts';
import { hookTools } from './hook-tool.ts';
import { nativeHooks } from './native-hooks.ts';
import { runProcessor } from './processor.ts';
import type { Attachment, Run } from './run.ts';

/** What is known of the agent that hooks are attached to. */
export interface AgentAttachment extends Attachment {
  /** The agent's own native hooks. */
  readonly ownHooks: ToolHooks | undefined;
  /** Names of the agent's hooked tools. */
  readonly toolNames: Set<string>;
}

type Start = (first: unknown, options?: RunOptions) => Promise<unknown>;

/** All other ways to start or go on with a run come down to these. */
const STARTS = ['generate', 'stream', 'resumeGenerate', 'resumeStream'] as const;

/**
 * Puts hooks around the runs of an agent that is ours to change. Only where a run starts can what it is given
 * (`hooks`, `inputProcessors`, `toolsets`) be merged with ours instead of displacing it.
 */
export function attachTo(agent: AnyAgent, attachment: AgentAttachment): void {
  for (const method of STARTS) {
    const inner: unknown = Reflect.get(agent, method);
    if (typeof inner !== 'function') continue;
    const original: Start = inner.bind(agent);
    const resumes = method.startsWith('resume');
    const start: Start = (first, options = {}) =>
      hookedRun(agent, attachment, original, resumes, first, options);
    Object.defineProperty(agent, method, { value: start, configurable: true, writable: true });
  }
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
  // Started from inside a run that is hooked already (`untilIdle`), or nobody to ask.
  if (isComposedFor(attachment, options.hooks) || hooks.list().length === 0) return original(first, options);
  const defaults = await agent.getDefaultOptions(options);
  const run = openRun(agent, attachment, defaults, options, resumes);
  await run.session.open();
  let output: unknown;
  try {
    output = await original(first, await runOptions(agent, attachment, defaults, options, run));
  } catch (error) {
    await closeRun(run, undefined);
    throw error;
  }
  const streamed = isStreaming(output) ? output : undefined;
  if (streamed === undefined) await closeRun(run, output);
  else void streamed._waitUntilFinished().then(() => closeRun(run, streamed));
  return output;
}

async function runOptions(
  agent: AnyAgent,
  attachment: AgentAttachment,
  defaults: RunOptions,
  options: RunOptions,
  run: Run,
): Promise<RunOptions> {
  const { hooks, ownHooks } = attachment;
  const toolNames = new Set(attachment.toolNames);
  const hookAll = <R extends Readonly<Record<string, object>>>(tools: R): R => {
    for (const name of Object.keys(tools)) toolNames.add(name);
    return hookTools(tools, hooks, attachment.options);
  };
  const { toolsets = defaults.toolsets } = options;
  const gate = nativeHooks({
    ...attachment,
    run,
    wraps: (name) => toolNames.has(name) && !isFrameworkMade(name),
  });
  return {
    ...options,
    ...(run.id !== undefined && { runId: run.id }),
    hooks: composeHooks(attachment, gate, { ...ownHooks, ...defaults.hooks, ...options.hooks }),
    ...(toolsets && {
      toolsets: Object.fromEntries(Object.entries(toolsets).map(([name, tools]) => [name, hookAll(tools)])),
    }),
    ...(await inputProcessors(agent, attachment, defaults, options, run)),
  };
}

async function inputProcessors(
  agent: AnyAgent,
  attachment: AgentAttachment,
  defaults: RunOptions,
  options: RunOptions,
  run: Run,
): Promise<{ inputProcessors?: InputProcessorOrWorkflow[] }> {
  const ours = runProcessor(attachment, run);
  if (ours === undefined) return {};
  const theirs =
    options.inputProcessors ??
    defaults.inputProcessors ??
    (await agent.listConfiguredInputProcessors(options.requestContext));
  return { inputProcessors: [ours, ...theirs] };
}

/** Mastra gives these names to the tools that it makes of sub-agents and workflows; they win over an assigned tool. */
function isFrameworkMade(toolName: string): boolean {
  return toolName.startsWith('agent-') || toolName.startsWith('workflow-');
}

function isStreaming(output: unknown): output is { _waitUntilFinished(): Promise<void> } {
  return typeof output === 'object' && output !== null && '_waitUntilFinished' in output;
}
