import { useEffect, useState } from 'preact/hooks';
import type { Answer, Waiting } from '../../src/api.ts';
import { amountOf, duration, when } from '../format.ts';
import { Text, Value } from '../parts/value.tsx';
import { onlyThis, RememberChoice, type Remembering, rememberingOf } from './remember.tsx';

/** How long a request takes no answer after it has come or moved, in milliseconds: the click may have been meant for another one. */
const SETTLE_MS = 500;

/** Whether a request has stood at its place for that long. */
function useSettled(place: string): boolean {
  const [settled, settle] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => settle(place), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [place]);
  return settled === place;
}

/** A pending approval, with buttons to answer it. */
export function Request({
  request,
  place,
  run,
  now,
  answer,
}: {
  readonly request: Waiting;
  /** Changes when the request moves. */
  readonly place: string;
  /** The run of the call, if it is in the journal. */
  readonly run: string | undefined;
  readonly now: number;
  readonly answer: (given: Answer) => Promise<void>;
}) {
  const { id, toolName, input, leftOut, reason, reasons = [reason], severity } = request;
  const { agent, principal, session, askedAt, deadline } = request;
  const [words, setWords] = useState('');
  const [remembering, setRemembering] = useState<Remembering>(() => onlyThis(leftOut ? undefined : input));
  const [problem, setProblem] = useState('');
  const [sending, setSending] = useState(false);
  const isSettled = useSettled(place);
  const send = async (decision: 'allow' | 'deny'): Promise<void> => {
    let given: Answer;
    try {
      given =
        decision === 'deny'
          ? { decision, ...(words.trim() !== '' && { reason: words.trim() }) }
          : { decision, ...rememberingOf(remembering, input) };
    } catch {
      setProblem('One of several values of an argument that is no text has to be JSON.');
      return;
    }
    setProblem('');
    setSending(true);
    await answer(given);
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
      {severity !== undefined && <p class={`severity ${severity}`}>Severity: {severity}</p>}
      {reasons.map((reason) => (
        <p class="why" key={reason}>
          <Text text={reason} />
        </p>
      ))}
      <Value value={input} label={`Input of ${toolName}`} />
      {leftOut && (
        <p class="left-out">
          This is only the beginning of the input. Not shown: {amountOf(leftOut)}. An allow covers them, too.
        </p>
      )}
      <form onSubmit={(event) => event.preventDefault()}>
        <RememberChoice id={id} chosen={remembering} choose={setRemembering} />
        {problem !== '' && <p role="alert">{problem}</p>}
        <label class="denial">
          Reason for a denial
          <input
            type="text"
            value={words}
            placeholder="The model reads it"
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
        <div class="answers">
          <button
            type="button"
            class="deny"
            disabled={sending || !isSettled}
            onClick={() => void send('deny')}
          >
            Deny
          </button>
          <button
            type="button"
            class="allow"
            disabled={sending || !isSettled}
            onClick={() => void send('allow')}
          >
            {ALLOW[remembering.remember ?? 'once']}
          </button>
        </div>
      </form>
    </li>
  );
}

const ALLOW = { once: 'Allow once', session: 'Allow in session', always: 'Always allow' } as const;
