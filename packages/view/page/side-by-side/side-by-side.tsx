import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RunDetail, RunSummary } from '../../src/api.ts';
import { client } from '../client.ts';
import { counted, duration } from '../format.ts';
import { Icon } from '../parts/icons.tsx';
import { countMarks, isRunning, Marks, Status } from '../parts/marks.tsx';
import { Text, withCodes } from '../parts/value.tsx';
import { endOf, treeOf } from '../run/tree.ts';
import type { Known } from '../store.ts';
import { type AlignedRow, align, type Step } from './align.ts';

/** The maximum number of runs side by side. */
export const MOST = 4;

/** The address of runs side by side. */
export function besideOf(ids: Iterable<string>): string {
  return `#/runs/${[...ids].join('+')}`;
}

/** Several runs side by side, with a row for each step and marked differences. */
export function SideBySide({ ids, known }: { readonly ids: readonly string[]; readonly known: Known }) {
  const { details, error } = useDetails(ids, known.runs ?? []);
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const roots = useMemo(() => details?.map(treeOf), [details]);
  const rows = useMemo(() => roots && align(roots), [roots]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') location.hash = '#/runs';
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  if (error !== '')
    return (
      <div class="empty" role="alert">
        <p>{error}</p>
        <a href="#/runs">All runs</a>
      </div>
    );
  if (details === undefined || roots === undefined || rows === undefined)
    return <p class="empty">Reading the runs …</p>;
  const different = rows.filter(({ differs }) => differs);
  const starts = roots.map(({ start }) => start);
  const length = Math.max(1, ...roots.map((root) => endOf(root) - root.start));
  return (
    <section class="beside" aria-labelledby="beside-title" style={{ '--runs': details.length }}>
      <header class="beside-head">
        <a class="back" href="#/runs">
          <Icon name="back" />
          Runs
        </a>
        <div class="title-line">
          <h1 id="beside-title">{counted(details.length, 'run')} side by side</h1>
          <label class="only">
            <input
              type="checkbox"
              checked={onlyDifferences}
              onChange={(event) => setOnlyDifferences(event.currentTarget.checked)}
            />
            Only differences
          </label>
        </div>
        <p class="beside-found" role="status">
          {different.length === 0
            ? `The same in all ${counted(rows.length, 'step')}.`
            : `${counted(different.length, 'step differs', 'steps differ')} of ${rows.length}.`}
        </p>
      </header>
      <div class="beside-scroll">
        <div class="beside-table" role="table" aria-label="Runs side by side">
          <div class="beside-row heads" role="row">
            <span class="step-name" role="columnheader">
              Step
            </span>
            {details.map(({ summary }) => (
              <Column key={summary.id} run={summary} />
            ))}
          </div>
          {(onlyDifferences ? different : rows).map((row, nth) => (
            <Row key={nth} row={row} runs={details} starts={starts} length={length} />
          ))}
        </div>
      </div>
    </section>
  );
}

function Column({ run }: { readonly run: RunSummary }) {
  const { id, title, start, end, toolCalls } = run;
  const now = Date.now();
  return (
    <span class="column" role="columnheader">
      <a href={`#/runs/${id}`}>
        <Text text={nameOf(run)} />
      </a>
      <span class="sub">
        <Text text={title || 'Run without a prompt'} />
      </span>
      <span class="column-facts">
        <Status run={run} now={now} />
        <span class="sub">
          {counted(toolCalls, 'call')}, {duration((isRunning(run, now) ? now : end) - start)}
        </span>
        <Marks marks={countMarks(run)} />
      </span>
    </span>
  );
}

function Row({
  row: { steps, differs },
  runs,
  starts,
  length,
}: {
  readonly row: AlignedRow;
  readonly runs: readonly RunDetail[];
  readonly starts: readonly number[];
  readonly length: number;
}) {
  const first = steps.find((step) => step !== undefined);
  if (first === undefined) return null;
  const { node, level } = first;
  return (
    <div class={`beside-row kind-${node.kind} ${differs ? 'differs' : ''}`} role="row">
      <span class="step-name" role="rowheader" style={{ paddingLeft: `${16 + level * 14}px` }}>
        <Icon name={node.kind} />
        <span class="label">
          <Text text={node.kind === 'model' ? 'Model call' : node.label} />
        </span>
        {differs && <span class="mark tone-change">Differs</span>}
      </span>
      {runs.map(({ summary }, nth) => (
        <Cell key={summary.id} run={summary} step={steps[nth]} from={starts[nth] ?? 0} length={length} />
      ))}
    </div>
  );
}

function Cell({
  run,
  step,
  from,
  length,
}: {
  readonly run: RunSummary;
  readonly step: Step | undefined;
  readonly from: number;
  readonly length: number;
}) {
  const name = withCodes(nameOf(run));
  if (step === undefined)
    return (
      <span class="beside-cell absent" role="cell" data-run={name}>
        Not in this run
      </span>
    );
  const { kind, label, start, marks, events } = step.node;
  const detail = kind === 'turn' ? '' : step.node.detail;
  const took = endOf(step.node) - start;
  const callId = events[0]?.record.tool?.callId;
  const share = (part: number): string => `${Math.max(0, Math.min(100, (part / length) * 100))}%`;
  return (
    <span class="beside-cell" role="cell" data-run={name}>
      <span class="beside-text">
        <Marks marks={marks} />
        <a
          class={`detail ${detail === '' ? 'none' : ''}`}
          href={`#/runs/${run.id}${callId === undefined ? '' : `?call=${encodeURIComponent(callId)}`}`}
        >
          {detail === '' ? 'Open' : <Text text={detail.slice(0, 300)} />}
          <span class="hidden">
            , {withCodes(label)} of {name}
          </span>
        </a>
        <span class="took">{duration(took)}</span>
      </span>
      <span class="track" aria-hidden="true">
        <span class="span" style={{ left: share(start - from), width: share(took) }} />
      </span>
    </span>
  );
}

/** The agents of a run, which distinguish it from others; its session if there are none. */
function nameOf({ agents, session }: RunSummary): string {
  return agents.join(', ') || session;
}

/** Loads runs, and reloads those with new records. */
function useDetails(
  ids: readonly string[],
  runs: readonly RunSummary[],
): { readonly details: readonly RunDetail[] | undefined; readonly error: string } {
  const [details, setDetails] = useState<readonly RunDetail[]>();
  const [error, setError] = useState('');
  const versions = JSON.stringify(runs.filter(({ id }) => ids.includes(id)));
  useEffect(() => {
    let over = false;
    Promise.all(ids.map((id) => client.run(id))).then(
      (loaded) => {
        if (!over) setDetails(loaded);
      },
      (thrown) => {
        if (!over) setError(thrown instanceof Error ? thrown.message : String(thrown));
      },
    );
    return () => {
      over = true;
    };
  }, [ids.join('+'), versions]);
  return { details, error };
}
