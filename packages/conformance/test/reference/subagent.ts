import { UserPromptSubmit } from '@hooks/core';
import type { AgentRun } from '@hooks/core/adapter';
import type { SubagentSpec } from '../../src/index.ts';
import { open, Paused, type Running, Stopped } from './run.ts';

/** Runs an agent that another one calls as a tool, in its own session. Returns its answer. */
export async function runSubagent(
  running: Running,
  sub: SubagentSpec,
  task: string,
  callId: string,
): Promise<string> {
  const { run, options, show, answers, waiting } = running;
  const begun = resumed(running, callId) ?? (await begin(running, sub, task, callId));
  waiting.set(callId, begun);
  const response = await respond({ ...begun, options, show, answers });
  await run.switchAgent(run.agent ?? '', { from: sub.name, switchKind: 'transfer_task_return' });
  return response;
}

/** The sub-agent's run, if it was paused. */
function resumed({ run, waiting, faults }: Running, callId: string): Running | undefined {
  const known = waiting.get(callId);
  if (known === undefined || known.run.over || faults.has('loses a paused sub-agent')) return undefined;
  known.run.resume(run.signal);
  return known;
}

async function begin(running: Running, sub: SubagentSpec, task: string, callId: string): Promise<Running> {
  const { run, faults } = running;
  const child = openChild(running, sub.name, callId);
  await child.begin();
  await run.switchAgent(sub.name, { switchKind: 'transfer_task' });
  if (faults.has('fires UserPromptSubmit for a sub-agent'))
    await child.ask(UserPromptSubmit, { prompt: task });
  await child.submit([{ text: task }]);
  const told = faults.has('gives sub-agents the context of their parent') ? run.takeContext() : [];
  const { subagents: _none, frameworkTool: _neither, compactAfter: _never, ...spec } = running.spec;
  return {
    ...running,
    run: child,
    spec: { ...spec, ...sub, instructions: [sub.instructions, ...told].join(' '), handoffs: [] },
    history: [{ role: 'user', content: task }],
    mcpTools: [],
    results: new Map(),
    waiting: new Map(),
    spent: running.spent,
  };
}

function openChild({ run, faults }: Running, name: string, parentCallId: string): AgentRun {
  const agent = faults.has('does not report the agent') ? undefined : name;
  if (faults.has('leaves the tools of another agent unhooked')) return open([], { agent }, faults);
  if (faults.has('does not report the parent of a sub-agent')) return open(run.registries, { agent }, faults);
  const sessionId = faults.has('runs all sub-agents in one session') ? 'below' : undefined;
  return run.openChild({ agent, parentCallId, ...(sessionId && { sessionId }) });
}

/** The answer of a sub-agent, or the reason if a hook ended its run. */
async function respond(inner: Running): Promise<string> {
  const { run, faults } = inner;
  try {
    const response = await inner.loop(inner);
    await run.end({ kind: 'done', response });
    return response;
  } catch (error) {
    if (error instanceof Stopped) {
      await run.end({ kind: 'done' });
      return faults.has('hides why a sub-agent was stopped') ? '' : error.message;
    }
    if (!(error instanceof Paused || faults.has('does not end a failed sub-agent')))
      await run.end({ kind: 'error', error });
    throw error;
  }
}
