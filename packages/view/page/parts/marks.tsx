import type { RunStatus, RunSummary } from '../../src/api.ts';
import type { Mark, Tone } from '../run/node.ts';

/** The decisions as labels. */
export function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return (
    <span class="marks">
      {marks.map(({ text, tone }) => (
        <span key={text} class={`mark tone-${tone}`}>
          {text}
        </span>
      ))}
    </span>
  );
}

/** The process of a run without a record for this long has probably ended. */
const SILENT_MS = 2 * 60_000;

export function isRunning({ status, end }: RunSummary, now: number): boolean {
  return status === 'waiting' || (status === 'open' && now - end < SILENT_MS);
}

const STATUS: Readonly<Record<RunStatus, { readonly text: string; readonly tone: Tone }>> = {
  completed: { text: 'Completed', tone: 'ok' },
  blocked: { text: 'Blocked', tone: 'bad' },
  failed: { text: 'Failed', tone: 'bad' },
  canceled: { text: 'Canceled', tone: 'quiet' },
  waiting: { text: 'Waiting', tone: 'ask' },
  open: { text: 'No end', tone: 'quiet' },
};

/** The status of a run, as a dot and a word. */
export function Status({ run, now }: { readonly run: RunSummary; readonly now: number }) {
  const running = run.status === 'open' && isRunning(run, now);
  const { text, tone } = running ? ({ text: 'Running', tone: 'change' } as const) : STATUS[run.status];
  return (
    <span class={`status tone-${tone} ${running ? 'running' : ''}`}>
      <span class="dot" />
      {text}
    </span>
  );
}

/** The decisions in a run, with their numbers. */
export function countMarks({ counts }: RunSummary): readonly Mark[] {
  const { blocked, asked, denied, changed, retried, failed } = counts;
  const marks: readonly (Mark & { readonly count: number })[] = [
    { text: 'blocked', tone: 'bad', count: blocked },
    { text: 'asked', tone: 'ask', count: asked },
    { text: 'denied', tone: 'bad', count: denied },
    { text: 'changed', tone: 'change', count: changed },
    { text: 'retried', tone: 'retry', count: retried },
    { text: 'hook failed', tone: 'bad', count: failed },
  ];
  return marks
    .filter(({ count }) => count > 0)
    .map(({ text, tone, count }) => ({ text: `${count} ${text}`, tone }));
}
