import { useEffect, useState } from 'preact/hooks';
import { Approvals } from './approvals/approvals.tsx';
import { Comparison } from './comparison.tsx';
import { count } from './format.ts';
import { Integrity } from './integrity.tsx';
import { Icon } from './parts/icons.tsx';
import { Text } from './parts/value.tsx';
import { Run } from './run/run.tsx';
import { Runs } from './runs.tsx';
import { SideBySide } from './side-by-side/side-by-side.tsx';
import { type Known, useKnown, useRoute } from './store.ts';

/** The page: a bar with tabs, and the view that the address names. */
export function App() {
  const known = useKnown();
  const route = useRoute();
  const { approvals, overview } = known;
  const waiting = approvals.length;
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) hooks view` : 'hooks view';
  }, [waiting]);
  if (known.locked) return <Locked />;
  return (
    <div class="page">
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <header class="bar">
        <a class="brand" href="#/runs">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M20 4v16a7 7 0 0 1-14 0v-4" />
          </svg>
          hooks
        </a>
        <nav aria-label="Parts">
          <Tab name="runs" at={route.name} text="Runs" />
          {overview?.store !== undefined && (
            <Tab name="approvals" at={route.name} text="Approvals" count={waiting} />
          )}
          {overview?.comparedPolicy !== undefined && (
            <Tab name="comparison" at={route.name} text="Comparison" />
          )}
          <Tab name="integrity" at={route.name} text="Integrity" />
        </nav>
        <span class="place" title={overview?.journal}>
          <bdi>
            <Text text={overview?.journal ?? ''} />
          </bdi>
        </span>
        <Connection known={known} />
        <Theme />
      </header>
      {known.problem !== undefined && (
        <p class="problem" role="alert">
          <Text text={known.problem} />
        </p>
      )}
      <main id="main" tabIndex={-1}>
        <Part known={known} />
      </main>
      <p class="hidden" role="status">
        {waiting === 0 ? '' : `${count(waiting)} pending ${waiting === 1 ? 'approval' : 'approvals'}`}
      </p>
    </div>
  );
}

function Part({ known }: { readonly known: Known }) {
  const { name, id, query } = useRoute();
  if (name === 'approvals' && known.overview?.store !== undefined) return <Approvals known={known} />;
  const { comparedPolicy } = known.overview ?? {};
  if (name === 'comparison' && comparedPolicy !== undefined) return <Comparison policy={comparedPolicy} />;
  if (name === 'integrity') return <Integrity records={known.overview?.records ?? 0} />;
  if (name !== 'runs' || id === '') return <Runs known={known} />;
  const ids = runsIn(id, known);
  if (ids === undefined) return <p class="empty">Reading the journal …</p>;
  if (ids.length > 1) return <SideBySide key={id} ids={ids} known={known} />;
  return <Run key={id} id={ids[0] ?? id} call={query.get('call')} known={known} />;
}

/** The runs that an address names: `4f1c+9b02`, or `latest-3`, which is undefined until the runs are loaded. */
function runsIn(id: string, { runs }: Known): readonly string[] | undefined {
  const [, latest] = /^latest-(\d)$/.exec(id) ?? [];
  if (latest === undefined) return id.split('+').filter(Boolean);
  return runs
    ?.slice(0, Number(latest))
    .map((run) => run.id)
    .reverse();
}

function skip(): void {
  document.getElementById('main')?.focus();
}

function Tab({
  name,
  at,
  text,
  count: waiting = 0,
}: {
  readonly name: string;
  readonly at: string;
  readonly text: string;
  readonly count?: number;
}) {
  return (
    <a class="tab" href={`#/${name}`} aria-current={at === name ? 'page' : undefined}>
      {text}
      {waiting > 0 && <span class="count">{count(waiting)}</span>}
    </a>
  );
}

function Connection({ known: { connection, overview } }: { readonly known: Known }) {
  const loading = overview !== undefined && !overview.loaded;
  const text =
    connection === 'lost' ? 'Not connected' : loading ? 'Reading' : connection === 'live' ? 'Live' : '';
  return (
    <span class={`connection ${connection}`}>
      <span class="dot" />
      {text}
    </span>
  );
}

/** Switches between light and dark. Default: the system's setting. */
function Theme() {
  const [chosen, choose] = useState(() => localStorage.getItem('hooks-view-theme'));
  useEffect(() => {
    if (chosen === null) return;
    document.documentElement.dataset['theme'] = chosen;
    localStorage.setItem('hooks-view-theme', chosen);
  }, [chosen]);
  const dark = chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
  return (
    <button
      type="button"
      class="plain"
      role="switch"
      aria-checked={dark}
      aria-label="Dark"
      onClick={() => choose(dark ? 'light' : 'dark')}
    >
      <Icon name="theme" />
    </button>
  );
}

function Locked() {
  return (
    <main class="locked">
      <h1>This page needs its token</h1>
      <p>
        Open the whole address that <code>hooks view</code> printed, with what follows <code>#token=</code>.
        Each start of the command makes a new one.
      </p>
    </main>
  );
}
