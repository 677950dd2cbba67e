import { flowInMemory, unrecorded, visible } from '@hooks/config';
import { type CallFate, type ReplayedCall, type ReplayReport, replay, type Verdict } from '@hooks/journal';
import { counted } from '../counted.ts';
import type { Program } from '../program.ts';
import { table } from '../table.ts';
import { type JournalOption, sinceOf, withJournal } from './journal.ts';
import { policyOf } from './mcp.ts';
import { loadPolicy } from './run.ts';

/** Options of `replay`. */
export interface ReplayCommandOptions extends JournalOption {
  readonly policy: string;
  readonly journal?: string;
  readonly since?: string;
  readonly session?: string;
  readonly json?: boolean;
  readonly live?: boolean;
  readonly assume?: boolean;
  readonly failOn?: readonly Exclude<Verdict, 'same'>[];
}

/** Shows what another policy would have decided about the calls of a journal. */
export async function replayJournal(
  { policy, journal, since, session, json, live, assume, failOn = [], ...options }: ReplayCommandOptions,
  program: Program,
): Promise<number> {
  const from = sinceOf(since);
  await using loaded = await loadPolicy(policyOf('--policy', policy, program), program, {
    ...unrecorded,
    flow: flowInMemory,
  });
  const report = await withJournal('--journal', journal, options, program, (source) =>
    replay(source, loaded.providers, {
      since: from,
      session,
      live: live === true,
      onProblem: ({ message }) => program.stderr.write(`hooks: ${visible(message)}\n`),
    }),
  );
  program.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : describe(report));
  if (failOn.length === 0) return 0;
  const failures = failuresOf(report, failOn, assume === true);
  for (const failure of failures) program.stderr.write(`hooks: ${failure}\n`);
  return failures.length > 0 ? 1 : 0;
}

/** Why the command fails. What was not judged has not passed. */
function failuresOf(
  { summary, coverage, others }: ReplayReport,
  failOn: readonly Exclude<Verdict, 'same'>[],
  assume: boolean,
): readonly string[] {
  const failures = failOn
    .filter((verdict) => summary[verdict] > 0)
    .map(
      (verdict) => `${counted(summary[verdict], 'call')} ${summary[verdict] === 1 ? 'is' : 'are'} ${verdict}`,
    );
  if (coverage.unread > 0)
    failures.push(
      `${counted(coverage.unread, 'line')} of the journal could not be read, so the calls there were not judged`,
    );
  if (failOn.includes('unknown') && coverage.lost + coverage.cutOff > 0)
    failures.push('records of the journal are missing, and calls among them were not judged');
  if (others.length > 0) failures.push('only one policy refuses a prompt or a response');
  if (coverage.judged === 0)
    failures.push(
      coverage.calls === 0
        ? 'there are no calls in this part of the journal'
        : 'none of the calls can be judged',
    );
  const assumed = Object.keys(coverage.assumed);
  if (assumed.length > 0 && !assume)
    failures.push(
      `calls were judged with the recorded answer of ${assumed.map(visible).join(', ')}, and the hook of this name may be another one by now (to accept that: --assume)`,
    );
  return failures;
}

/** The maximum number of calls in the list. */
const SHOWN = 50;

function describe({ coverage, summary, calls, others }: ReplayReport): string {
  const number = (count: number): string => count.toLocaleString('en-US');
  const lines = [`${number(coverage.judged)} of ${number(coverage.calls)} calls can be judged`];
  for (const [why, count] of Object.entries(coverage.unknown))
    lines.push(`  ${number(count)} unknown: ${why}`);
  for (const [id, count] of Object.entries(coverage.assumed))
    lines.push(
      `  ${number(count)} judged with the recorded answer of ${visible(id)}, which saw values that are not recorded`,
    );
  if (coverage.unread > 0) lines.push(`  ${counted(coverage.unread, 'line')} could not be read`);
  if (coverage.cutOff > 0)
    lines.push(`  ${counted(coverage.cutOff, 'line')} cut off, because a process was killed`);
  if (coverage.lost > 0)
    lines.push(`  ${counted(coverage.lost, 'record')} lost in an outage, with the calls among them`);
  for (const id of coverage.notAsked)
    lines.push(`  not run, because journals do not contain its event: ${visible(id)}`);
  const { same, tightened, loosened, unknown } = summary;
  lines.push(
    '',
    `${number(same)} same, ${number(tightened)} tightened, ${number(loosened)} loosened, ${number(unknown)} unknown`,
  );
  const asked = calls.filter(({ recorded, replayed }) => replayed?.gate === 'ask' && recorded.gate === 'run');
  const days = new Set(asked.map(({ time }) => time.slice(0, 10))).size;
  if (asked.length > 0)
    lines.push(
      `A person would be asked about ${counted(asked.length, 'more call')}, on ${counted(days, 'day')}.`,
    );
  for (const { session, type, place, recorded, replayed } of others)
    lines.push(`${type} of session ${visible(session)} (${place}): ${recorded} -> ${replayed}`);
  const changed = calls.filter(({ verdict }) => verdict !== 'unknown');
  const rows = changed.slice(0, SHOWN).map(row);
  const listed =
    rows.length === 0
      ? ''
      : `\n${table(['', 'tool', 'recorded', 'new policy', 'why', 'session', 'where'], rows)}`;
  const more = changed.length - rows.length;
  return `${lines.join('\n')}\n${listed}${more > 0 ? `… and ${number(more)} more; --json lists all\n` : ''}`;
}

function row({ verdict, toolName, recorded, replayed, session, place }: ReplayedCall): readonly string[] {
  const why = (verdict === 'loosened' ? recorded.reason : replayed?.reason) ?? '';
  return [verdict, toolName, fate(recorded), fate(replayed), why, session, place];
}

function fate(of: CallFate | undefined): string {
  if (of === undefined) return '';
  const { gate, changed } = of;
  const what =
    changed === undefined ? gate : changed === 'withheld' ? `${gate}, withheld` : `${gate}, other ${changed}`;
  return of.by === undefined ? what : `${what} (${of.by})`;
}
