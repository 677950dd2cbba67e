import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BeforeToolCall, block, createHooks, UserPromptSubmit } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { beforeAll, describe, expect, it } from 'vitest';
import { type JournalOptions, journal, type Verification, verifyJournal } from '../src/index.ts';

const { publicKey: key, privateKey } = generateKeyPairSync('ed25519');

let original: Buffer;
let lines: readonly string[];

/** Two sessions, one call blocked, and a journal that was closed. */
async function write(options: JournalOptions, calls: number): Promise<void> {
  await using log = journal(options);
  const hooks = createHooks();
  hooks.guard(BeforeToolCall.matching('drop'), () => block('Never drop.'), { id: 'no-drop' });
  hooks.use(log);
  for (let call = 0; call < calls; call++) {
    const session = hooks.session(`s${call % 2}`);
    const toolName = call === 1 ? 'drop' : 'search';
    await callTool(hooks, { session, toolName, callId: `c${call}`, input: { query: 'ü' } }, () => ['found']);
  }
  await hooks.close();
}

/** The file of the day on which the journal was written. */
let day: string;

function journalOf(content: string | Buffer): string {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  writeFileSync(join(sink, day), content);
  return sink;
}

async function verifyLines(changed: readonly string[]): Promise<Verification> {
  return verifyJournal(journalOf(`${changed.join('\n')}\n`), { key });
}

/** Lines count from 1. */
function lineOf({ problems }: Verification): number {
  return Number(problems[0]?.place?.split(':')[1]);
}

beforeAll(async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  await write({ sink, key: privateKey }, 3);
  [day = ''] = readdirSync(sink);
  original = readFileSync(join(sink, day));
  lines = original.toString().trimEnd().split('\n');
});

it('a journal as it was written is intact', async () => {
  const found = await verifyJournal(journalOf(original), { key });
  expect(found).toMatchObject({
    state: 'intact',
    records: lines.length,
    sessions: 2,
    erased: 0,
    problems: [],
  });
});

it('a journal in a store is intact, and one of another key is not', async () => {
  const store = memoryStore();
  await write({ store, key: privateKey }, 3);
  expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact', records: lines.length });
  const other = generateKeyPairSync('ed25519').publicKey;
  expect(await verifyJournal(store, { key: other })).toMatchObject({
    state: 'broken',
    problems: [{ code: 'checkpoint' }],
  });
});

it('each byte of a journal that is flipped is found, and the first bad record is named', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  const log = journal({ sink, key: privateKey });
  const hooks = createHooks();
  hooks.use(log);
  await hooks.dispatch(UserPromptSubmit, { session: hooks.session('s'), prompt: 'ü' });
  await log.close();
  const [name = ''] = readdirSync(sink);
  const small = readFileSync(join(sink, name));
  const folders = Array.from({ length: 16 }, () => mkdtempSync(join(tmpdir(), 'journal-')));
  let line = 1;
  for (let from = 0; from < small.length; from += folders.length) {
    const flips = folders.slice(0, small.length - from).map(async (folder, index) => {
      const at = from + index;
      const changed = Buffer.from(small);
      changed[at] = small[at]! ^ (1 << (at % 8));
      writeFileSync(join(folder, name), changed);
      return verifyJournal(folder, { key });
    });
    for (const [index, found] of (await Promise.all(flips)).entries()) {
      const at = from + index;
      if (at === small.length - 1) {
        // Without its line feed a process may have been killed in it.
        expect(found).toMatchObject({ state: 'unsigned', cutOff: [`${name}:${line}`] });
        line++;
        continue;
      }
      expect([found.state, lineOf(found)], `byte ${at} of line ${line}`).toEqual(['broken', line]);
      if (small[at] === 10) line++;
    }
  }
  // The policy, the session's start, the prompt, the checkpoint.
  expect(line).toBe(5);
});

describe('each record of a journal', () => {
  it('that is dropped is found where the next one stands; the last one leaves the journal unsigned', async () => {
    for (const at of lines.keys()) {
      const found = await verifyLines(lines.filter((_, index) => index !== at));
      if (at === lines.length - 1)
        expect(found).toMatchObject({ state: 'unsigned', writers: [{ closed: false }] });
      else expect([found.state, lineOf(found)]).toEqual(['broken', at + 1]);
    }
  });

  it('that is doubled is found', async () => {
    for (const at of lines.keys()) {
      const found = await verifyLines(lines.toSpliced(at, 0, lines[at]!));
      expect([found.state, lineOf(found)]).toEqual(['broken', at + 2]);
    }
  });

  it('that is swapped with the next is found', async () => {
    for (let at = 0; at < lines.length - 1; at++) {
      const found = await verifyLines(lines.toSpliced(at, 2, lines[at + 1]!, lines[at]!));
      expect([found.state, lineOf(found)]).toEqual(['broken', at + 1]);
    }
  });
});

it('a tail that is cut leaves the journal unsigned, and misses the checkpoint that was kept elsewhere', async () => {
  const [{ checkpoint = '' } = {}] = (await verifyJournal(journalOf(original))).writers;
  for (let left = 1; left < lines.length; left++) {
    expect(await verifyLines(lines.slice(0, left))).toMatchObject({
      state: 'unsigned',
      signatures: 'checked',
    });
    expect(await verifyJournal(journalOf(`${lines.slice(0, left).join('\n')}\n`))).toMatchObject({
      state: 'open',
      signatures: 'not checked',
    });
    const found = await verifyJournal(journalOf(`${lines.slice(0, left).join('\n')}\n`), {
      expect: [checkpoint],
    });
    expect(found).toMatchObject({ state: 'broken', problems: [{ code: 'missing' }] });
  }
});

it('a checkpoint in the middle that is removed is found', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  await write({ sink, key: privateKey }, 200);
  const [file = ''] = readdirSync(sink);
  const all = readFileSync(join(sink, file), 'utf8').trimEnd().split('\n');
  const checkpoints = all.flatMap((line, index) => (line.includes('"hooks.checkpoint"') ? [index] : []));
  expect(checkpoints.length).toBeGreaterThan(1);
  expect(await verifyLines(all)).toMatchObject({ state: 'intact' });
  for (const at of checkpoints.slice(0, -1)) {
    const found = await verifyLines(all.toSpliced(at, 1));
    expect([found.state, lineOf(found)]).toEqual(['broken', at + 1]);
  }
});

it('a journal that was written anew without the key, or with another, is not that of the key', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  await write({ sink }, 3);
  expect(await verifyJournal(sink, { key })).toMatchObject({ state: 'unsigned', problems: [] });
  const other = mkdtempSync(join(tmpdir(), 'journal-'));
  await write({ sink: other, key: generateKeyPairSync('ed25519').privateKey }, 3);
  expect(await verifyJournal(other, { key })).toMatchObject({
    state: 'broken',
    problems: [{ code: 'checkpoint' }],
  });
});

it('checkpoints that are all removed leave the journal unsigned', async () => {
  const found = await verifyLines(lines.filter((line) => !line.includes('"hooks.checkpoint"')));
  expect(found).toMatchObject({ state: 'unsigned', problems: [] });
  expect(found.writers[0]?.unsigned).toBe(lines.length - 1);
});

it('data that is set to null by hand is found, also behind an erasure of the session', async () => {
  const at = lines.findIndex((line) => line.startsWith('{"data":') && line.includes('before_tool_call'));
  const line = lines[at] ?? '';
  const bare = line.slice(line.indexOf(',"hash":"'));
  const nulled = lines.with(at, `{"data":null${bare}`);
  expect(await verifyLines(nulled)).toMatchObject({
    state: 'broken',
    problems: [{ code: 'erased', place: `${day}:${at + 1}` }],
  });
});

it('a key that takes the place of another is trusted where that one says so', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  const next = generateKeyPairSync('ed25519');
  await write({ sink, key: privateKey }, 1);
  await write({ sink, key: next.privateKey, replaces: privateKey }, 1);
  await write({ sink, key: next.privateKey }, 1);
  expect(await verifyJournal(sink, { key })).toMatchObject({ state: 'intact' });
  expect(await verifyJournal(sink, { key: [key, next.publicKey] })).toMatchObject({ state: 'intact' });
  expect(await verifyJournal(sink, { key: next.publicKey })).toMatchObject({ state: 'broken' });

  // Whoever has no key cannot name another.
  const thief = generateKeyPairSync('ed25519');
  const forged = mkdtempSync(join(tmpdir(), 'journal-'));
  await write({ sink: forged, key: privateKey }, 1);
  await write({ sink: forged, key: thief.privateKey, replaces: thief.privateKey }, 1);
  expect(await verifyJournal(forged, { key })).toMatchObject({ state: 'broken' });
  const [file = ''] = readdirSync(forged);
  const path = join(forged, file);
  const { keyId } = await import('../src/integrity/key.ts');
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(`"by":"${keyId(thief.publicKey)}"`, `"by":"${keyId(key)}"`),
  );
  expect(await verifyJournal(forged, { key })).toMatchObject({ state: 'broken' });
});

it('a journal of which nothing is left, or another store, is not intact', async () => {
  for (const source of [journalOf(''), journalOf('\n\n'), memoryStore()])
    await expect(verifyJournal(source, { key })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('no record of a journal in'),
    });
});
