import type { RunSummary } from '../src/api.ts';
import { isRunning } from './parts/marks.tsx';

/** The filter of the list of runs. */
export interface Filter {
  readonly text: string;
  readonly show: Show;
  readonly agent: string;
  readonly tool: string;
  /** How far back, in milliseconds; 0 for all. */
  readonly since: number;
}

export type Show = 'all' | 'running' | 'blocked' | 'asked' | 'changed' | 'failed';

export const noFilter: Filter = { text: '', show: 'all', agent: '', tool: '', since: 0 };

export const SHOWS: Readonly<
  Record<Show, { readonly text: string; readonly fits: (run: RunSummary, now: number) => boolean }>
> = {
  all: { text: 'All', fits: () => true },
  running: { text: 'Running', fits: isRunning },
  blocked: { text: 'Blocked', fits: ({ counts, status }) => counts.blocked > 0 || status === 'blocked' },
  asked: { text: 'Asked', fits: ({ counts }) => counts.asked > 0 },
  changed: { text: 'Changed', fits: ({ counts }) => counts.changed > 0 },
  failed: { text: 'Failed', fits: ({ counts, status }) => counts.failed > 0 || status === 'failed' },
};

const HOUR = 3_600_000;
export const SINCES: readonly { readonly ms: number; readonly text: string }[] = [
  { ms: 0, text: 'Any time' },
  { ms: HOUR, text: 'Last hour' },
  { ms: 24 * HOUR, text: 'Last 24 hours' },
  { ms: 7 * 24 * HOUR, text: 'Last 7 days' },
];

/** Whether a run matches the filter. */
export function matches(run: RunSummary, { text, show, agent, tool, since }: Filter, now: number): boolean {
  if (!SHOWS[show].fits(run, now)) return false;
  if (agent !== '' && !run.agents.includes(agent)) return false;
  if (tool !== '' && !run.tools.includes(tool)) return false;
  if (since !== 0 && run.end < now - since) return false;
  if (text === '') return true;
  const words = [
    run.title,
    run.session,
    run.principal ?? '',
    ...run.agents,
    ...run.tools,
    ...run.deciders,
    ...run.models,
  ];
  return words.join('\n').toLowerCase().includes(text.toLowerCase());
}
