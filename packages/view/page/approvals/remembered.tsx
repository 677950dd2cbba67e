import type { Remembered } from '../../src/api.ts';
import { amountOf, inLine, when } from '../format.ts';
import { Text, withCodes } from '../parts/value.tsx';

/** Remembered approvals, each with a button to forget it. */
export function RememberedList({
  remembered,
  forget,
}: {
  readonly remembered: readonly Remembered[];
  readonly forget: (remembered: Remembered) => Promise<void>;
}) {
  if (remembered.length === 0) return null;
  return (
    <section class="remembered" aria-labelledby="remembered">
      <h2 id="remembered">Remembered</h2>
      <p class="sub">Such calls run without approval until you forget them here.</p>
      <ul>
        {remembered.map((one) => (
          <li key={one.id}>
            <div>
              <strong>
                <Text text={one.toolName} />
              </strong>{' '}
              <span class="like">
                <Text text={inLine(one.matching ?? one.input)} />
              </span>
              {one.leftOut && <span class="sub"> … and {amountOf(one.leftOut)}</span>}
              <p class="sub">
                <Text
                  text={[
                    one.session === undefined ? 'in every session' : `in session ${one.session}`,
                    one.run !== undefined && `in run ${one.run}`,
                    one.principal === undefined ? 'for calls without a user' : `for ${one.principal}`,
                    one.times !== undefined && `${one.left ?? one.times} of ${one.times} calls left`,
                    `since ${when(one.at)}`,
                    one.until !== undefined && `until ${when(one.until)}`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                />
              </p>
            </div>
            <button
              type="button"
              aria-label={`Forget ${withCodes(one.toolName)}`}
              onClick={() => void forget(one)}
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
