/** The calls that an approval covers. */
export interface Remembering {
  /** Undefined: for this call only. */
  readonly remember: 'session' | 'always' | undefined;
  /** Whether it only covers calls whose arguments match `matching`. If not, they may have any values. */
  readonly isLike: boolean;
  /** Undefined if the input has no arguments. */
  readonly matching: Readonly<Record<string, string>> | undefined;
}

export const ONCE: Remembering = { remember: undefined, isLike: true, matching: undefined };

/** The arguments of a call, as texts that a person can edit into patterns. */
export function argumentsOf(input: unknown): Remembering['matching'] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** The same arguments with whatever values. */
export function anyValues(matching: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(matching).map((name) => [name, '*']));
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
  const { remember, isLike, matching } = chosen;
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
      {remember !== undefined && matching !== undefined && (
        <fieldset class="pattern">
          <legend>
            <label>
              <input
                type="checkbox"
                checked={isLike}
                onChange={(event) => choose({ ...chosen, isLike: event.currentTarget.checked })}
              />{' '}
              Only for arguments like these; a <code>*</code> that you type is one word, which begins no
              option and leaves no folder
            </label>
          </legend>
          {isLike &&
            Object.entries(matching).map(([name, pattern]) => (
              <label key={name}>
                <code>{name}</code>
                <input
                  type="text"
                  value={pattern}
                  spellcheck={false}
                  onInput={(event) =>
                    choose({ ...chosen, matching: { ...matching, [name]: event.currentTarget.value } })
                  }
                />
              </label>
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
