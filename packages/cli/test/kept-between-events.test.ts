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

// The same guards in a TypeScript policy, also behind a provider of its own, and a hook that says so itself.
test.each([
  ['limits({ perSession: { toolCalls: 1 } })', 'it counts in one process; give it a store'],
  ['limits({ perTool: { WebSearch: { perKey: { toolCalls: 1 } } } })', 'it counts in one process'],
  [
    'limits({ perRun: { timeMs: 1 }, perSession: { toolCalls: 9 }, store })',
    'timeMs is measured by one process',
  ],
  ['rateLimit({ windowMs: 60_000, toolCalls: 1 })', 'it counts in one process; give it a store'],
  ['concurrency({ toolCalls: 1 })', 'it counts in one process; give it a store'],
  ['loopDetection({ identicalCalls: 2 })', 'it counts in one process; use limits'],
  ['snapshot()', 'it compares the files within one process'],
  ["injection({ found: 'flag' })", 'the flag of a session is in one process; give it a store'],
  ["injection({ found: 'no-tools' })", 'the flag of a session is in one process; give it a store'],
])(
  '`hooks run` refuses what a TypeScript policy would forget between two events: %s',
  async (guard, reason) => {
    for (const provider of [guard, `{ name: 'acme', register: (hooks) => ${guard}.register(hooks) }`]) {
      const { asHook, trust } = policyOf(provider);
      await trust();
      const { stdout } = await asHook(call, '--as', 'claude-code', '--policy', 'policy.mjs');
      expect(stdout).toContain('deny');
      expect(stdout).toContain(reason);
    }
  },
);

test.each([
  'limits({ perSession: { toolCalls: 1 }, store })',
  "rateLimit({ windowMs: 60_000, toolCalls: 1, key: () => 'all', store })",
])('`hooks run`: what a TypeScript policy keeps in a store holds in the next process: %s', async (guard) => {
  const { asHook, trust } = policyOf(guard);
  await trust();
  const run = (id: string) =>
    asHook({ ...call, tool_use_id: id }, '--as', 'claude-code', '--policy', 'policy.mjs');
  expect((await run('a')).stdout).not.toContain('deny');
  expect((await run('b')).stdout).toContain('deny');
});

test('a module in a file is refused, too, if it forgets between two events', async () => {
  const policy = 'hooks:\n  before_tool_call:\n    - { type: module, path: ./policy.mjs }\n';
  const { asHook, trust } = policyOf('loopDetection()', { 'hooks.yaml': policy });
  await trust();
  const { stdout } = await asHook(call, '--as', 'claude-code', '--file', 'hooks.yaml');
  expect(stdout).toContain('deny');
  expect(stdout).toContain('it counts in one process');
});

/** A workspace with a policy in TypeScript. */
function policyOf(provider: string, files: Readonly<Record<string, string>> = {}) {
  const module = `import { concurrency, injection, limits, loopDetection, rateLimit, snapshot } from '@hooks/guards';
    import { sqliteStore } from '@hooks/store/sqlite';
    const store = sqliteStore(import.meta.dirname + '/counts.db');
    export default ${provider};`;
  const all = { 'policy.mjs': module, ...files };
  const place = workspace(all);
  const trust = async (): Promise<void> => {
    for (const [path, text] of Object.entries(all)) await place.trust(path, text);
  };
  return { asHook: place.asHook, trust };
}
