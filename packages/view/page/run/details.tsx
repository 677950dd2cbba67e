import { useEffect, useRef } from 'preact/hooks';
import type { RunDetail, RunEvent } from '../../src/api.ts';
import { duration, eventName, wholeTime } from '../format.ts';
import { Icon } from '../parts/icons.tsx';
import { Marks } from '../parts/marks.tsx';
import { Text, Value, ValueDiff } from '../parts/value.tsx';
import { Dispatch, hasDecided } from './dispatch.tsx';
import { isByHook } from './marks.ts';
import type { TraceNode } from './node.ts';
import { Policies } from './policies.tsx';
import { endOf } from './tree.ts';

/** The records of a line: decisions, values, and their location in the journal. */
export function Details({
  node,
  detail,
  from,
  close,
}: {
  readonly node: TraceNode;
  readonly detail: RunDetail;
  readonly from: number;
  /** Set if the details cover the waterfall. */
  readonly close: (() => void) | undefined;
}) {
  const panel = useRef<HTMLElement>(null);
  // Scroll to the top for another line.
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0;
  }, [node.key]);
  const { kind, label, start, events, marks } = node;
  const dispatches = events.filter(hasDecided);
  const reason = reasonOf(node);
  return (
    <aside class="details" id="details" ref={panel} tabIndex={-1} aria-label="Details">
      <header>
        <h2>
          <Icon name={kind} />
          <Text text={kind === 'run' ? 'Run' : label} />
        </h2>
        {close && (
          <button type="button" class="plain" aria-label="Close the details" onClick={close}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <p class="sub" title={wholeTime(start)}>
        {start === from ? 'at the start' : `${duration(start - from)} after the start`}
        {node.end !== undefined && ` · took ${duration(endOf(node) - start)}`}
        {events[0]?.record.agent && (
          <>
            {' · '}
            <Text text={events[0].record.agent} />
          </>
        )}
      </p>
      <Marks marks={marks} />
      {reason !== undefined && (
        <p class="why">
          <Text text={reason} />
        </p>
      )}
      {dispatches.length > 0 && (
        <section>
          <h3>Decisions</h3>
          {dispatches.map((event) => (
            <Dispatch key={event.place} event={event} told={reason} />
          ))}
        </section>
      )}
      <Values node={node} />
      <Approval events={events} />
      {kind === 'run' && <Policies events={detail.events} />}
      <Records events={kind === 'run' ? detail.events : events} />
    </aside>
  );
}

/** Why something was refused or required approval. Shown first, because readers look for it. */
function reasonOf({ events, kind }: TraceNode): string | undefined {
  if (kind === 'attempt') return undefined;
  const deciding = events.filter(({ record }) => record.type !== 'hooks.tool_approval_decision');
  return deciding.find(({ data }) => data?.reason !== undefined)?.data?.reason;
}

const VALUES = [
  ['prompt', 'Prompt'],
  ['input', 'Input'],
  ['output', 'Output'],
  ['errorMessage', 'Error'],
  ['response', 'Response'],
  ['message', 'Message'],
  ['summary', 'Summary'],
] as const;

/** The values of a line after the changes of hooks, with the changes marked. */
function Values({ node: { events } }: { readonly node: TraceNode }) {
  const shown = VALUES.flatMap(([field, title]) => {
    const recorded = events.filter(({ data }) => data?.[field] !== undefined);
    const [first, last] = [recorded[0], recorded.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ field, title, before: first.data?.[field], after: last.data?.[field] }];
  });
  const replaced = events.flatMap(({ data }) => data?.replaced ?? []);
  const erased = events.some(({ data }) => data === null);
  const context = [...new Set(events.flatMap(({ data }) => data?.context ?? []))];
  return (
    <>
      {shown.map(({ field, title, before, after }) => {
        const changed = [...new Set(replaced)]
          .filter((pointer) => pointer === `/${field}` || pointer.startsWith(`/${field}/`))
          .map((pointer) => pointer.slice(field.length + 1));
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        return (
          <section key={field}>
            <h3>{title}</h3>
            {changed.length > 0 && (
              <p class="note">
                {changed.length === 1
                  ? 'A hook replaced one value.'
                  : `Hooks replaced ${changed.length} values.`}{' '}
                What stood there is not recorded.
              </p>
            )}
            {isSame ? (
              <Value value={after} replaced={changed} label={title} />
            ) : (
              <ValueDiff before={before} after={after} label={`${title}, before and after`} />
            )}
          </section>
        );
      })}
      {context.length > 0 && (
        <section>
          <h3>Added to the model's context</h3>
          <Value value={context.join('\n')} label="Added to the model's context" />
        </section>
      )}
      {erased && <p class="note">The values were erased; the journal has only their hashes.</p>}
    </>
  );
}

function Approval({ events }: { readonly events: readonly RunEvent[] }) {
  const decided = events.find(({ record }) => record.approval !== undefined);
  const { approval, time } = decided?.record ?? {};
  if (approval === undefined || isByHook(approval.source)) return null;
  const asked = events.find(({ record }) => record.type === 'hooks.permission_request');
  const waited = asked && time ? Date.parse(time) - Date.parse(asked.record.time) : undefined;
  return (
    <section>
      <h3>Approval</h3>
      <dl class="pairs">
        <dt>Decision</dt>
        <dd>{approval.decision}</dd>
        <dt>By</dt>
        <dd>
          <Text text={byWhom(approval.source, decided?.data?.approvedBy)} />
        </dd>
        {waited !== undefined && (
          <>
            <dt>Waited</dt>
            <dd>{duration(waited)}</dd>
          </>
        )}
        {decided?.data?.reason !== undefined && (
          <>
            <dt>Reason</dt>
            <dd>
              <Text text={decided.data.reason} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** `ann (user approved)`: who decided, if the approver gave a name. */
function byWhom(source: string, name: string | undefined): string {
  const words = source.replaceAll('_', ' ');
  return name === undefined ? words : `${name} (${words})`;
}

function Records({ events }: { readonly events: readonly RunEvent[] }) {
  return (
    <details class="records">
      <summary>
        {events.length} {events.length === 1 ? 'record' : 'records'} in the journal
      </summary>
      <ul>
        {events.slice(0, 100).map(({ place, hash, record }) => (
          <li key={place}>
            <span>{eventName(record.type)}</span>
            <span class="mono">{place}</span>
            <span class="mono hash">{hash}</span>
          </li>
        ))}
        {events.length > 100 && <li>and {events.length - 100} more</li>}
      </ul>
    </details>
  );
}
