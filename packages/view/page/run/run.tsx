import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RunDetail } from '../../src/api.ts';
import { client } from '../client.ts';
import { count, counted, duration, when, wholeTime } from '../format.ts';
import { Icon } from '../parts/icons.tsx';
import { isRunning, Status } from '../parts/marks.tsx';
import { Text } from '../parts/value.tsx';
import { type Known, NARROW, useMedia, useNow } from '../store.ts';
import { Details } from './details.tsx';
import type { TraceNode } from './node.ts';
import { pathTo, treeOf } from './tree.ts';
import { Waterfall } from './waterfall.tsx';

/** One run: its waterfall, and the details of the selected line. */
export function Run({
  id,
  call,
  known,
}: {
  readonly id: string;
  readonly call: string | null;
  readonly known: Known;
}) {
  const summary = known.runs?.find((run) => run.id === id);
  const { detail, error } = useDetail(id, summary?.end ?? 0, JSON.stringify(summary));
  const root = useMemo(() => detail && treeOf(detail), [detail]);
  const [chosen, choose] = useState<string>();
  const narrow = useMedia(NARROW);
  const running = detail !== undefined && isRunning(detail.summary, Date.now());
  const now = useNow(running);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.target instanceof HTMLInputElement) return;
      if (narrow && chosen !== undefined) choose(undefined);
      else location.hash = '#/runs';
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [narrow, chosen]);
  if (error !== '')
    return (
      <div class="empty" role="alert">
        <p>{error}</p>
        <a href="#/runs">All runs</a>
      </div>
    );
  if (detail === undefined || root === undefined) return <p class="empty">Reading the run …</p>;
  const path = chosen === undefined ? startAt(root, call) : pathTo(root, ({ key }) => key === chosen);
  const node = path.at(-1) ?? root;
  return (
    <section class="run" aria-labelledby="run-title">
      <Head detail={detail} now={now} />
      <div class="split">
        <Waterfall root={root} chosen={node.key} choose={choose} now={running ? now : undefined} />
        {(!narrow || chosen !== undefined) && (
          <Details
            node={node}
            detail={detail}
            from={root.start}
            close={narrow ? () => choose(undefined) : undefined}
          />
        )}
      </div>
    </section>
  );
}

/** The line that opens first: the named call, else the first refusal or approval. */
function startAt(root: TraceNode, call: string | null): readonly TraceNode[] {
  if (call !== null) {
    const path = pathTo(
      root,
      ({ kind, events }) => kind === 'tool' && events[0]?.record.tool?.callId === call,
    );
    if (path.length > 0) return path;
  }
  const decided = pathTo(root, ({ marks }) => marks.some(({ tone }) => tone === 'bad' || tone === 'ask'));
  return decided.length > 0 ? decided : [root];
}

/** Loads a run, and reloads it when it has new records. */
function useDetail(
  id: string,
  end: number,
  version: string,
): { readonly detail: RunDetail | undefined; readonly error: string } {
  const [detail, setDetail] = useState<RunDetail>();
  const [error, setError] = useState('');
  // A new version of the run means that it has new records.
  useEffect(() => {
    let over = false;
    client.run(id).then(
      (loaded) => {
        if (over) return;
        setDetail(loaded);
        setError('');
      },
      (thrown) => {
        if (!over) setError(thrown instanceof Error ? thrown.message : String(thrown));
      },
    );
    return () => {
      over = true;
    };
  }, [id, end, version]);
  return { detail, error };
}

function Head({ detail: { summary }, now }: { readonly detail: RunDetail; readonly now: number }) {
  const { title, agents, principal, session, start, end, turns, toolCalls, subagents, models } = summary;
  const facts: readonly (readonly [string, string])[] = [
    ['Started', when(start, now)],
    ['Duration', duration((isRunning(summary, now) ? now : end) - start)],
    [
      'Steps',
      [
        counted(turns, 'turn'),
        counted(toolCalls, 'tool call'),
        ...(subagents > 0 ? [counted(subagents, 'sub-agent')] : []),
      ].join(', '),
    ],
    ['Agent', agents.join(', ')],
    ['For', principal ?? ''],
    ['Model', models.join(', ')],
    ['Tokens', tokensOf(summary)],
    ['Session', session],
  ];
  return (
    <header class="run-head">
      <a class="back" href="#/runs">
        <Icon name="back" />
        Runs
      </a>
      <div class="title-line">
        <h1 id="run-title">
          <Text text={title || 'Run without a prompt'} />
        </h1>
        <Status run={summary} now={now} />
      </div>
      <dl class="facts" title={wholeTime(start)}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Text text={value} />
              </dd>
            </div>
          ))}
      </dl>
    </header>
  );
}

function tokensOf({ inputTokens, outputTokens }: RunDetail['summary']): string {
  return inputTokens + outputTokens === 0 ? '' : `${count(inputTokens)} in, ${count(outputTokens)} out`;
}
