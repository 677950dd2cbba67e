import { type Hooks, Stop } from '@hooks/core';
import type { ToolHooks } from '@mastra/core/tools';
import { type AgentRun, type AnyAgent, openRun, type RunOptions } from './agent-run.ts';
import { composeHooks, isComposedFor } from './compose-hooks.ts';
import { delegationHooks } from './delegation.ts';
import { hookTools } from './hook-tool.ts';
import { nativeHooks } from './native-hooks.ts';
import type { HookedOptions } from './options.ts';
import { runProcessor } from './processor.ts';
import type { Attachment } from './run.ts';
import { endRun } from './run-end.ts';
import { stopHooks } from './turn.ts';

/** What is known of the agent that hooks are attached to. */
export interface AgentAttachment extends Attachment {
  readonly options: HookedOptions;
  /** The agent's own native hooks. */
  readonly ownHooks: ToolHooks | undefined;
  /** Names of the agent's hooked tools. */
  readonly toolNames: Set<string>;
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
  attached.set(agent, [...attachmentsOf(agent), attachment]);
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
    await endRun(hooks, run, { error });
    throw error;
  }
  if (isStreaming(output)) void endStreamed(hooks, run, output);
  else await endRun(hooks, run, { output });
  return output;
}

/** What the run is given, with ours merged in. */
async function runOptions(
  agent: AnyAgent,
  attachment: AgentAttachment,
  defaults: RunOptions,
  given: RunOptions,
  run: AgentRun,
): Promise<RunOptions> {
  const { hooks, options, ownHooks } = attachment;
  const toolNames = new Set(attachment.toolNames);
  const hookAll = <R extends Readonly<Record<string, object>>>(tools: R): R => {
    for (const name of Object.keys(tools)) toolNames.add(name);
    return hookTools(tools, hooks, options);
  };
  const { toolsets, inputProcessors, onIterationComplete } = { ...defaults, ...given };
  const gate = nativeHooks({
    ...attachment,
    run,
    wraps: (name) => toolNames.has(name) && !isFrameworkMade(name),
  });
  const processor = runProcessor(hooks, options, run);
  return {
    ...given,
    runId: run.id,
    hooks: composeHooks(attachment, gate, { ...ownHooks, ...defaults.hooks, ...given.hooks }),
    ...(toolsets && {
      toolsets: Object.fromEntries(Object.entries(toolsets).map(([name, tools]) => [name, hookAll(tools)])),
    }),
    ...(processor && {
      inputProcessors: [
        processor,
        ...(inputProcessors ?? (await agent.listConfiguredInputProcessors(given.requestContext))),
      ],
    }),
    delegation: delegationHooks(hooks, run, { ...defaults.delegation, ...given.delegation }),
    ...(hooks.get(Stop).length > 0 && { onIterationComplete: stopHooks(hooks, run, onIterationComplete) }),
  };
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
  await output._waitUntilFinished();
  const { status, error, tripwire } = output;
  const finishReason = await Promise.resolve(output.finishReason).catch(() => undefined);
  await endRun(hooks, run, { output: { status, error, tripwire, finishReason } });
}
