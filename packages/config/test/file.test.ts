import { describe, expect, test } from 'vitest';
import { formatIssue, readHookFile } from '../src/index.ts';

const read = (text: string, dialect?: Parameters<typeof readHookFile>[2]) =>
  readHookFile(text, 'hooks.yaml', dialect);
const issuesOf = (text: string, dialect?: Parameters<typeof readHookFile>[2]) =>
  read(text, dialect).issues.map(formatIssue);

describe('an error in a file says what is wrong, where, and what was expected', () => {
  test.each<[string, string, string[]]>([
    [
      'a misspelt event',
      'hooks:\n  before_tool_cal:\n    - type: command\n      command: x\n',
      ['hooks.yaml:2:3: hooks.before_tool_cal: unknown event; did you mean "before_tool_call"?'],
    ],
    [
      "another dialect's event among ours",
      'hooks:\n  before_tool_call: []\n  before_run: []\n  PreToolUse: []\n',
      ['hooks.yaml:4:3: hooks.PreToolUse: unknown event; did you mean "before_tool_call"?'],
    ],
    [
      'a misspelt field',
      'hooks:\n  before_run:\n    - type: command\n      command: x\n      timout: 3\n',
      ['hooks.yaml:5:7: hooks.before_run[0].timout: unknown field; did you mean "timeout"?'],
    ],
    [
      'a field of the wrong type',
      'hooks:\n  before_run:\n    - type: command\n      command: x\n      timeout: 30s\n',
      ['hooks.yaml:5:16: hooks.before_run[0].timeout: expected a number'],
    ],
    [
      'a field that is missing',
      'hooks:\n  before_run:\n    - type: command\n      name: x\n',
      ['hooks.yaml:3:7: hooks.before_run[0].command: expected a line for the shell'],
    ],
    [
      'an unknown type',
      'hooks:\n  before_tool_call:\n    - matcher: x\n      hooks:\n        - {type: comand, command: x}\n',
      [
        'hooks.yaml:5:18: hooks.before_tool_call[0].hooks[0].type: unknown hook type "comand"; did you mean "command"?',
      ],
    ],
    [
      'no type',
      'hooks:\n  before_run:\n    - command: x\n',
      [
        'hooks.yaml:3:7: hooks.before_run[0]: the hook has no type; expected one of: command, http, model, builtin, module',
      ],
    ],
    [
      'an invalid matcher',
      'hooks:\n  before_tool_call:\n    - matcher: "shell("\n      hooks: []\n',
      ['hooks.yaml:3:16: hooks.before_tool_call[0].matcher: not a regular expression'],
    ],
    [
      'a value instead of a list',
      'hooks:\n  before_run: {type: command}\n',
      ['hooks.yaml:2:15: hooks.before_run: expected a list'],
    ],
    [
      'an unknown key at the top',
      'hook:\n  before_run: []\n',
      ['hooks.yaml:1:1: hook: unknown field; did you mean "hooks"?'],
    ],
    ['invalid YAML', 'hooks:\n  - a: [1\n', ['hooks.yaml:3:1: ']],
    [
      'a key twice',
      'hooks:\n  stop: []\n  stop: []\n',
      ['hooks.yaml:3:3: a key stands twice in a map; keep one'],
    ],
    [
      'a key twice, one of them as an alias',
      'hooks:\n  &key stop: []\n  *key : []\n',
      ['hooks.yaml:3:3: a key has to be a text: no alias, list or map'],
    ],
    [
      'keys that are lists or maps',
      'hooks:\n  ? [stop]\n  : []\n  ? {stop: 1}\n  : []\n',
      [
        'hooks.yaml:2:5: a key has to be a text: no alias, list or map',
        'hooks.yaml:4:5: a key has to be a text: no alias, list or map',
      ],
    ],
    [
      'a merge of something else than maps',
      'hooks:\n  <<: 5\n  stop: []\n',
      ['hooks.yaml:1:1: a merge (<<) takes maps only'],
    ],
    [
      'a blank command, which would pass every gate',
      'hooks:\n  before_run:\n    - {type: command, command: " "}\n',
      ['hooks.yaml:3:32: hooks.before_run[0].command: expected a command'],
    ],
    [
      'an address with another protocol or a password, which the error does not repeat',
      'hooks:\n  before_run:\n    - {type: http, url: "file:///x"}\n    - {type: http, url: "http://ann:pw@x/"}\n',
      [
        'hooks.yaml:3:25: hooks.before_run[0].url: expected an http or https address',
        'hooks.yaml:4:25: hooks.before_run[1].url: an address must not contain a user or password; send them in a header',
      ],
    ],
    [
      'an invalid variable',
      'hooks:\n  stop:\n    - {type: command, command: x, env: {"A=B": c, D: "a\\0b", E: [1]}}\n',
      [
        'hooks.yaml:3:41: hooks.stop[0].env: expected the name of a variable',
        'hooks.yaml:3:54: hooks.stop[0].env.D: a variable must not contain a NUL character',
        'hooks.yaml:3:65: hooks.stop[0].env.E: expected text',
      ],
    ],
    ['nothing', ' \n', ['hooks.yaml:1:1: the file is empty; expected hooks (or "hooks: {}" for none)']],
    [
      'comments alone',
      '# hooks:\n#   stop: []\n',
      ['hooks.yaml:1:1: the file is empty; expected hooks (or "hooks: {}" for none)'],
    ],
    ['a text', 'just words', ['hooks.yaml:1:1: expected a map']],
    [
      'two problems',
      'hooks:\n  before_run:\n    - {type: command, command: x, a: 1}\n    - {type: http, url: nope}\n',
      [
        'hooks.yaml:3:35: hooks.before_run[0].a: unknown field',
        'hooks.yaml:4:25: hooks.before_run[1].url: expected an http or https address',
      ],
    ],
  ])('%s', (_, text, expected) => {
    const issues = issuesOf(text);
    expect(issues).toHaveLength(expected.length);
    for (const [index, start] of expected.entries())
      expect(issues[index]?.slice(0, start.length)).toBe(start);
  });

  test('an error in JSON has its position', () => {
    const text = '{\n  "hooks": {\n    "before_run": [{ "type": "command", "command": 5 }]\n  }\n}\n';
    expect(issuesOf(text)).toEqual([
      expect.stringMatching(/^hooks\.yaml:3:52: hooks\.before_run\[0\]\.command: /),
    ]);
  });

  test('an error in the file of another agent has its position', () => {
    const text =
      'agents:\n  root:\n    hooks:\n      pre_tool_us: []\n      stop:\n        - {type: command, command: x, on_error: maybe}\n';
    expect(issuesOf(text)).toEqual([
      'hooks.yaml:4:7: agents.root.hooks.pre_tool_us: unknown event; did you mean "pre_tool_use"?',
      expect.stringMatching(
        /^hooks\.yaml:6:49: agents\.root\.hooks\.stop\[0\]\.on_error: expected one of: warn, ignore, block$/,
      ),
    ]);
  });
});

describe('the dialect is detected from the shape of the file', () => {
  test.each([
    ['agents: {root: {model: m}}', 'docker-agent'],
    ['hooks: {pre_tool_use: []}', 'docker-agent'],
    ['hooks: {stop: [], on_error: []}', 'docker-agent'],
    ['hooks: {before_tool_call: []}', 'hooks'],
    ['hooks: {session_start: [], stop: []}', 'hooks'],
    ['hooks: {}', 'hooks'],
    ['', 'hooks'],
    ['{"hooks": {"PreToolUse": []}, "permissions": {}}', 'claude-code'],
    ['{"hooks": {"PreTolUse": []}}', 'claude-code'],
    ['{"hooks": {"preToolUse": []}}', 'ai4j'],
    ['{"hooks": {"stop": [], "preCompact": []}}', 'ai4j'],
    ['{"hooks": {"beforeTool": []}}', 'ai4j'],
    ['{"version": 1, "hooks": {"preToolUse": [{"command": "x"}]}}', 'cursor'],
    ['{"version": 1, "hooks": {"stop": [{"command": "x"}]}}', 'cursor'],
    ['{"hooks": {"beforeShellExecution": [{"command": "x"}]}}', 'cursor'],
    ['{"hooks": {"preToolUse": [{"command": "x", "failClosed": true}]}}', 'cursor'],
    ['{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "x"}]}}', 'copilot'],
    ['{"version": 1, "hooks": {"preToolUse": [{"command": "x", "timeoutSec": 5}]}}', 'copilot'],
    ['{"hooks": {"userPromptSubmitted": [{"bash": "x"}]}}', 'copilot'],
    ['{"version": 1, "hooks": {"beforeTool": []}}', 'cursor'],
  ])('%s is %s', (text, dialect) => {
    expect(read(text).dialect.name).toBe(dialect);
  });

  test('the dialect can be set by the caller', () => {
    expect(read('hooks: {stop: []}', 'docker-agent').dialect.name).toBe('docker-agent');
  });
});

test('anchors and merge keys work', () => {
  const { entries, issues } = read(`
base: &base {type: command, timeout: 5}
agents:
  root:
    hooks:
      stop:
        - <<: *base
          command: one
        - {<<: *base, command: two}
`);
  expect(issues).toEqual([]);
  expect(entries.map(({ label, handler }) => [label, handler.timeoutMs])).toEqual([
    ['one', 5000],
    ['two', 5000],
  ]);
});

test.each(['hooks:\n  stop:\n', 'agents:\n  root:\n    hooks:\n      stop:\n'])(
  'a number or a boolean in env is kept as written: %j',
  (above) => {
    const { entries } = read(
      `${above}        - {type: command, command: x, env: {A: 3.10, B: 0777, C: 12345678901234567890, D: True, E: "1"}}\n`,
    );
    expect(entries[0]?.handler).toMatchObject({
      env: { A: '3.10', B: '0777', C: '12345678901234567890', D: 'True', E: '1' },
    });
  },
);

test('aliases that expand without limit are an error, not a hang', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 12; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  expect(issuesOf(lines.join('\n'))).toEqual([expect.stringContaining('alias')]);
});

test('each hook has its position in the file', () => {
  const { entries } = read('hooks:\n  stop:\n    - type: command\n      command: x\n');
  expect(entries[0]?.origin).toEqual({ file: 'hooks.yaml', line: 3, column: 7 });
});

test.each(['false', '0', '""', '', '[]', 'true'])('`hooks: %s` is no policy, and is refused', (value) => {
  const { issues } = readHookFile(`journal: { sink: log }\nhooks: ${value}\n`, 'hooks.yaml');
  expect(issues).toEqual([expect.objectContaining({ path: 'hooks', line: 2 })]);
});

test('of many problems, the first hundred are listed', () => {
  const events = Array.from({ length: 300 }, (_, index) => `  event_${index}: []`);
  const issues = issuesOf(`hooks:\n${events.join('\n')}\n`);
  expect(issues).toHaveLength(101);
  expect(issues.at(-1)).toMatch(/^hooks\.yaml:102:3: there are more, which are not listed$/);
});

test.each([
  ['an alias of the file', 'timeout: &n 3.10, env: {A: *n}'],
  ['an alias of env itself', 'env: {Z: &n 3.10, A: *n}'],
  ['a merged map', 'env: {<<: {A: 3.10}}'],
  ['a list of merged maps', 'env: {<<: [{A: 3.10}, {B: 1}]}'],
  ['a merged alias', 'env: {<<: *m}'],
  ['an alias of the whole env', 'env: *m'],
])('a number in env is kept as written if it comes from %s', (_, field) => {
  const merged = 'type: command, command: first, env: &m {A: 3.10}';
  const { entries, issues } = readHookFile(
    `hooks:\n  before_tool_call:\n    - {${merged}}\n    - {type: command, command: x, ${field}}\n`,
    'hooks.yaml',
  );
  expect(issues).toEqual([]);
  expect(entries.map(({ handler }) => handler)).toEqual([
    expect.objectContaining({ env: expect.objectContaining({ A: '3.10' }) }),
    expect.objectContaining({ env: expect.objectContaining({ A: '3.10' }) }),
  ]);
});

test('a number of env stays a number where another field has it by an alias', () => {
  const { entries, issues } = readHookFile(
    'hooks:\n  stop:\n    - {type: command, command: x, env: {A: &n 10}, timeout: *n}\n',
    'hooks.yaml',
  );
  expect(issues).toEqual([]);
  expect(entries[0]?.handler).toMatchObject({ env: { A: '10' }, timeoutMs: 10_000 });
});
