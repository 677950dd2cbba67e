/** The second process of a restart: takes up paused runs, each with a person's answer, and says what came of them. */
import { answer, makeTeam, type PersonAnswer, type TeamSpec } from './team.ts';

export interface Report {
  readonly pid: number;
  readonly ran: readonly string[];
  readonly seen: readonly string[];
}

process.on('message', async (task) => {
  const given = task as TeamSpec & PersonAnswer;
  const { lead, hooks, ran, seen } = makeTeam(given);
  await answer(lead, given);
  await hooks.settled();
  const report: Report = { pid: process.pid, ran, seen };
  process.send?.(report);
});

process.on('disconnect', () => process.exit());
