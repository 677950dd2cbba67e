import type { RecordedDecision, RecordedHook } from '@hooks/journal';
import type { RunEvent } from '../../src/api.ts';
import { duration, eventName } from '../format.ts';
import { Text } from '../parts/value.tsx';
import type { Tone } from './node.ts';

/** Whether any hook ran. */
export function hasDecided({ record }: RunEvent): boolean {
  return (
    (record.hooks ?? []).length > 0 || (record.decision !== undefined && record.decision.kind !== 'proceed')
  );
}

/** One event: the hooks that ran, in order, and their answers. */
export function Dispatch({
  event: { record, data },
  told,
}: {
  readonly event: RunEvent;
  /** A reason that is already shown above. */
  readonly told: string | undefined;
}) {
  const { type, hooks = [], decision, durationMs = 0, attempt } = record;
  const { text, tone } = wordsOf(decision);
  return (
    <article class="dispatch">
      <header>
        <h4>
          {eventName(type)}
          {attempt !== undefined && attempt > 0 && <span class="sub"> attempt {attempt}</span>}
        </h4>
        <span class={`mark tone-${tone}`}>
          <Text text={text} />
        </span>
        <span class="sub number">{duration(durationMs)}</span>
      </header>
      <ol>
        {hooks.map((hook, index) => (
          <Hook key={index} hook={hook} said={data?.hooks?.[index]} told={told} />
        ))}
      </ol>
    </article>
  );
}

function Hook({
  hook: { id, verb, decision, error, durationMs },
  said,
  told,
}: {
  readonly hook: RecordedHook;
  readonly said: { readonly reason?: string; readonly note?: string } | undefined;
  readonly told: string | undefined;
}) {
  const { text, tone } =
    error !== undefined
      ? ({ text: `Failed: ${error}`, tone: 'bad' } as const)
      : decision
        ? wordsOf(decision)
        : ({ text: 'Not needed', tone: 'quiet' } as const);
  const words = said?.reason ?? said?.note;
  return (
    <li class={`asked tone-${tone}`}>
      <span class="hook-id">
        <Text text={id} />
      </span>
      <span class="sub">{VERBS[verb]}</span>
      <span class="hook-answer">
        <Text text={text} />
      </span>
      <span class="sub number">{duration(durationMs)}</span>
      {words !== undefined && words !== told && (
        <span class="said">
          <Text text={words} />
        </span>
      )}
    </li>
  );
}

const VERBS = { on: 'interceptor', guard: 'guard', observe: 'observer' } as const;

/** A decision as text. */
function wordsOf(decision: RecordedDecision | undefined): { readonly text: string; readonly tone: Tone } {
  switch (decision?.kind) {
    case 'block':
      return {
        text: decision.stop ? 'Blocked, run ended' : decision.failed ? 'Blocked, hook failed' : 'Blocked',
        tone: 'bad',
      };
    case 'retry':
      return { text: 'Retry', tone: 'retry' };
    case 'modify':
      return modified(decision);
    default:
      return { text: 'Proceed', tone: 'quiet' };
  }
}

function modified({ fields = [], approval, toolName }: RecordedDecision): {
  readonly text: string;
  readonly tone: Tone;
} {
  const rest = fields.filter((field) => field !== 'approval' && field !== 'toolName');
  const parts = [
    ...(approval ? [approval.kind === 'required' ? 'Ask a person' : 'Grant'] : []),
    ...(toolName === undefined ? [] : [`Call ${toolName} instead`]),
    ...(rest.length > 0 ? [`Modify ${rest.join(', ')}`] : []),
  ];
  const tone =
    approval?.kind === 'required'
      ? 'ask'
      : approval
        ? 'ok'
        : rest.every((field) => field === 'context')
          ? 'quiet'
          : 'change';
  return { text: parts.join(', ') || 'Modify', tone };
}
