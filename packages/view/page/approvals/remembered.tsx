import type { Remembered } from '../../src/api.ts';
import { inLine, when } from '../format.ts';
import { Text } from '../parts/value.tsx';

/** Approvals that count for further calls, each with a way to take it back. */
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
      <p class="sub">Such calls run without a question, until you forget them here.</p>
      <ul>
        {remembered.map((one) => (
          <li key={one.id}>
            <div>
              <strong>
                <Text text={one.toolName} />
              </strong>{' '}
              <span class="like">
                <Text text={one.matching ? inLine(one.matching) : 'all arguments'} />
              </span>
              <p class="sub">
                <Text
                  text={[
                    one.session === undefined ? 'in every session' : `in session ${one.session}`,
                    one.principal === undefined ? 'for nobody in particular' : `for ${one.principal}`,
                    `since ${when(one.at)}`,
                  ].join(' · ')}
                />
              </p>
            </div>
            <button type="button" aria-label={`Forget ${one.toolName}`} onClick={() => void forget(one)}>
              Forget
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
