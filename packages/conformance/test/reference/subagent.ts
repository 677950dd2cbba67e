import { randomUUID } from 'node:crypto';
import { AgentSwitch, SubagentStart, SubagentStop, UserPromptSubmit } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import type { SubagentSpec } from '../../src/index.ts';
import { dispatch, endFailed } from './events.ts';
import { Paused, type Run, Stopped } from './run.ts';

/** Runs an agent that another one calls as a tool, in a session of its own. Returns its answer. */
export async function runSubagent(run: Run, sub: SubagentSpec, task: string): Promise<string> {
  const { faults } = run;
  const id = faults.has('runs sub-agents in one session') ? 'below' : randomUUID();
  const { subagents: _none, frameworkTool: _neither, compactAfter: _never, ...spec } = run.spec;
  const hidden = faults.has('does not tell the session of a sub-agent');
  const started = { subagent: sub.name, ...(!hidden && { subagentSession: id }) };
  const [from, to] = [spec.name, sub.name];
  await dispatch(run, SubagentStart, started);
  await dispatch(run, AgentSwitch, { from, to, switchKind: 'transfer_task', models: [] });
  const hooked = faults.has('leaves the tools of another agent unhooked') ? [] : run.gates;
  const gates = hooked.map(({ hooks, session: parent }) => ({
    hooks,
    session: hooks.session(id, faults.has('forgets the parent of a sub-agent') ? {} : { parent }),
  }));
  const told = faults.has('tells sub-agents the context of their parent')
    ? run.gates.flatMap(({ hooks, session }) => takeContext(hooks, session, run.id))
    : [];
  const instructions = [sub.instructions, ...told].join(' ');
  for (const { session } of gates) await session.open();
  const asked = run.history.findLast(({ role }) => role === 'assistant');
  const calls = asked?.role === 'assistant' ? (asked.tool_calls ?? []) : [];
  const call = calls.find((one) => one.type === 'function' && one.function.name === sub.name);
  const inner: Run = {
    ...run,
    ...{ id, spec: { ...spec, ...sub, instructions, handoffs: [] }, gates, mcpTools: [], done: new Map() },
    history: [{ role: 'user', content: task }],
    ...(call !== undefined && { parentCallId: call.id }),
  };
  try {
    if (faults.has('takes the task of a sub-agent for a prompt'))
      await dispatch(inner, UserPromptSubmit, { prompt: task });
    const stop = (response: string) =>
      dispatch(run, SubagentStop, { ...started, response, lastUserMessage: task });
    const response = await run.loop(inner).catch(async (error: unknown) => {
      if (!(error instanceof Stopped)) {
        if (!(error instanceof Paused)) await endFailed(inner, error);
        if (!(error instanceof Paused || faults.has('forgets a sub-agent that fails'))) await stop('');
        throw error;
      }
      return faults.has('hides why a sub-agent was stopped') ? '' : error.reason;
    });
    await stop(response);
    await dispatch(run, AgentSwitch, { from: to, to: from, switchKind: 'transfer_task_return', models: [] });
    return response;
  } finally {
    for (const { session } of gates) await session.close();
  }
}
