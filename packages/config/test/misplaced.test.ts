import { describe, expect, test } from 'vitest';
import { type DialectName, formatIssue, readHookFile } from '../src/index.ts';
import { harness, prints } from './harness.ts';

const gates: Readonly<Record<Exclude<DialectName, 'hooks' | 'ai4j'>, (hook: object) => object>> = {
  'docker-agent': (hook) => ({ hooks: { pre_tool_use: [hook] } }),
  'claude-code': (hook) => ({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
  codex: (hook) => ({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
  gemini: (hook) => ({ hooks: { BeforeTool: [{ hooks: [hook] }] } }),
  cursor: (hook) => ({ version: 1, hooks: { preToolUse: [hook] } }),
  copilot: (hook) => ({ version: 1, hooks: { preToolUse: [hook] } }),
};
const dialects = Object.keys(gates) as (keyof typeof gates)[];

/** Refusals of some dialect. Each dialect refuses as well, or its hook has failed. */
const refusals: readonly object[] = [
  { permissionDecision: 'deny' },
  { permission_decision: 'deny' },
  { permission: 'deny' },
  { behavior: 'deny' },
  { hookSpecificOutput: { permissionDecision: 'deny' } },
  { hook_specific_output: { permission_decision: 'deny' } },
  { hookSpecificOutput: { decision: 'deny' } },
  { hookSpecificOutput: { continue: false } },
];

describe.each(dialects)('in %s', (dialect) => {
  test.each(refusals)('no refusal in a form of another dialect passes: %j', async (answer) => {
    const { call } = await harness(gates[dialect](prints(answer)), { dialect });
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked', ran: false });
  });

  test('a change of the input in a form of another dialect does not pass', async () => {
    for (const answer of [{ updatedInput: {} }, { updated_input: {} }, { modifiedArgs: {} }]) {
      const { call } = await harness(gates[dialect](prints(answer)), { dialect });
      const { status, ran } = await call('shell', { cmd: 'ls' });
      const itsOwn =
        (dialect === 'cursor' && 'updated_input' in answer) ||
        (dialect === 'copilot' && 'modifiedArgs' in answer);
      expect([answer, status, ran]).toEqual([answer, itsOwn ? 'ok' : 'blocked', itsOwn]);
    }
  });

  test('an allow in a form of another dialect has no effect', async () => {
    if (dialect === 'codex') return; // Codex knows no field that it does not have.
    const { call } = await harness(gates[dialect](prints({ behavior: 'allow' })), { dialect });
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'ok' });
  });

  test.each(['on_error', 'failClosed', 'match', 'if', 'working_dir', 'timeoutSec', 'onFailure'])(
    'the field %s is honoured or refused by name',
    (field) => {
      const value =
        { failClosed: true, timeoutSec: 5 }[field] ?? (field === 'on_error' ? 'block' : 'continue');
      const hook = { type: 'command', command: 'x', [field]: value };
      const { entries, issues } = readHookFile(JSON.stringify(gates[dialect](hook)), 'x.yaml', dialect);
      if (issues.length === 0) {
        const { handler: without } = readHookFile(
          JSON.stringify(gates[dialect]({ type: 'command', command: 'x' })),
          'x.yaml',
          dialect,
        ).entries[0] ?? { handler: undefined };
        expect(entries[0]?.handler).not.toEqual(without);
      } else expect(issues.map(formatIssue).join()).toContain(field);
    },
  );
});

describe('"matcher" in a file of ai4j, whose field is "match",', () => {
  const file = { hooks: { preToolUse: [{ command: 'python guard.py', matcher: 'bash' }] } };

  test('does not make it a file of Cursor: both names are given', () => {
    const { issues } = readHookFile(JSON.stringify(file), 'workspace.json');
    expect(issues.map(formatIssue)).toEqual([expect.stringMatching(/ai4j.*"match".*cursor.*"version"/)]);
  });

  test('is refused where the dialect is named', () => {
    const { issues } = readHookFile(JSON.stringify(file), 'workspace.json', 'ai4j');
    expect(issues.map(formatIssue)).toEqual([expect.stringContaining('hooks.preToolUse[0].matcher')]);
  });
});

test('a group’s "match" and a hook’s "matcher" are refused in Claude Code’s dialect', () => {
  const command = { type: 'command', command: 'x' };
  for (const item of [{ match: 'Bash', hooks: [command] }, { hooks: [{ ...command, matcher: 'Bash' }] }]) {
    const { issues } = readHookFile(JSON.stringify({ hooks: { PreToolUse: [item] } }), 'settings.json');
    expect(issues.map(formatIssue)).toEqual([expect.stringMatching(/\.match(?:er)?: /)]);
  }
});

describe('in our own dialect, what has no effect where it stands is refused:', () => {
  const command = { type: 'command', command: 'x' };
  test.each<[what: string, hooks: object, path: string]>([
    [
      'a matcher of an event without tools',
      { stop: [{ matcher: 'x', hooks: [command] }] },
      'hooks.stop[0].matcher',
    ],
    [
      '"on_error: block" where nothing can be refused',
      { turn_start: [{ ...command, on_error: 'block' }] },
      'hooks.turn_start[0].on_error',
    ],
    [
      'the same in a group',
      { session_end: [{ hooks: [{ ...command, on_error: 'block' }] }] },
      'hooks.session_end[0].hooks[0].on_error',
    ],
  ])('%s', (_, hooks, path) => {
    expect(readHookFile(JSON.stringify({ hooks }), 'hooks.json').issues).toMatchObject([{ path }]);
  });

  test('a matcher that matches everything is taken', () => {
    const hooks = {
      stop: [{ matcher: '*', hooks: [command] }],
      turn_start: [{ matcher: '', hooks: [command] }],
    };
    expect(readHookFile(JSON.stringify({ hooks }), 'hooks.json').issues).toEqual([]);
  });
});

test.each([
  '{"hooks": {"__proto__": [{"type": "command", "command": "exit 2"}]}}',
  '{"agents": {"__proto__": {"hooks": {"pre_tool_use": [{"type": "command", "command": "exit 2"}]}}}}',
  '{"hooks": {"stop": [{"type": "command", "command": "x", "env": {"__proto__": "1"}}]}}',
])('the name __proto__ is refused, because what stands under it would be lost: %s', (text) => {
  expect(readHookFile(text, 'hooks.json').issues.map(formatIssue)).toEqual([
    expect.stringContaining('__proto__: it cannot be a name here'),
  ]);
});
