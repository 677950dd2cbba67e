import { useEffect, useState } from 'preact/hooks';
import type { Policy, RunEvent } from '../../src/api.ts';
import { client } from '../client.ts';
import { counted } from '../format.ts';
import { Text, withCodes } from '../parts/value.tsx';

/** The policies of a run, with their hooks. */
export function Policies({ events }: { readonly events: readonly RunEvent[] }) {
  const digests = [...new Set(events.flatMap(({ record }) => record.policy ?? []))];
  return (
    <>
      {digests.map((digest) => (
        <Hooks key={digest} digest={digest} />
      ))}
    </>
  );
}

function Hooks({ digest }: { readonly digest: string }) {
  const [policy, setPolicy] = useState<Policy>();
  useEffect(() => {
    client.policy(digest).then(setPolicy, () => {});
  }, [digest]);
  return (
    <section>
      <h3>Policy in force</h3>
      <p class="sub mono hash">{digest}</p>
      {policy && (
        <details>
          <summary>{counted(policy.hooks.length, 'hook')}</summary>
          <ul class="hooks">
            {policy.hooks.map(({ id, verb, event, matcher, priority, version }) => (
              <li key={`${id} ${event} ${verb}`}>
                <span class="hook-id">
                  <Text text={id} />
                </span>
                <span class="sub">
                  {verb} {withCodes(event)}
                  {matcher !== undefined && ` matching ${withCodes(matcher)}`}
                  {priority !== 0 && `, priority ${priority}`}
                  {version !== undefined && `, version ${withCodes(version.slice(0, 12))}`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
