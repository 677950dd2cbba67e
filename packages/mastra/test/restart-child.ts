/** The second process of a restart: takes the paused run up with a person's answer, and says what came of it. */
import { answer, makeTeam, type PersonAnswer, type TeamSpec } from './team.ts';

export interface Report {
  readonly pid: number;
  readonly ran: readonly string[];
  readonly seen: readonly string[];
}

process.once('message', async (task) => {
  const given = task as TeamSpec & PersonAnswer;
  const { lead, hooks, ran, seen } = makeTeam(given);
  await answer(lead, given);
  await hooks.settled();
  const report: Report = { pid: process.pid, ran, seen };
  process.send?.(report, () => process.disconnect());
});
