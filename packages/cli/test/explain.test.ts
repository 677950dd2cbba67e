import { afterEach, expect, test, vi } from 'vitest';
import { workspace } from './program.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const decided = (json: object) => `{type: command, command: 'echo ''${JSON.stringify(json)}'''}`;

const file = `hooks:
  before_tool_call:
    - {type: command, name: quiet, command: 'true'}
    - {type: command, name: broken, command: exit 1}
    - {type: command, name: lax, command: exit 1, on_error: ignore}
    - ${decided({ continue: false, stop_reason: 'that ends it' }).replace('{', '{name: ends, ')}
    - ${decided({ hook_specific_output: { permission_decision: 'ask', permission_decision_reason: 'a person' } }).replace('{', '{name: asks, ')}
  stop:
    - ${decided({ decision: 'block', reason: 'run the tests' }).replace('{', '{name: again, ')}
`;

const shell = { hook_event_name: 'before_tool_call', tool_name: 'shell', tool_input: { cmd: 'ls' } };

async function explain(event: object): Promise<readonly (readonly string[])[]> {
  const { cli, trust } = workspace({ 'hooks.yaml': file, 'event.json': JSON.stringify(event) });
  await trust('hooks.yaml', file);
  const { stdout } = await cli('explain', 'event.json', '--file', 'hooks.yaml');
  return stdout.split('\n').map((line) => line.split(/ {2,}/));
}

test('explain shows the decision and reason of each hook, in the order of the file', async () => {
  expect(await explain(shell)).toEqual([
    ['', 'hook', 'type', 'says', 'why'],
    ['1', 'quiet', 'command', 'proceed'],
    ['2', 'broken', 'command', 'failed, and blocks', expect.stringContaining('exit code 1')],
    ['3', 'lax', 'command', 'failed, and is passed over', expect.stringContaining('exit code 1')],
    ['4', 'ends', 'command', 'block, and stop', 'that ends it'],
    ['5', 'asks', 'command', 'ask', 'a person'],
    [''],
  ]);
});

test('explain shows the output of a failed hook, without characters that deceive a terminal', async () => {
  const broken = `hooks:
  before_tool_call:
    - {type: command, name: broken, command: 'printf "no jq\\n\\033[2Jhere" >&2; exit 1'}
`;
  const { cli, trust } = workspace({ 'hooks.yaml': broken, 'event.json': JSON.stringify(shell) });
  await trust('hooks.yaml', broken);

  const { stdout } = await cli('explain', 'event.json', '--file', 'hooks.yaml');
  const json = await cli('explain', 'event.json', '--file', 'hooks.yaml', '--json');

  expect(stdout).toMatch(/^broken printed:\n {2}no jq\n {2}.*here$/m);
  expect(stdout).not.toContain('\u001b');
  expect(JSON.parse(json.stdout)).toMatchObject([{ printed: expect.stringContaining('no jq') }]);
});

test('explain shows a refused stop', async () => {
  expect(await explain({ hook_event_name: 'stop', response: 'done' })).toContainEqual([
    '1',
    'again',
    'command',
    'retry',
    'run the tests',
  ]);
});

test('explain shows that no hook runs', async () => {
  expect(await explain({ hook_event_name: 'session_end' })).toEqual([['no hook runs for this event'], ['']]);
});
