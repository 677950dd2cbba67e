import { expect, it } from 'vitest';
import { type PinStore, pinTool, toolDigest } from '../src/tool-call/index.ts';

/** A store in memory; `race` runs between the first read of a key and the write. */
function store(race: () => void = () => {}): PinStore & { readonly kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>();
  return {
    kept,
    async get(key) {
      return kept.has(key) ? { value: kept.get(key) } : undefined;
    },
    async set(key, value, { expected }) {
      race();
      if (expected === null && kept.has(key)) return undefined;
      kept.set(key, value);
      return 'version';
    },
  };
}

const parts = { description: 'Reads a file.', inputSchema: { type: 'object' } };

it('a tool is pinned when it is first seen, under its name and with a hash of each part', async () => {
  const pins = store();
  expect(await pinTool(pins, 'k', 'read', { ...parts, title: undefined })).toEqual([]);
  expect([...pins.kept]).toEqual([
    [
      'k',
      {
        tool: 'read',
        hashes: { description: expect.any(String), inputSchema: expect.any(String) },
      },
    ],
  ]);
  expect(JSON.stringify([...pins.kept])).not.toContain('Reads a file.');
});

it.each([
  ['the same', parts, []],
  ['its keys in another order', { inputSchema: parts.inputSchema, description: parts.description }, []],
  ['another description', { ...parts, description: 'Sends a file.' }, ['description']],
  ['a part more', { ...parts, title: 'Read' }, ['title']],
  ['a part less', { description: parts.description }, ['inputSchema']],
  ['other parts', { annotations: {} }, ['annotations', 'description', 'inputSchema']],
])('a pinned tool is compared by its parts: %s', async (_what, now, changed) => {
  const pins = store();
  await pinTool(pins, 'k', 'read', parts);
  expect(await pinTool(pins, 'k', 'read', now)).toEqual(changed);
  // It stays pinned as it was.
  expect(await pinTool(pins, 'k', 'read', parts)).toEqual([]);
});

it('of two processes that see a tool first, the slower one compares with the pin of the other', async () => {
  const other = store();
  await pinTool(other, 'k', 'read', parts);
  const pins = store(() => pins.kept.set('k', other.kept.get('k')));
  expect(await pinTool(pins, 'k', 'read', { ...parts, description: 'Sends a file.' })).toEqual([
    'description',
  ]);
});

it('a pin that is not readable counts as changed in every part', async () => {
  const pins = store();
  pins.kept.set('k', 'rubbish');
  expect(await pinTool(pins, 'k', 'read', parts)).toEqual(['description', 'inputSchema']);
});

it('the digest of a tool is that of its description and its schema, and of nothing else', async () => {
  const tool = { kind: 'function', description: 'Reads.', inputSchema: () => ({ type: 'object' }) } as const;
  const digest = await toolDigest(tool);
  expect(await toolDigest({ ...tool, kind: 'mcp' })).toBe(digest);
  expect(await toolDigest({ ...tool, description: 'Sends.' })).not.toBe(digest);
  expect(await toolDigest({ ...tool, inputSchema: () => ({ type: 'array' }) })).not.toBe(digest);
  expect(await toolDigest({ kind: 'function' })).toBe(await toolDigest(undefined));
});
