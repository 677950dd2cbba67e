import { type Hooks, HooksError, Stop } from '@hooks/core';
import { decides, warnOnce } from '@hooks/core/adapter';
import { isNotResumed, isStreaming, type Streaming } from '../internals.ts';
import { type AgentRun, isPaused, openRun } from './agent-run.ts';
import type { RunOptions } from '../agent.ts';
import { withLastObject } from './continued.ts';
import { announceDelegated } from './delegation.ts';
import { endRun } from './end.ts';
import { type RunSetup, runOptions } from './options.ts';
import { withStop } from './stopped.ts';

/** Starts a run with its messages, or resumes it with data. */
export type Start = (first: unknown, options?: RunOptions) => Promise<unknown>;

/** A run with hooks around it, which are told how it ended. */
export async function hookedRun(
  setup: Omit<RunSetup, 'defaults'>,
  first: unknown,
  start: Start,
): Promise<unknown> {
  const { agent, attachment, options, resumes } = setup;
  const { hooks } = attachment;
  checkStorage(setup);
  const defaults = await agent.getDefaultOptions(options);
  const run = await openRun(agent, attachment, defaults, options, resumes);
  await announceDelegated(hooks, agent, options.requestContext, run.session.id);
  await run.session.open();
  let output: unknown;
  try {
    const merged = await runOptions({ ...setup, defaults }, run);
    output = await start(resumes ? await resumeApproval(run, first, options) : first, merged);
  } catch (error) {
    if (!isNotResumed(error) || !isPaused(hooks, run)) await endRun(hooks, run, { error });
    throw error;
  }
  if (isStreaming(output)) void endStreamed(hooks, run, output);
  else await endRun(hooks, run, { output });
  return withStop(decides(hooks, Stop) ? withLastObject(output, run) : output, run);
}

/** An agent is registered in a Mastra after it was made, so that this shows when a run starts. */
function checkStorage({ agent, attachment }: Pick<RunSetup, 'agent' | 'attachment'>): void {
  if (attachment.settings.approval !== 'native' || agent.getMastraInstance()?.getStorage()) return;
  throw new HooksError(
    'CONFIG_INVALID',
    `hooked: approval 'native' of the agent "${agent.name}" needs a storage to keep paused runs: register it with new Mastra({ agents, storage }).`,
  );
}

/** A person's answer comes in the data that the run is resumed with; the reason of a no as hooks have left it. */
async function resumeApproval(run: AgentRun, data: unknown, options: RunOptions): Promise<unknown> {
  const { toolCallId }: { readonly toolCallId?: string } = Object(options);
  const { approved, reason }: { readonly approved?: unknown; readonly reason?: unknown } = Object(data);
  if (typeof approved !== 'boolean' || run.approvals === undefined) return data;
  const given = typeof reason === 'string' ? reason : undefined;
  const worded = await run.approvals.resume(toolCallId, approved, given);
  return worded === given ? data : { ...Object(data), reason: worded };
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
