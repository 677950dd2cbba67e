// The guards judge the tools that rules of a file mean in each agent.
import { expandNames } from '@hooks/config/protocol';
import { expect, test } from 'vitest';
import { harness } from './harness.ts';

const guard = (command: string) => ({ hooks: { before_tool_call: [{ type: 'builtin', command }] } });

/** The tools that a word means in all agents. `search` is also a word that no agent has as a tool. */
function toolsOf(word: string): readonly string[] {
  const names = expandNames(word).match(/[\w-]+/g) ?? [];
  expect(names).not.toEqual([]);
  return names.filter((name) => name !== 'search');
}

test.each(['shell', 'exec', 'Monitor', 'PowerShell'])(
  'command_safety judges what runs in each tool that %s means',
  async (word) => {
    const { call } = await harness(guard('command_safety'));
    const command = 'rm -rf ~';
    const missed: string[] = [];
    for (const name of toolsOf(word)) {
      const { status } = await call(name, { command, input: command, chars: command });
      if (status !== 'blocked') missed.push(name);
    }
    expect(missed).toEqual([]);
  },
);

test.each(['read', 'write', 'edit', 'search', 'Delete'])(
  'sensitive_paths judges the path of each tool that %s means',
  async (word) => {
    const { call } = await harness(guard('sensitive_paths'));
    const missed: string[] = [];
    for (const name of toolsOf(word))
      for (const argument of ['path', 'file_path', 'filePath', 'notebook_path']) {
        const { status } = await call(name, { [argument]: '/w/.env' });
        if (status !== 'blocked') missed.push(`${name}.${argument}`);
      }
    expect(missed).toEqual([]);
  },
);

test('sensitive_paths judges each file that one call of VS Code edits', async () => {
  const { call } = await harness(guard('sensitive_paths'));
  const edits = (filePath: string) => ({
    explanation: 'It names .env',
    replacements: [{ filePath, oldString: '.env', newString: '.env' }],
  });
  expect(await call('multi_replace_string_in_file', edits('/w/a.ts'))).toMatchObject({ status: 'ok' });
  expect(await call('multi_replace_string_in_file', edits('/w/.env'))).toMatchObject({ status: 'blocked' });
});

test('command_safety lets Monitor watch a WebSocket', async () => {
  const { call } = await harness(guard('command_safety'));
  expect(await call('Monitor', { ws: { url: 'wss://example.com' } })).toMatchObject({ status: 'ok' });
});
