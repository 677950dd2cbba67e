import { useRef, useState } from 'preact/hooks';
import type { Answer, Waiting } from '../src/api.ts';
import { client } from './client.ts';
import { duration, when } from './format.ts';
import { Text, Value } from './parts/value.tsx';
import { type Known, useNow } from './store.ts';

/** The calls that wait for a person. */
export function Approvals({ known: { approvals, overview, runs } }: { readonly known: Known }) {
  const now = useNow(approvals.length > 0);
  const [told, tell] = useState('');
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const heading = useRef<HTMLHeadingElement>(null);
  const waiting = approvals.filter(({ id }) => !done.has(id));
  const answer = async ({ id, toolName }: Waiting, given: Answer): Promise<void> => {
    try {
      await client.answer(id, given);
      tell(`${given.decision === 'allow' ? 'Allowed' : 'Denied'}: ${toolName}`);
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      return;
    }
    setDone(new Set([...done, id]));
    heading.current?.focus();
  };
  return (
    <section class="approvals">
      <h1 ref={heading} tabIndex={-1}>
        Approvals
      </h1>
      <p class="told" role="status">
        <Text text={told} />
      </p>
      {waiting.length === 0 ? (
        <p class="empty">
          No call waits. A hook that requires approval shows here, where the agent asks through{' '}
          <code>{overview?.store}</code>.
        </p>
      ) : (
        <ul>
          {waiting.map((request) => (
            <Request
              key={request.id}
              request={request}
              run={
                runs?.find(({ session, status }) => status === 'waiting' && session === request.session)?.id
              }
              now={now}
              answer={(given) => answer(request, given)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function Request({
  request,
  run,
  now,
  answer,
}: {
  readonly request: Waiting;
  /** The run in which it waits, where the journal shows it. */
  readonly run: string | undefined;
  readonly now: number;
  readonly answer: (given: Answer) => Promise<void>;
}) {
  const { id, toolName, input, reason, agent, principal, session, askedAt, deadline } = request;
  const [words, setWords] = useState('');
  const [sending, setSending] = useState(false);
  const send = async (decision: 'allow' | 'deny'): Promise<void> => {
    setSending(true);
    await answer({ decision, ...(decision === 'deny' && words.trim() !== '' && { reason: words.trim() }) });
    setSending(false);
  };
  const left = deadline - now;
  return (
    <li class="request" aria-labelledby={`title-${id}`}>
      <div class="request-head">
        <h2 id={`title-${id}`}>
          <Text text={toolName} />
        </h2>
        <span class={`deadline ${left < 60_000 ? 'soon' : ''}`}>
          {left > 0 ? `denied in ${duration(left)}` : 'denied: nobody answered'}
        </span>
      </div>
      <p class="sub">
        <Text text={[agent, principal && `for ${principal}`, session].filter(Boolean).join(' · ')} /> · asked
        at {when(askedAt, now)}
        {run !== undefined && (
          <>
            {' · '}
            <a href={`#/runs/${run}`}>the run</a>
          </>
        )}
      </p>
      <p class="why">
        <Text text={reason} />
      </p>
      <Value value={input} label={`Input of ${toolName}`} />
      <form onSubmit={(event) => event.preventDefault()}>
        <label>
          Reason for a denial
          <input
            type="text"
            value={words}
            placeholder="The model reads it"
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
        <div class="answers">
          <button type="button" class="deny" disabled={sending} onClick={() => void send('deny')}>
            Deny
          </button>
          <button type="button" class="allow" disabled={sending} onClick={() => void send('allow')}>
            Allow once
          </button>
        </div>
      </form>
    </li>
  );
}
