import type { CallFate, UnknownReason } from '@hooks/journal';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Comparison as Compared } from '../src/api.ts';
import { client } from './client.ts';
import { count, counted, when } from './format.ts';
import { useLoaded } from './parts/load.ts';
import { Text, withCodes } from './parts/value.tsx';
import { Sheet, useRows } from './parts/virtual.tsx';
import type { Tone } from './run/node.ts';

type Verdict = Compared['calls'][number]['verdict'];

const VERDICTS: Readonly<Record<Verdict, { readonly text: string; readonly tone: Tone }>> = {
  tightened: { text: 'Tightened', tone: 'change' },
  loosened: { text: 'Loosened', tone: 'bad' },
  unknown: { text: 'Unknown', tone: 'quiet' },
};

/** The order of the list, the most important first. */
const ORDER: readonly Verdict[] = ['loosened', 'tightened', 'unknown'];

const WHY: Readonly<Record<UnknownReason, string>> = {
  'after-divergence': 'the run would have diverged before this call',
  'input-replaced': 'a hook replaced the input, and the original is not recorded',
  'tool-replaced': 'a hook replaced the tool',
  'output-replaced': 'a hook replaced the output, and the original is not recorded',
  'output-withheld': 'a hook withheld the output',
  'not-recorded': 'its values are not recorded, or were erased',
  external: 'a hook calls a program or a service, and its answer is not recorded',
  approval: 'it is unknown whether a person would have been asked',
  retry: 'the other policy would retry differently',
};

/** What another policy would have decided about the recorded calls. */
export function Comparison({ policy }: { readonly policy: string }) {
  const { value, error, busy, again } = useLoaded(client.comparison, client.compareAgain);
  return (
    <section class="comparison">
      <div class="title-line">
        <h1>What would this policy have done?</h1>
        <button type="button" disabled={busy} onClick={again}>
          {busy ? 'Replaying …' : 'Replay again'}
        </button>
      </div>
      <p class="sub mono">
        <Text text={policy} />
      </p>
      {error !== '' && (
        <p class="problem" role="alert">
          <Text text={error} />
        </p>
      )}
      {value ? <Result compared={value} /> : error === '' && <p class="sub">Replaying the journal …</p>}
    </section>
  );
}

function Result({ compared }: { readonly compared: Compared }) {
  const { coverage, summary, calls, others, at } = compared;
  const [show, setShow] = useState<Verdict | 'all'>('all');
  const sorted = useMemo(
    () => calls.toSorted((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict)),
    [calls],
  );
  const shown = show === 'all' ? sorted : sorted.filter(({ verdict }) => verdict === show);
  return (
    <>
      <p class="coverage" role="status">
        <strong>
          {count(coverage.judged)} of {counted(coverage.calls, 'call')}
        </strong>{' '}
        can be judged. Replayed at {when(at)}, with recorded values; no tool ran.
      </p>
      <div class="bars" aria-hidden="true">
        {(['same', 'tightened', 'loosened', 'unknown'] as const).map((verdict) => (
          <span key={verdict} class={`bar-${verdict}`} style={{ flexGrow: summary[verdict] }} />
        ))}
      </div>
      <fieldset class="tiles">
        <legend class="hidden">Show</legend>
        <Tile name="all" text="Same" value={summary.same} show={show} pick={setShow} />
        {Object.entries(VERDICTS).map(([verdict, { text }]) => (
          <Tile
            key={verdict}
            name={verdict as Verdict}
            text={text}
            value={summary[verdict as Verdict]}
            show={show}
            pick={setShow}
          />
        ))}
      </fieldset>
      {Object.keys(coverage.unknown).length > 0 && (
        <ul class="unknowns sub">
          {Object.entries(coverage.unknown).map(([why, number]) => (
            <li key={why}>
              {count(number)} unknown: {WHY[why as UnknownReason]}
            </li>
          ))}
        </ul>
      )}
      {Object.keys(coverage.assumed).length > 0 && (
        <ul class="unknowns sub">
          {Object.entries(coverage.assumed).map(([id, number]) => (
            <li key={id}>
              {counted(number, 'call')} judged with the recorded answer of{' '}
              <code>
                <Text text={id} />
              </code>
              , which saw values that are not recorded
            </li>
          ))}
        </ul>
      )}
      {others.map(({ session, type, place, recorded, replayed }) => (
        <p key={`${place} ${type}`} class="sub">
          {type} of session <Text text={session} />: {recorded}, would be {replayed}
        </p>
      ))}
      {shown.length === 0 ? <p class="sub nothing">No call differs.</p> : <Calls calls={shown} />}
    </>
  );
}

function Tile({
  name,
  text,
  value,
  show,
  pick,
}: {
  readonly name: Verdict | 'all';
  readonly text: string;
  readonly value: number;
  readonly show: Verdict | 'all';
  readonly pick: (show: Verdict | 'all') => void;
}) {
  if (name === 'all')
    return (
      <div class="tile">
        <span class="tile-value">{count(value)}</span>
        <span class="sub">
          <span class="key bar-same" />
          {text}
        </span>
      </div>
    );
  return (
    <button
      type="button"
      class="tile"
      aria-pressed={show === name}
      onClick={() => pick(show === name ? 'all' : name)}
    >
      <span class="tile-value">{count(value)}</span>
      <span class="sub">
        <span class={`key bar-${name}`} />
        {text}
      </span>
    </button>
  );
}

const HEIGHT = 56;

function Calls({ calls }: { readonly calls: Compared['calls'] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRows(scroller, calls.length, HEIGHT);
  return (
    <div class="calls" role="table" aria-label="Calls that differ" aria-rowcount={calls.length + 1}>
      <div role="rowgroup">
        <div class="call head" role="row" aria-rowindex={1}>
          <span role="columnheader">Call</span>
          <span role="columnheader">Verdict</span>
          <span role="columnheader">Recorded</span>
          <span role="columnheader">This policy</span>
        </div>
      </div>
      <div class="scroll" ref={scroller} role="presentation">
        <Sheet role="rowgroup" count={calls.length} height={HEIGHT} rows={rows}>
          {(index) => {
            const call = calls[index];
            return call && <Call key={call.place} call={call} index={index} />;
          }}
        </Sheet>
      </div>
    </div>
  );
}

function Call({ call, index }: { readonly call: Compared['calls'][number]; readonly index: number }) {
  const { toolName, callId, session, run, time, verdict, unknown, recorded, replayed } = call;
  const { text, tone } = VERDICTS[verdict];
  return (
    <div class="call" role="row" aria-rowindex={index + 2}>
      <span class="two" role="cell">
        {run === undefined ? (
          <Text text={toolName} />
        ) : (
          <a href={`#/runs/${run}?call=${encodeURIComponent(callId)}`}>
            <Text text={toolName} />
          </a>
        )}
        <span class="sub">
          {when(Date.parse(time))} · <Text text={session} />
        </span>
      </span>
      <span role="cell">
        <span class={`mark tone-${tone}`}>{text}</span>
      </span>
      <Fate fate={recorded} />
      {unknown === undefined ? (
        <Fate fate={replayed} />
      ) : (
        <span class="two sub" role="cell">
          {WHY[unknown]}
        </span>
      )}
    </div>
  );
}

const GATES = { run: 'Runs', ask: 'Asks a person', block: 'Blocks' } as const;

function Fate({ fate }: { readonly fate: CallFate | undefined }) {
  if (fate === undefined) return <span role="cell">–</span>;
  const { gate, changed, by, reason } = fate;
  const what =
    changed === undefined ? '' : changed === 'withheld' ? ', output withheld' : `, other ${changed}`;
  const who = [by, reason].filter((part) => part !== undefined).join(': ');
  return (
    <span class="two" role="cell" title={withCodes(who)}>
      <span>
        {GATES[gate]}
        {what}
      </span>
      <span class="sub">
        <Text text={who} />
      </span>
    </span>
  );
}
