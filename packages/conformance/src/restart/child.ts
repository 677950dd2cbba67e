/** The second process of restarts: resumes runs and reports the results. Ends with the process that started it. */
import type { EventPayload } from '@hooks/core';
import type { AdapterHarness } from '../harness.ts';
import { Witness } from '../hostile/witness.ts';
import { expectRead, Stage } from '../stage.ts';
import { hookedAlone } from './hooked-alone.ts';
import { policies } from './policies.ts';
import type { Answer, Numbered, Report, ResumeTask } from './resume.ts';

process.on('message', async (message) => {
  const { id, content } = message as Numbered<ResumeTask>;
  const answer: Numbered<Answer> = await resume(content).then(
    (report) => ({ id, content: { report } }),
    (error: unknown) => ({ id, content: { failure: error instanceof Error ? error.stack : String(error) } }),
  );
  process.send?.(answer);
});

async function resume(task: ResumeTask): Promise<Report> {
  const { module, policy, hostile = false, needsApproval, stream, modelUrl, storage, session, user } = task;
  const imported: { readonly harness: AdapterHarness } = await import(module);
  await using stage = new Stage(imported.harness, stream);
  const { harness } = stage;
  const witness = new Witness();
  const events = stage.events();
  if (hostile) witness.register(stage.hooks);
  else policies[policy](stage.hooks, storage);
  const alone = task.tool && hookedAlone(stage, task.tool, storage);
  const agent = await harness.agent({
    ...stage.spec(modelUrl),
    tools: hostile ? witness.tools() : [stage.tool('weather', undefined, { needsApproval, ...alone?.spec })],
    storage,
    attach: { approval: 'native' },
  });
  try {
    const waiting = await harness.pendingApprovals(await agent.paused(session));
    const answers = hostile ? witness.answers(waiting) : task.answers;
    const options = { session, stream, user };
    let outcome = await stage.outcomeOf(await agent.resume(answers, options));
    for (let round = 0; hostile && round < 10 && outcome.pending.length > 0; round++)
      outcome = await stage.outcomeOf(await agent.resume(witness.answers(outcome.pending), options));
    const { text, error, blockReason, pending } = outcome;
    await stage.hooks.settled();
    expectRead(stage);
    return {
      pid: process.pid,
      waiting,
      text,
      ...(error !== undefined && { error: String(error) }),
      ...(blockReason !== undefined && { blockReason }),
      pending,
      ran: stage.ran,
      users: [...new Set(events.map(({ principal }) => principal?.id))],
      events: events.map(({ type }) => type),
      resumed: resumedIn(events),
      approvalIds: events.flatMap((event) => ('approvalId' in event ? [event.approvalId] : [])),
      ofTool: {
        events: alone?.events.map(({ type }) => type) ?? [],
        resumed: resumedIn(alone?.events ?? []),
        asked: alone?.asked() ?? 0,
      },
      witness: {
        faults: [...witness.faults, ...stage.failures.map(({ message }) => `a hook failed: ${message}`)],
        ran: witness.ran,
      },
    };
  } finally {
    await agent.close?.();
  }
}

function resumedIn(events: readonly EventPayload[]): readonly unknown[] {
  return events.flatMap((event) =>
    event.type === 'before_tool_call' && 'resumed' in event ? [event.resumed] : [],
  );
}
