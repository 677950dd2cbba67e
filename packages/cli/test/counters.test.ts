import { expect, test } from 'vitest';
import { workspace } from './program.ts';

const common = { session_id: 's1', transcript_path: '', cwd: '/', permission_mode: 'default' };
const calls = (id: string, session = 's1') => ({
  ...common,
  session_id: session,
  hook_event_name: 'PreToolUse',
  tool_name: 'WebSearch',
  tool_use_id: id,
  tool_input: { query: id },
});

test.each([
  ['rate_limit', '{ window_ms: 3600000, tool_calls: 2 }'],
  ['limits', '{ per_session: { tool_calls: 2 } }'],
])('`hooks run`: %s of a file counts over the processes of a session', async (name, args) => {
  const policy = `hooks:\n  before_tool_call:\n    - { type: builtin, command: ${name}, args: ${args} }\n`;
  const { asHook, trust } = workspace({ 'hooks.yaml': policy });
  await trust('hooks.yaml', policy);
  const run = (event: object) => asHook(event, '--as', 'claude-code', '--file', 'hooks.yaml');
  for (const id of ['a', 'b']) expect((await run(calls(id))).stdout).not.toContain('deny');
  expect((await run(calls('c'))).stdout).toContain('deny');
  expect((await run(calls('d', 's2'))).stdout).not.toContain('deny');
});
