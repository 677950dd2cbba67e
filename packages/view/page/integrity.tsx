import type { ChainState } from '../src/api.ts';
import { client } from './client.ts';
import { count, counted, duration, when } from './format.ts';
import { useLoaded } from './parts/load.ts';
import { Text, withCodes } from './parts/value.tsx';

const VERDICTS: Readonly<Record<ChainState['state'], { readonly title: string; readonly tone: string }>> = {
  intact: { title: 'Intact', tone: 'ok' },
  open: { title: 'Intact, and still open', tone: 'ask' },
  unsigned: { title: 'Unchanged, but not all of it is signed', tone: 'bad' },
  gap: { title: 'Unchanged, but records were lost', tone: 'bad' },
  broken: { title: 'Broken', tone: 'bad' },
};

/** The result of the journal's verification. */
export function Integrity({ records }: { readonly records: number }) {
  const { value: chain, error, busy, again } = useLoaded(client.chain, client.verifyAgain);
  return (
    <section class="integrity">
      <div class="title-line">
        <h1>Integrity</h1>
        <button type="button" disabled={busy} onClick={again}>
          {busy ? 'Verifying …' : 'Verify again'}
        </button>
      </div>
      {error !== '' && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      {chain ? <Found chain={chain} newer={records - chain.records} /> : error === '' && <p>Verifying …</p>}
    </section>
  );
}

function Found({ chain, newer }: { readonly chain: ChainState; readonly newer: number }) {
  const { title, tone } = VERDICTS[chain.state];
  return (
    <>
      <div class={`verdict tone-${tone}`} role="status">
        <strong>
          <span class="dot" />
          {title}
        </strong>
        <p>{explain(chain)}</p>
      </div>
      <dl class="facts">
        <Fact name="Records" value={count(chain.records)} />
        {chain.lost > 0 && <Fact name="Lost records" value={count(chain.lost)} />}
        {chain.pruned > 0 && <Fact name="Pruned records" value={count(chain.pruned)} />}
        <Fact name="Sessions" value={count(chain.sessions)} />
        <Fact name="Writers" value={count(chain.writers.length)} />
        <Fact name="Erased values" value={count(chain.erased)} />
        {chain.cutOff.length > 0 && (
          <Fact name="Lines cut off" value={chain.cutOff.slice(0, 20).join(', ')} />
        )}
        <Fact name="Signatures" value={chain.signatures ? 'checked' : 'not checked'} />
        <Fact name="Verified" value={`${when(chain.at)}, in ${duration(chain.tookMs)}`} />
      </dl>
      {newer > 0 && <p class="sub">{counted(newer, 'record')} added since. Verify again to include them.</p>}
      {chain.problems.length > 0 && <Problems chain={chain} />}
      <Writers chain={chain} />
    </>
  );
}

function explain({ state, signatures, problems, lost }: ChainState): string {
  if (state === 'broken') return `${counted(problems.length, 'place')} of the journal were changed.`;
  if (state === 'gap')
    return `${counted(lost, 'record')} could not be written, as the journal itself says. What is there was not altered.`;
  if (state === 'unsigned')
    return 'Not every record is under a checkpoint that is signed with the key: a process still writes, was killed, or records were cut off or added.';
  const keys = signatures
    ? 'Every checkpoint is signed with the key.'
    : 'Without a key, someone who can write the files could have rewritten all of it.';
  if (state === 'intact')
    return `No record was altered, moved or dropped, and each writer has closed its part. ${keys}`;
  return `No record was altered, moved or dropped. A writer has not closed its part: it is still writing, was killed, or its end was cut off. ${keys}`;
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Problems({ chain: { problems } }: { readonly chain: ChainState }) {
  return (
    <table>
      <caption>What is wrong</caption>
      <thead>
        <tr>
          <th scope="col">Where</th>
          <th scope="col">Kind</th>
          <th scope="col">What</th>
        </tr>
      </thead>
      <tbody>
        {problems.slice(0, 200).map(({ place = '', code, message }) => (
          <tr key={`${place} ${message}`}>
            <td class="mono">
              <Text text={place} />
            </td>
            <td>{code}</td>
            <td>
              <Text text={message} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Writers({ chain: { writers } }: { readonly chain: ChainState }) {
  return (
    <table class="writers">
      <caption>Writers: one for each process that wrote</caption>
      <thead>
        <tr>
          <th scope="col">Writer</th>
          <th scope="col" class="number">
            Records
          </th>
          <th scope="col">State</th>
          <th scope="col">Last record</th>
          <th scope="col">Last checkpoint</th>
        </tr>
      </thead>
      <tbody>
        {writers.slice(0, 500).map(({ source, records, closed, uncovered, last, checkpoint }) => (
          <tr key={source}>
            <td class="mono">{withCodes(source.replace('urn:uuid:', '').slice(0, 8))}</td>
            <td class="number">{count(records)}</td>
            <td>{closed ? 'closed' : `open, ${count(uncovered)} after its last checkpoint`}</td>
            <td class="mono">{withCodes(last)}</td>
            <td class="mono hash">{checkpoint ?? 'none'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
