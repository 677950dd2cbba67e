import { useRef, useState } from 'preact/hooks';
import type { Answer, Waiting } from '../../src/api.ts';
import { client } from '../client.ts';
import { Text } from '../parts/value.tsx';
import { type Known, useNow } from '../store.ts';
import { RememberedList } from './remembered.tsx';
import { Request } from './request.tsx';

/** The pending approvals. */
export function Approvals({ known: { approvals, overview, remembered, runs } }: { readonly known: Known }) {
  const now = useNow(approvals.length > 0);
  const [told, tell] = useState('');
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const heading = useRef<HTMLHeadingElement>(null);
  const waiting = approvals.filter(({ id }) => !done.has(id));
  const answer = async ({ id, toolName }: Waiting, given: Answer): Promise<void> => {
    try {
      const { received } = await client.answer(id, given);
      const done = `${given.decision === 'allow' ? 'Allowed' : 'Denied'}: ${toolName}`;
      tell(
        received
          ? done
          : `${done}. The process that asked has not read it yet; if it has ended, its call does not run.`,
      );
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      return;
    }
    setDone((before) => new Set([...before, id]));
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
          {waiting.map((request, at) => (
            <Request
              key={request.id}
              request={request}
              place={waiting
                .slice(0, at)
                .map(({ id }) => id)
                .join()}
              run={
                runs?.find(({ session, status }) => status === 'waiting' && session === request.session)?.id
              }
              now={now}
              answer={(given) => answer(request, given)}
            />
          ))}
        </ul>
      )}
      <RememberedList
        remembered={remembered}
        forget={async ({ id, toolName }) => {
          try {
            await client.forget(id);
            tell(`Forgotten: ${toolName}`);
          } catch (error) {
            tell(error instanceof Error ? error.message : String(error));
          }
          heading.current?.focus();
        }}
      />
    </section>
  );
}
