import { expect, test } from 'vitest';
import { workspace } from './program.ts';

const call = {
  session_id: 's1',
  transcript_path: '',
  cwd: '/',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'WebSearch',
  tool_use_id: 'a',
  tool_input: { query: 'a' },
};

const builtin = (event: string, command: string, args: string) =>
  `hooks:\n  ${event}:\n    - { type: builtin, command: ${command}, args: ${args} }\n`;

// Each would let every call pass, because each event is a process.
test.each([
  [
    builtin('before_tool_call', 'limits', '{ per_session: { time_ms: 1 } }'),
    'time_ms is measured by one process',
  ],
  [
    builtin(
      'before_tool_call',
      'limits',
      '{ per_run: { tool_calls: 9 }, per_key: { time_ms: 1 }, store: a.db }',
    ),
    'time_ms is measured by one process',
  ],
  [builtin('before_tool_call', 'loop_detection', '{ identical_calls: 2 }'), 'it counts in one process'],
  [builtin('before_tool_call', 'snapshot', '[]'), 'it compares the files within one process'],
  [
    builtin('transform_tool_result', 'injection', '{ found: flag }'),
    'the flag is for hooks of the same process',
  ],
])('`hooks run` refuses what it would forget between two events: %s', async (policy, reason) => {
  const { asHook, trust, cli } = workspace({ 'hooks.yaml': policy });
  await trust('hooks.yaml', policy);
  const { stdout } = await asHook(call, '--as', 'claude-code', '--file', 'hooks.yaml');
  expect(stdout).toContain('deny');
  expect(stdout).toContain(reason);
  expect(stdout).toContain('hooks.yaml:3');
  const validated = await cli('validate', 'hooks.yaml');
  expect(validated.code).toBe(0);
  expect(validated.stdout + validated.stderr).toContain(reason);
});
