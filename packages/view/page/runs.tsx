import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RunSummary } from '../src/api.ts';
import { counted, duration, when, wholeTime } from './format.ts';
import { Icon } from './parts/icons.tsx';
import { countMarks, isRunning, Marks, Status } from './parts/marks.tsx';
import { Text, withCodes } from './parts/value.tsx';
import { Sheet, useRows } from './parts/virtual.tsx';
import { type Filter, matches, noFilter, SHOWS, type Show, SINCES } from './runs-filter.ts';
import { besideOf, MOST } from './side-by-side/side-by-side.tsx';
import { type Known, NARROW, useMedia, useNow } from './store.ts';

/** Kept while a run is open, until the user returns to the list. */
let kept: Filter = noFilter;
let keptPicked: ReadonlySet<string> = new Set();

/** The list of runs, with filters. */
export function Runs({ known: { runs, overview } }: { readonly known: Known }) {
  const [filter, setFilter] = useState(kept);
  kept = filter;
  const [picked, setPicked] = useState(keptPicked);
  keptPicked = picked;
  const pick = (id: string, wanted: boolean): void => {
    const next = new Set(picked);
    if (wanted) next.add(id);
    else next.delete(id);
    setPicked(next);
  };
  const now = useNow(true);
  const minute = Math.floor(now / 60_000);
  const shown = useMemo(
    () => (runs ?? []).filter((run) => matches(run, filter, minute * 60_000)),
    [runs, filter, minute],
  );
  if (runs === undefined) return <p class="empty">Reading the journal …</p>;
  if (runs.length === 0)
    return (
      <div class="empty">
        <h1>No run yet</h1>
        <p>
          Nothing is recorded in <code>{overview?.journal}</code>. A run shows here as soon as an agent writes
          to it.
        </p>
      </div>
    );
  return (
    <section class="runs" aria-labelledby="runs-title">
      <h1 id="runs-title" class="hidden">
        Runs
      </h1>
      <Filters runs={runs} filter={filter} change={(part) => setFilter({ ...filter, ...part })} />
      <p class="found" role="status">
        {shown.length === runs.length
          ? counted(runs.length, 'run')
          : `${shown.length.toLocaleString('en-GB')} of ${counted(runs.length, 'run')}`}
        {shown.length === 0 && (
          <button type="button" class="link" onClick={() => setFilter(noFilter)}>
            Show all
          </button>
        )}
        {picked.size > 0 && (
          <span class="picked">
            {picked.size === 1 ? (
              'Select another run to compare'
            ) : (
              <a href={besideOf(picked)}>Compare {counted(picked.size, 'run')}</a>
            )}
            <button type="button" class="link" onClick={() => setPicked(new Set())}>
              Clear
            </button>
          </span>
        )}
      </p>
      <List runs={shown} now={now} picked={picked} pick={pick} />
    </section>
  );
}

function Filters({
  runs,
  filter,
  change,
}: {
  readonly runs: readonly RunSummary[];
  readonly filter: Filter;
  readonly change: (part: Partial<Filter>) => void;
}) {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      search.current?.focus();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const names = (of: (run: RunSummary) => readonly string[]): readonly string[] =>
    [...new Set(runs.flatMap((run) => of(run)))].toSorted();
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="search">
        <Icon name="search" />
        <span class="hidden">Search prompts, sessions, tools and hooks</span>
        <input
          ref={search}
          type="search"
          placeholder="Search prompts, sessions, tools, hooks"
          value={filter.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
        <span class="hint" aria-hidden="true">
          /
        </span>
      </label>
      <fieldset class="segments">
        <legend class="hidden">Outcome</legend>
        {Object.entries(SHOWS).map(([show, { text }]) => (
          <label key={show}>
            <input
              type="radio"
              name="show"
              checked={filter.show === show}
              onChange={() => change({ show: show as Show })}
            />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
      <Choice
        label="Agent"
        names={names(({ agents }) => agents)}
        value={filter.agent}
        pick={(agent) => change({ agent })}
      />
      <Choice
        label="Tool"
        names={names(({ tools }) => tools)}
        value={filter.tool}
        pick={(tool) => change({ tool })}
      />
      <select
        aria-label="Period"
        value={filter.since}
        onChange={(event) => change({ since: Number(event.currentTarget.value) })}
      >
        {SINCES.map(({ ms, text }) => (
          <option key={ms} value={ms}>
            {text}
          </option>
        ))}
      </select>
    </form>
  );
}

function Choice({
  label,
  names,
  value,
  pick,
}: {
  readonly label: string;
  readonly names: readonly string[];
  readonly value: string;
  readonly pick: (name: string) => void;
}) {
  return (
    <select aria-label={label} value={value} onChange={(event) => pick(event.currentTarget.value)}>
      <option value="">Any {label.toLowerCase()}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {withCodes(name)}
        </option>
      ))}
    </select>
  );
}

/** The selected runs, and a function to select one. */
interface Picking {
  readonly picked: ReadonlySet<string>;
  readonly pick: (id: string, wanted: boolean) => void;
}

function List({
  runs,
  now,
  picked,
  pick,
}: Picking & { readonly runs: readonly RunSummary[]; readonly now: number }) {
  const narrow = useMedia(NARROW);
  const height = narrow ? 84 : 52;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRows(scroller, runs.length, height);
  const focusRow = (index: number): void => {
    rows.show(index);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-row="${index}"] a`)?.focus(),
    );
  };
  const pressed = (event: KeyboardEvent): void => {
    const at = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset['row'];
    const from = Number(at ?? -1);
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: runs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focusRow(Math.min(Math.max(to, 0), runs.length - 1));
  };
  return (
    <div class="table" role="table" aria-label="Runs" aria-rowcount={runs.length + 1} onKeyDown={pressed}>
      <div role="rowgroup">
        <div class="head row" role="row" aria-rowindex={1}>
          <span role="columnheader">
            <span class="hidden">Compare</span>
          </span>
          <span role="columnheader">Run</span>
          <span role="columnheader">Status</span>
          <span role="columnheader">Decisions</span>
          <span role="columnheader" class="number">
            Calls
          </span>
          <span role="columnheader" class="number">
            Tokens
          </span>
          <span role="columnheader" class="number">
            Duration
          </span>
          <span role="columnheader" class="number">
            Started
          </span>
        </div>
      </div>
      <div class="scroll" ref={scroller} role="presentation">
        <Sheet role="rowgroup" count={runs.length} height={height} rows={rows}>
          {(index) => {
            const run = runs[index];
            return run && <Row key={run.id} run={run} index={index} now={now} picked={picked} pick={pick} />;
          }}
        </Sheet>
      </div>
    </div>
  );
}

function Row({
  run,
  index,
  now,
  picked,
  pick,
}: Picking & {
  readonly run: RunSummary;
  readonly index: number;
  readonly now: number;
}) {
  const { title, agents, principal, session, toolCalls, inputTokens, outputTokens, start, end } = run;
  const who = [agents.join(', '), principal, session].filter(Boolean).join(' · ');
  const running = isRunning(run, now);
  return (
    <div class="row" role="row" aria-rowindex={index + 2} data-row={index}>
      <span class="cell-pick" role="cell">
        <input
          type="checkbox"
          aria-label={`Compare ${withCodes(title || session)}`}
          checked={picked.has(run.id)}
          disabled={picked.size >= MOST && !picked.has(run.id)}
          onChange={(event) => pick(run.id, event.currentTarget.checked)}
        />
      </span>
      <span class="cell-title" role="cell">
        <a href={`#/runs/${run.id}`}>
          <Text text={title || 'Run without a prompt'} />
        </a>
        <span class="sub">
          <Text text={who} />
        </span>
      </span>
      <span class="cell-status" role="cell">
        <Status run={run} now={now} />
      </span>
      <span class="cell-marks" role="cell">
        <Marks marks={countMarks(run)} />
      </span>
      <span class="cell-calls number" role="cell">
        {toolCalls}
      </span>
      <span class="cell-tokens number" role="cell">
        {tokens(inputTokens + outputTokens)}
      </span>
      <span class="cell-duration number" role="cell">
        {duration((running ? now : end) - start)}
      </span>
      <span class="cell-start number" role="cell" title={wholeTime(start)}>
        {when(start, now)}
      </span>
    </div>
  );
}

function tokens(value: number): string {
  if (value === 0) return '–';
  return value < 10_000 ? value.toLocaleString('en-GB') : `${(value / 1_000).toFixed(1)}k`;
}
