import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DIALECTS, readHookFile } from '../src/index.ts';
import { harness } from './harness.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);

describe('the README', () => {
  test('its files are right', () => {
    expect(blocks).toHaveLength(2);
    for (const text of blocks)
      expect(readHookFile(text, 'README.md')).toMatchObject({ issues: [], notices: [] });
  });

  test('its first hook blocks what it says, and only that', async () => {
    const { call } = await harness(parse(blocks[0] ?? ''));
    expect(await call('bash', { command: 'git push --force' })).toMatchObject({
      status: 'blocked',
      reason: 'Pushing with --force is not allowed here; push without it.',
    });
    expect(await call('bash', { command: 'git push' })).toMatchObject({ status: 'ok' });
  });

  test('it names every event', () => {
    for (const event of Object.keys(DIALECTS.hooks.events)) expect(readme).toContain(`\`${event}\``);
  });
});
