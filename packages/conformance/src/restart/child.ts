/** The second process of restarts: resumes runs and reports the results. Ends with the process that started it. */
import type { AdapterHarness } from '../harness.ts';
import { Stage } from '../stage.ts';
import { policies } from './policies.ts';
import type { Numbered, Report, ResumeTask } from './resume.ts';

process.on('message', async (message) => {
  const { id, content } = message as Numbered<ResumeTask>;
  const answer: Numbered<Report> = { id, content: await resume(content) };
  process.send?.(answer);
});

async function resume({
  module,
  policy,
  needsApproval,
  stream,
  modelUrl,
  storage,
  session,
  user,
  answers,
}: ResumeTask): Promise<Report> {
  const { harness }: { readonly harness: AdapterHarness } = await import(module);
  await using stage = new Stage(harness, stream);
  const events = stage.events();
  policies[policy](stage.hooks);
  const agent = await harness.agent({
    ...stage.spec(modelUrl),
    tools: [stage.tool('weather', undefined, { needsApproval })],
    storage,
    attach: { approval: 'native' },
  });
  try {
    const waiting = await harness.pendingApprovals(await agent.paused(session));
    const resumed = await agent.resume(answers, { session, stream, user });
    const { text, error, blockReason, pending } = await stage.outcomeOf(resumed);
    await stage.hooks.settled();
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
      resumed: events.flatMap((event) => ('resumed' in event ? [event.resumed] : [])),
    };
  } finally {
    await agent.close?.();
  }
}
