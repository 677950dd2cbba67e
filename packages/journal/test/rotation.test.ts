import { fork } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { expect, it } from 'vitest';
import { type JournalTarget, journal, verifyJournal } from '../src/index.ts';

const old = generateKeyPairSync('ed25519');
const next = generateKeyPairSync('ed25519');

async function write(target: JournalTarget, key: KeyObject, replaces?: KeyObject): Promise<void> {
  const log = journal({ ...target, key, ...(replaces && { replaces }) });
  const hooks = createHooks();
  hooks.use(log);
  await callTool(hooks, { session: hooks.session('s'), toolName: 'pay', input: {} }, () => 'paid');
  await hooks.close();
  await log.close();
}

const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'journal-'));

it('a new key is on record when the journal is made, also where the process is killed right behind it', async () => {
  const sink = newDirectory();
  await write({ sink }, old.privateKey);
  const program = fileURLToPath(new URL('programs/rotates.ts', import.meta.url));
  const child = fork(program, [sink], { execArgv: ['--conditions=@hooks/source'] });
  child.send([old, next].map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' })));
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  await write({ sink }, next.privateKey);
  expect(await verifyJournal(sink, { key: old.publicKey })).toMatchObject({ state: 'open', problems: [] });
});

it.each([
  ['a directory', () => ({ sink: newDirectory() })],
  ['a store', () => ({ store: memoryStore() })],
])(
  'in %s, checkpoints of a new key whose record comes behind them are trusted, and others are not',
  async (_, make) => {
    const target: JournalTarget = make();
    const source = target.store ?? (target.sink as string);
    await write(target, old.privateKey);
    // The record of the change was lost, or another process has not written it yet.
    await write(target, next.privateKey);
    const third = generateKeyPairSync('ed25519');
    await write(target, third.privateKey, next.privateKey);
    const before = await verifyJournal(source, { key: old.publicKey });
    expect(before.state).toBe('broken');
    expect(new Set(before.problems.map(({ code }) => code))).toEqual(new Set(['checkpoint']));
    await write(target, next.privateKey, old.privateKey);
    const found = await verifyJournal(source, { key: old.publicKey });
    expect(found).toMatchObject({ state: 'intact', problems: [] });
    expect(found.writers.map(({ unsigned }) => unsigned)).toEqual(found.writers.map(() => 0));

    const thief = generateKeyPairSync('ed25519');
    await write(target, thief.privateKey);
    await write(target, thief.privateKey, thief.privateKey);
    expect((await verifyJournal(source, { key: old.publicKey })).state).toBe('broken');
  },
);
