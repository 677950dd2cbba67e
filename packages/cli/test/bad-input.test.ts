import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readOptions } from '../src/commands/run.ts';
import { workspace } from './program.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('an error of the system is reported in one line', () => {
  test.each([
    ['init', 'no/such/folder/hooks.yaml'],
    ['install', '--for', 'claude-code', '--settings', '.'],
    ['uninstall', '--for', 'claude-code', '--settings', '.'],
    ['trust', 'unreadable', '--yes'],
    ['list', 'unreadable'],
    ['explain', 'event.json', '--file', 'unreadable'],
  ])('%s %s', async (...args) => {
    const { cli, dir } = workspace({ 'event.json': '{}' });
    mkdirSync(join(dir, 'unreadable', 'hooks.yaml'), { recursive: true });
    const { code, stdout, stderr } = await cli(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^hooks: .*(no such folder|EISDIR|is no regular file).*\n$/);
  });
});

test('characters that deceive a terminal are removed from displayed text', async () => {
  const esc = String.fromCharCode(27);
  const name = `${esc}[2J${esc}]0;owned${String.fromCharCode(7)}good\nlooks`;
  const { cli } = workspace({
    'hooks.yaml': JSON.stringify({ hooks: { stop: [{ type: 'command', command: 'true', name }] } }),
    'wrong.yaml': JSON.stringify({ hooks: { [`${esc}[31mred`]: [] } }),
    'settings.json': JSON.stringify({ hooks: { Stop: [], [`${esc}[31mred`]: [] } }),
  });
  const shown = await Promise.all([
    cli('list', 'hooks.yaml'),
    cli('list', 'wrong.yaml'),
    cli('validate', 'wrong.yaml'),
    cli('validate', 'settings.json'),
    cli('config', 'migrate', 'settings.json'),
  ]);
  for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain(`${esc}[31mred`);
  expect(shown[0]?.stdout).toMatch(/good looks/);
  expect(shown[0]?.stdout).not.toContain(esc);
});

test('an event without a name is reported', async () => {
  const { cli, trust } = workspace({ 'hooks.yaml': 'hooks: {}', 'event.json': '{"tool_name":"shell"}' });
  await trust('hooks.yaml', 'hooks: {}');
  expect(await cli('explain', 'event.json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it has no hook_event_name; expected one of: session_start'),
  });
});

test.each([
  ['mcp', '--policy', 'strict.yaml', '--policy', 'hooks.yaml', '--', 'true'],
  ['mcp', '--hide', 'a', '--hide', 'b', '--', 'true'],
  ['mcp', '--pin=a', '--pin=b', '--', 'true'],
  ['explain', 'event.json', '--file', 'a', '--file', 'b'],
  ['mcp', 'install', '--for', 'codex', '--policy', 'a', '--policy', 'b'],
  ['journal', 'export', '--session', 'a', '--session', 'b'],
])('an option that is given twice is refused: %s', async (...args) => {
  const { cli } = workspace({});
  const { code, stderr } = await cli(...args);
  expect(code).toBe(2);
  expect(stderr).toContain('is given twice');
});

test('hooks run refuses an option that is given twice', () => {
  expect(() => readOptions(['--as', 'codex', '--as=gemini', '--file', 'strict.yaml'])).toThrow(
    '--as is given twice',
  );
});
