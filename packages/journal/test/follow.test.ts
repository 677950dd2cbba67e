import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { followJournal, journal, pruneJournal, readPart } from '../src/index.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

it.each(['a directory', 'a store'])(
  'a follower of %s gives each record once, when it is written',
  async (where) => {
    const source = where === 'a store' ? memoryStore() : join(temporaryFolder(), 'journal');
    const follower = followJournal(source);
    expect(await collect(follower.read())).toEqual([]);

    const log = journal(typeof source === 'string' ? { sink: source } : { store: source });
    const hooks = createHooks();
    hooks.use(log);
    const call = (callId: string) =>
      callTool(hooks, { session: hooks.session('s'), toolName: 'search', callId, input: {} }, () => 'found');
    await call('first');
    await log.flush();
    const first = await collect(follower.read());
    expect(first.flatMap(({ record }) => record.tool?.callId ?? [])).toContain('first');
    expect(await collect(follower.read())).toEqual([]);
    await call('second');
    await log.flush();
    const second = await collect(follower.read());
    expect(second.map(({ record }) => record.tool?.callId)).toEqual(second.map(() => 'second'));

    const [from, to] = [first[1]?.position, second.at(-1)?.position];
    const { file = '', offset = 0, line = 0 } = from ?? {};
    const again = await collect(readPart(source, { file, offset, lines: [line, to?.line ?? 0] }));
    expect(again.map(({ hash }) => hash)).toEqual([first[1]?.hash, second.at(-1)?.hash]);
    await log.close();
  },
);

it('a follower of a store gives a record whose data could not be read with the next read', async () => {
  const store = memoryStore();
  const log = journal({ store });
  const hooks = createHooks();
  hooks.use(log);
  await callTool(hooks, { session: hooks.session('s'), toolName: 'search', input: {} }, () => 'found');
  await log.close();
  const all = await collect(followJournal(store).read());

  let isAway = true;
  const get: typeof store.get = (key) =>
    isAway && key.startsWith('journal/') ? Promise.reject(new Error('away')) : store.get(key);
  const follower = followJournal({ ...store, get });
  const given: unknown[] = [];
  const readOn = async () => {
    for await (const { hash } of follower.read()) given.push(hash);
  };
  await expect(readOn()).rejects.toThrow('away');
  isAway = false;
  await readOn();
  expect(given).toEqual(all.map(({ hash }) => hash));
});

it('a follower waits for the end of a line, and names lines that are no records', async () => {
  const sink = temporaryFolder();
  const log = journal({ sink });
  createHooks().use(log);
  await log.close();
  const [file = ''] = readdirSync(sink);
  const path = join(sink, file);
  const line = readFileSync(path, 'utf8');
  const problems: string[] = [];
  const follower = followJournal(sink, { onProblem: ({ place }) => problems.push(place) });
  expect(await collect(follower.read())).toHaveLength(1);

  appendFileSync(path, line.slice(0, 40));
  expect(await collect(follower.read())).toEqual([]);
  appendFileSync(path, line.slice(40));
  expect((await collect(follower.read())).map(({ place }) => place)).toEqual([`${file}:2`]);
  appendFileSync(path, 'nonsense\n');
  expect(await collect(follower.read())).toEqual([]);
  expect(problems).toEqual([`${file}:3`]);
});

it('a follower whose file is replaced while it begins to read gives the records of both files, each once', async () => {
  const sinks = [temporaryFolder(), temporaryFolder()];
  const [path = '', other = ''] = await Promise.all(
    sinks.map(async (sink) => {
      const log = journal({ sink });
      createHooks().use(log);
      await log.close();
      return join(sink, readdirSync(sink)[0] ?? '');
    }),
  );
  const [line, next] = [readFileSync(path, 'utf8'), readFileSync(other, 'utf8')];
  writeFileSync(other, next.repeat(3));
  const problems: string[] = [];
  const follower = followJournal(sinks[0] ?? '', { onProblem: ({ message }) => problems.push(message) });
  expect(await collect(follower.read())).toHaveLength(1);

  appendFileSync(path, line);
  const reading = follower.read();
  const first = reading.next();
  renameSync(other, path);
  const given = [await first, ...(await collect(reading)), ...(await collect(follower.read()))];
  const hashes = given.map((each) => ('hash' in each ? each.hash : each.value?.hash));
  const [ofLine, ofNext] = [line, next].map((text) => JSON.parse(text).hash);
  expect(hashes).toEqual([ofLine, ofNext, ofNext, ofNext]);
  expect(problems).toEqual([]);
});

it('records of a day that was pruned meanwhile are no longer read, and the others are', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const sink = temporaryFolder();
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) {
    vi.setSystemTime(new Date(`${day}T12:00:00Z`));
    const log = journal({ sink });
    createHooks().use(log);
    await log.close();
  }
  const problems: string[] = [];
  const follower = followJournal(sink, { onProblem: ({ message }) => problems.push(message) });
  const positions = (await collect(follower.read())).map(({ position }) => position);
  await pruneJournal(sink, { before: new Date('2026-03-03') });
  // Its record stands in the place of the newest of these days.
  const added = await collect(follower.read());
  expect(added.map(({ record, place }) => [record.type, place])).toEqual([
    ['hooks.pruning', '2026-03-02.jsonl:1'],
    ['hooks.checkpoint', '2026-03-02.jsonl:2'],
  ]);
  expect(await collect(follower.read())).toEqual([]);
  expect(problems).toEqual([]);
  const left = await Promise.all(
    positions.map(({ line, ...position }) => collect(readPart(sink, { ...position, lines: [line] }))),
  );
  expect(left.map(([reading]) => reading?.place)).toEqual([
    undefined,
    expect.anything(),
    '2026-03-03.jsonl:1',
  ]);
});
