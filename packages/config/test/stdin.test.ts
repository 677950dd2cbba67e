import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DIALECTS, type DialectName } from '../src/index.ts';
import { harness } from './harness.ts';
import { dispatchAll } from './samples.ts';

/** A file of the dialect with a hook on each event, each of which writes down what it reads. */
const recorders: Record<DialectName, (wireEvent: string) => object> = {
  hooks: (wireEvent) => ({ type: 'command', command: record(wireEvent) }),
  'docker-agent': (wireEvent) => ({ type: 'command', command: record(wireEvent) }),
  'claude-code': (wireEvent) => ({ hooks: [{ type: 'command', command: record(wireEvent) }] }),
  ai4j: (wireEvent) => ({ command: record(wireEvent) }),
};

const record = (wireEvent: string) => `cat >> ${wireEvent}.jsonl; echo >> ${wireEvent}.jsonl`;

test.each(Object.keys(recorders) as DialectName[])(
  'the stdin of every event is as recorded, in %s',
  async (dialect) => {
    const events = Object.keys(DIALECTS[dialect].events);
    const source = { hooks: Object.fromEntries(events.map((name) => [name, [recorders[dialect](name)]])) };
    const { hooks, dir, errors } = await harness(source, { dialect });
    await dispatchAll(hooks);
    expect(errors).toEqual([]);

    const read = Object.fromEntries(events.map((name) => [name, linesOf(join(dir, `${name}.jsonl`), dir)]));
    const text = `${JSON.stringify(read, undefined, 2)}\n`;
    expect(text).not.toContain('never');
    await expect(text).toMatchFileSnapshot(`./fixtures/stdin-${dialect}.json`);
  },
);

function linesOf(path: string, dir: string): unknown[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').replaceAll(dir, '/workspace').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}
