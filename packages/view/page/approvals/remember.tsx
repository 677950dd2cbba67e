import type { Answer } from '../../src/api.ts';
import { Text, withCodes } from '../parts/value.tsx';

/** The values of each argument that a person has written: one text is a pattern, several are the values that it may have. */
type Texts = Readonly<Record<string, readonly string[]>>;

/** The calls that an approval covers. */
export interface Remembering {
  /** Undefined: for this call only. */
  readonly remember: 'session' | 'always' | undefined;
  /** Undefined: as long as `remember` says. */
  readonly time: (typeof TIMES)[number]['time'];
  /** The number of calls, as the person wrote it. Empty: any number. */
  readonly times: string;
  /** Whether it only covers calls whose arguments match. If not, they may have any values. */
  readonly isLike: boolean;
  /** Undefined if the input has no arguments. */
  readonly texts: Texts | undefined;
}

const TIMES = [
  { time: undefined, text: 'no limit' },
  { time: '30 min', text: '30 minutes' },
  { time: '8 h', text: '8 hours' },
  { time: '7 d', text: '7 days' },
] as const;

/** An approval of one call. Where only a part of its input is known, there is no pattern to choose: it covers that input alone. */
export function onlyThis(input: unknown): Remembering {
  return { remember: undefined, time: undefined, times: '', isLike: true, texts: textsOf(input) };
}

/** The arguments of a call, as texts that a person can edit. */
function textsOf(input: unknown): Texts | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, [typeof value === 'string' ? value : JSON.stringify(value)]]),
  );
}

/**
 * What to answer. What the person has left as it was is no pattern: it covers that input alone.
 *
 * @throws SyntaxError where a value of a list is no JSON, for an argument that is no text
 */
export function rememberingOf(
  { remember, time, times, isLike, texts }: Remembering,
  input: unknown,
): Pick<Answer, 'remember' | 'matching'> {
  if (remember === undefined) return {};
  const bounds = { ...(time !== undefined && { for: time }), ...(times !== '' && { times: Number(times) }) };
  const isBound = Object.keys(bounds).length > 0;
  const isEdited = !isLike || JSON.stringify(texts) !== JSON.stringify(textsOf(input));
  return {
    remember: isBound ? { within: remember, ...bounds } : remember,
    ...(texts && isEdited && { matching: isLike ? patternOf(texts, input) : anyValues(texts) }),
  };
}

function patternOf(texts: Texts, input: unknown): NonNullable<Answer['matching']> {
  const entries = Object.entries(texts).map(([name, values]) => {
    const [first = '', ...others] = values;
    if (others.length === 0) return [name, first] as const;
    const isText = typeof Object(input)[name] === 'string';
    return [name, values.map((value): unknown => (isText ? value : JSON.parse(value)))] as const;
  });
  return Object.fromEntries(entries);
}

function anyValues(texts: Texts): NonNullable<Answer['matching']> {
  return Object.fromEntries(Object.keys(texts).map((name) => [name, '*']));
}

const COUNTS = [
  { remember: undefined, text: 'This call' },
  { remember: 'session', text: 'This session' },
  { remember: 'always', text: 'Always' },
] as const;

/** Lets a person choose which calls an approval covers, and with which arguments. */
export function RememberChoice({
  id,
  chosen,
  choose,
}: {
  /** The id of the request. */
  readonly id: string;
  readonly chosen: Remembering;
  readonly choose: (chosen: Remembering) => void;
}) {
  const { remember, time, times, isLike, texts } = chosen;
  const write = (name: string, values: readonly string[]): void =>
    choose({ ...chosen, texts: { ...texts, [name]: values } });
  return (
    <div class="remember">
      <span class="lead" aria-hidden="true">
        Allow applies to
      </span>
      <fieldset class="segments">
        <legend class="hidden">Allow applies to</legend>
        {COUNTS.map((each) => (
          <label key={each.text}>
            <input
              type="radio"
              name={`remember-${id}`}
              checked={remember === each.remember}
              onChange={() => choose({ ...chosen, remember: each.remember })}
            />
            <span>{each.text}</span>
          </label>
        ))}
      </fieldset>
      {remember !== undefined && (
        <p class="bounds">
          <label>
            For{' '}
            <select
              aria-label="For how long"
              onChange={(event) => {
                const { time } = TIMES[event.currentTarget.selectedIndex] ?? TIMES[0];
                choose({ ...chosen, time });
              }}
            >
              {TIMES.map((each) => (
                <option key={each.text} selected={time === each.time}>
                  {each.text}
                </option>
              ))}
            </select>
          </label>{' '}
          <label>
            Calls{' '}
            <input
              type="number"
              min={1}
              step={1}
              placeholder="any"
              value={times}
              onInput={(event) => choose({ ...chosen, times: event.currentTarget.value })}
            />
          </label>
        </p>
      )}
      {remember !== undefined && texts !== undefined && (
        <fieldset class="pattern">
          <legend>
            <label>
              <input
                type="checkbox"
                checked={isLike}
                onChange={(event) => choose({ ...chosen, isLike: event.currentTarget.checked })}
              />{' '}
              Only for these arguments; a <code>*</code> that you type in a command, a path or a URL is one
              word, which begins no option and leaves no folder
            </label>
          </legend>
          {isLike &&
            Object.entries(texts).map(([name, values]) => (
              <div key={name} class="argument">
                <code aria-hidden="true">
                  <Text text={name} />
                </code>
                {values.map((value, at) => (
                  <input
                    key={at}
                    type="text"
                    aria-label={at === 0 ? withCodes(name) : `${withCodes(name)}, value ${at + 1}`}
                    value={value}
                    spellcheck={false}
                    onInput={(event) => write(name, values.with(at, event.currentTarget.value))}
                  />
                ))}
                <button type="button" class="or" onClick={() => write(name, [...values, ''])}>
                  or another<span class="hidden"> value of {withCodes(name)}</span>
                </button>
              </div>
            ))}
        </fieldset>
      )}
      {remember !== undefined && (
        <p class="note">
          The agent does not ask about such calls again, where it uses <code>rememberApprovals</code> with
          this store.
        </p>
      )}
    </div>
  );
}
