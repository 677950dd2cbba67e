import { describe, expect, test } from 'vitest';
import { type DialectName, formatIssue, readHookFile } from '../src/index.ts';
import { harness } from './harness.ts';

/*
 * Real shapes of hook files, with the outcome that the file's own agent gives to each line. A line that is neither an
 * entry nor an issue nor a notice was dropped in silence.
 */

const deny = 'echo "not here" >&2; exit 2';
const json = (answer: object) => `printf '%s' '${JSON.stringify(answer)}'`;
const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more });

interface Line {
  readonly what: string;
  readonly dialect: DialectName;
  readonly file: object;
  readonly tool: string;
  readonly input: object;
  readonly ends: 'blocked' | 'ok' | 'asked';
  /** What ran. */
  readonly ran?: object;
}

const claude = (matcher: string, hook: object) => ({ hooks: { PreToolUse: [{ matcher, hooks: [hook] }] } });
const gemini = (matcher: string, hook: object) => ({ hooks: { BeforeTool: [{ matcher, hooks: [hook] }] } });
const docker = (matcher: string, hook: object) => ({ hooks: { pre_tool_use: [{ matcher, hooks: [hook] }] } });
const cursor = (event: string, hook: object) => ({ version: 1, hooks: { [event]: [hook] } });
const specific = (answer: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...answer } });

const bash = { tool: 'shell', input: { command: 'ls' } };

const lines: readonly Line[] = [
  { what: 'exit 2', dialect: 'claude-code', file: claude('Bash', command(deny)), ...bash, ends: 'blocked' },
  {
    what: 'a list of names',
    dialect: 'claude-code',
    file: claude('Edit|Write', command(deny)),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'ask',
    dialect: 'claude-code',
    file: claude('*', command(json(specific({ permissionDecision: 'ask' })))),
    ...bash,
    ends: 'asked',
  },
  {
    what: 'updatedInput',
    dialect: 'claude-code',
    file: claude('Bash', command(json(specific({ updatedInput: { command: 'pwd' } })))),
    ...bash,
    ends: 'ok',
    ran: { command: 'pwd' },
  },
  { what: 'exit 2', dialect: 'codex', file: claude('^Bash$', command(deny)), ...bash, ends: 'blocked' },
  {
    what: 'a matcher of files',
    dialect: 'codex',
    file: claude('apply_patch', command(deny)),
    tool: 'write_file',
    input: { path: 'a', content: '' },
    ends: 'blocked',
  },
  {
    what: 'deny with a reason',
    dialect: 'codex',
    file: claude('', command(json(specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' })))),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'allow alone, which Codex does not carry out',
    dialect: 'codex',
    file: claude('', command(json(specific({ permissionDecision: 'allow' })))),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'exit 2',
    dialect: 'gemini',
    file: gemini('run_shell_.*', command(deny)),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'allow',
    dialect: 'gemini',
    file: gemini('.*', command(json({ decision: 'allow' }))),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'a matcher anywhere in the name',
    dialect: 'gemini',
    file: gemini('shell', command(deny)),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a merged input',
    dialect: 'gemini',
    file: gemini('', command(json({ hookSpecificOutput: { tool_input: { description: 'x' } } }))),
    ...bash,
    ends: 'ok',
    ran: { command: 'ls', description: 'x' },
  },
  {
    what: 'decision: block',
    dialect: 'docker-agent',
    file: docker('shell', command(json({ decision: 'block', reason: 'no' }))),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a failed hook',
    dialect: 'docker-agent',
    file: docker('shell', command('exit 1')),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a rule that denies',
    dialect: 'docker-agent',
    file: { permissions: { deny: ['shell:cmd=ls*'] } },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'no rule',
    dialect: 'docker-agent',
    file: { permissions: { allow: ['read_file'] } },
    ...bash,
    ends: 'asked',
  },
  {
    what: 'exit 2',
    dialect: 'ai4j',
    file: { hooks: { preToolUse: [{ command: deny, match: 'bash' }] } },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a refusal of shell commands',
    dialect: 'cursor',
    file: cursor('beforeShellExecution', { command: json({ permission: 'deny' }) }),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a refusal of MCP tools',
    dialect: 'cursor',
    file: cursor('beforeMCPExecution', { command: json({ permission: 'deny' }) }),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'a denial',
    dialect: 'copilot',
    file: cursor('preToolUse', { type: 'command', bash: json({ permissionDecision: 'deny' }) }),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a non-zero exit',
    dialect: 'copilot',
    file: cursor('preToolUse', { type: 'command', bash: 'exit 3', timeoutSec: 5 }),
    ...bash,
    ends: 'blocked',
  },
];

test.each(lines)('$dialect: $what ends as $ends', async ({ dialect, file, tool, input, ends, ran }) => {
  const loaded = await harness(file, { dialect });
  let asked = false;
  const { status } = await loaded.call(tool, input, undefined, {
    approval: () => {
      asked = true;
      return { decision: 'allow' };
    },
  });
  expect(asked ? 'asked' : status).toBe(ends);
  if (ran !== undefined) expect(loaded.ran).toEqual([ran]);
});

/** The names of all events of each dialect's original program, and one of another. */
describe('no line of a file is dropped in silence', () => {
  const events = {
    'claude-code': ['PreToolUse', 'PostToolBatch', 'WorktreeCreate', 'BeforeTool', 'Novel'],
    codex: ['PreToolUse', 'Interrupt', 'PreModelRequest', 'PostToolUseFailure', 'Novel'],
    gemini: ['BeforeTool', 'BeforeToolSelection', 'PreToolUse', 'Novel'],
    'docker-agent': ['pre_tool_use', 'worktree_create', 'PreToolUse', 'novel'],
    ai4j: ['preToolUse', 'PreToolUse', 'novel'],
    cursor: ['preToolUse', 'beforeTabFileRead', 'PreToolUse', 'novel'],
    copilot: ['preToolUse', 'PreToolUse', 'novel'],
    hooks: ['before_tool_call', 'PreToolUse', 'novel'],
  } as const satisfies Record<DialectName, readonly string[]>;

  const names = Object.entries(events).flatMap(([dialect, all]) =>
    all.map((event) => ({ dialect: dialect as DialectName, event })),
  );
  test.each(names)('$event in $dialect', ({ dialect, event }) => {
    const hook = dialect === 'ai4j' ? { command: 'x' } : command('x');
    const file = readHookFile(JSON.stringify({ hooks: { [event]: [hook] } }), 'x.yaml', dialect);
    const said = [...file.issues, ...file.notices].map(formatIssue);
    expect(file.entries.length > 0 || said.some((text) => text.includes(event))).toBe(true);
  });
});
