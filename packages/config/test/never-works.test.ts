// What can never work is an error of the file: a text that no program, shell or server could be given.
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkHooks, coverageOf, type DialectName, formatIssue, readHookFile } from '../src/index.ts';

type Hook = Readonly<Record<string, unknown>>;

/** A file of each dialect with one hook before a tool call. */
const files: Readonly<Record<DialectName, (hook: Hook) => object>> = {
  hooks: (hook) => ({ hooks: { before_tool_call: [hook] } }),
  'docker-agent': (hook) => ({ agents: { root: { hooks: { pre_tool_use: [hook] } } } }),
  'claude-code': (hook) => ({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
  codex: (hook) => ({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
  gemini: (hook) => ({ hooks: { BeforeTool: [{ hooks: [hook] }] } }),
  cursor: (hook) => ({ version: 1, hooks: { preToolUse: [hook] } }),
  copilot: (hook) => ({ version: 1, hooks: { preToolUse: [hook] } }),
  ai4j: ({ type: _, ...hook }) => ({ hooks: { preToolUse: [hook] } }),
};

function problemsOf(dialect: DialectName, hook: Hook): readonly string[] {
  return readHookFile(JSON.stringify(files[dialect](hook)), 'x.json', dialect).issues.map(formatIssue);
}

const command = { type: 'command', command: 'true' };
const http = { type: 'http', url: 'http://127.0.0.1/' };

describe.each(Object.keys(files) as DialectName[])('in a file of %s', (dialect) => {
  test('a command must not contain a NUL character', () => {
    expect(problemsOf(dialect, { ...command, command: 'echo a\0b' })).toEqual([
      expect.stringMatching(/command: .*NUL/),
    ]);
  });
});

test.each<[DialectName, Hook]>([
  ['hooks', { ...command, command: ['true', 'a\0b'] }],
  ['hooks', { ...command, command: [' ', 'x'] }],
  ['hooks', { ...command, working_dir: 'a\0b' }],
  ['docker-agent', { ...command, args: ['a\0b'] }],
  ['docker-agent', { ...command, working_dir: 'a\0b' }],
  ['docker-agent', { type: 'builtin', command: 'add_git_status', working_dir: 'a\0b' }],
  ['claude-code', { ...command, args: ['a\0b'] }],
  ['copilot', { type: 'command', bash: 'a\0b' }],
  ['copilot', { type: 'command', exec: 'a', args: ['a\0b'] }],
  ['copilot', { ...command, cwd: 'a\0b' }],
  ['copilot', { ...command, env: { A: 'a\0b' } }],
  ['gemini', { ...command, env: { 'A=B': 'x' } }],
  ['gemini', { ...command, env: { A: 'a\0b' } }],
  ['hooks', { ...command, env: { '': 'x' } }],
  ['hooks', { ...http, allowed_env_vars: ['$TOKEN'], headers: { a: '$TOKEN' } }],
  ['claude-code', { ...http, allowedEnvVars: ['MY-TOKEN'] }],
  ['copilot', { ...http, allowedEnvVars: [''] }],
  ['hooks', { type: 'model', model: 'openai/x', prompt: 'x', api_key_env: '$KEY' }],
])('in a file of %s this is an error: %j', (dialect, hook) => {
  expect(problemsOf(dialect, hook)).toHaveLength(1);
});

const names = [
  ...['authorization', 'X-Api_Key', 'a b', '', 'ü', 'a:b', 'a\nb', ' a', 'content-length', 'Expect'],
  ...['transfer-encoding', 'upgrade', 'keep-alive', 'host', 'connection', 'a\0b', 'x"y', "x'y|~^`*"],
];
const values = [
  ...[
    'Bearer x',
    '',
    'a\nb',
    'a\r\nx: y',
    'a\0b',
    'trailing\n',
    ' around ',
    'ü',
    '漢',
    'a\tb',
    'a\u007fb',
    '\u0001',
  ],
];

/** Whether a request with this header reaches a server. */
async function isSent(name: string, value: string, url: string): Promise<boolean> {
  try {
    const headers = new Headers();
    headers.set(name, value);
    const signal = AbortSignal.timeout(500);
    await (await fetch(url, { method: 'POST', headers, body: '{"a":1}', signal })).text();
    return true;
  } catch {
    return false;
  }
}

test.each<[DialectName]>([['hooks'], ['claude-code'], ['copilot']])(
  'in a file of %s, exactly the headers that cannot be sent are errors, which do not repeat them',
  async (dialect) => {
    const server = createServer((_, response) => response.end('{}'));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const headers = [
      ...names.map((name) => [name, 'x'] as const),
      ...values.map((value) => ['x-a', value] as const),
    ];
    for (const [name, value] of headers) {
      const problems = problemsOf(dialect, { ...http, headers: { [name]: value } });
      expect([name, value, problems.length === 0]).toEqual([name, value, await isSent(name, value, url)]);
      const said = problems.join().replaceAll(/^.*?headers/g, '');
      for (const text of [name, value]) if (text.length > 3) expect(said).not.toContain(text.trim());
    }
  },
);

test('a header that is given twice, in two cases, is an error', () => {
  expect(problemsOf('hooks', { ...http, headers: { 'X-A': '1', 'x-a': '2' } })).toEqual([
    expect.stringContaining('given twice'),
  ]);
});

test('exactly the variables that no process can have are errors', () => {
  for (const [name, value] of [
    ...['A', 'a b', '1', 'A=B', '', 'A\0', 'ü', '-'].map((name) => [name, 'x'] as const),
    ...['', 'a\nb', 'a\0b', '漢'].map((value) => ['A', value] as const),
  ]) {
    let isTaken = true;
    try {
      // Node itself hides a name that is empty or has a `=`.
      const { stdout } = spawnSync('env', ['-0'], { env: { [name]: value, PATH: process.env['PATH'] } });
      isTaken = !/^$|=/.test(name) && `${stdout}`.split('\0').includes(`${name}=${value}`);
    } catch {
      isTaken = false;
    }
    const problems = problemsOf('hooks', { ...command, env: { [name]: value } });
    expect([name, value, problems.length === 0]).toEqual([name, value, isTaken]);
  }
});

describe('validate', () => {
  const check = async (file: object, env: Readonly<Record<string, string>> = {}) => {
    const read = readHookFile(JSON.stringify(file), 'hooks.json');
    const checked =
      read.issues.length > 0 ? { issues: [], notices: [] } : await checkHooks(read, { cwd: '.', env });
    return {
      issues: [...read.issues, ...checked.issues].map(formatIssue),
      notices: [...read.notices, ...checked.notices].map(formatIssue),
    };
  };

  test.each([
    { journal: { sink: 'postgres://ann:hunter2@db/app' } },
    { journal: { sink: '~/hunter2' } },
    { journal: { sink: '$HUNTER2' } },
    { journal: { sink: 'a\0hunter2' } },
    { journal: { store: 'redis://hunter2@db' } },
    { journal: { store: ':memory:' } },
    { journal: { store: 'hunter2/$' + '{TENANT}.db' } },
    { sandbox: { workspace: { kind: 'copy', path: 'a\0hunter2' } } },
    { sandbox: { read_only: ['/a\0hunter2'] } },
    { flow: { store: 'postgres://hunter2@db/app' } },
    {
      hooks: { turn_start: [{ type: 'builtin', command: 'http_post', args: ['http://hunter2:80:80', 'x'] }] },
    },
    { hooks: { turn_start: [{ type: 'builtin', command: 'add_prompt_files', args: ['a\0hunter2'] }] } },
    { hooks: { turn_start: [{ type: 'builtin', command: 'add_context', args: ['{{ .hunter2 }}'] }] } },
    { hooks: { before_tool_call: [{ type: 'model', model: 'a/b', prompt: '{{ .hunter2 }}' }] } },
  ])('refuses %j, and does not repeat it', async (file) => {
    const { issues } = await check(file);
    expect(issues).toHaveLength(1);
    expect(issues.join()).not.toContain('hunter2');
  });

  test('says which variables of a header are empty', async () => {
    const headers = { authorization: 'Bearer $TOKEN', 'x-a': '${' + 'OTHER}', 'x-b': '$SET' };
    const hook = { ...http, headers, allowed_env_vars: ['TOKEN', 'SET'] };
    const { issues, notices } = await check({ hooks: { before_tool_call: [hook, command] } }, { SET: 'x' });
    expect(issues).toEqual([]);
    expect(notices).toEqual([
      expect.stringMatching(/TOKEN is not set here/),
      expect.stringMatching(/OTHER.*allowed_env_vars/),
    ]);
  });
});

const ours = /Invalid|received|Too (?:big|small)|Unrecognized|>=|<=|✖|→/;

test.each<[object, string]>([
  [{ hooks: 5 }, 'hooks: expected a map'],
  [{ hooks: { stop: 5 } }, 'hooks.stop: expected a list'],
  [{ hooks: { stop: [5] } }, 'hooks.stop[0]: expected a map'],
  [{ hooks: { stop: [{ ...command, timeout: '30s' }] } }, 'hooks.stop[0].timeout: expected a number'],
  [{ hooks: { stop: [{ ...command, timeout: 0 }] } }, 'hooks.stop[0].timeout: expected a number above 0'],
  [{ hooks: { stop: [{ ...command, timeout: 1e6 }] } }, 'timeout: expected a number of at most 86400'],
  [{ hooks: { stop: [{ ...command, name: 5 }] } }, 'hooks.stop[0].name: expected a text'],
  [{ hooks: { stop: [{ ...command, on_error: 'x' }] } }, 'on_error: expected one of: warn, ignore, block'],
  [{ hooks: { stop: [{ type: 'http' }] } }, 'hooks.stop[0].url: expected an http or https address'],
  [{ hooks: { stop: [{ type: 'module' }] } }, 'hooks.stop[0].path: expected a text'],
  [
    { hooks: { stop: [{ type: 'module', path: '' }] } },
    'hooks.stop[0].path: expected a text that is not empty',
  ],
  [
    { hooks: { before_tool_call: [{ matcher: 'x', agents: [], hooks: [] }] } },
    'expected a list that is not empty',
  ],
  [{ journal: { sink: 'a', checkpoint_ms: 1.5 } }, 'checkpoint_ms: expected a whole number'],
  [{ journal: { sink: 'a', required: 'yes' } }, 'required: expected true or false'],
  [{ sandbox: { network: 'x' } }, 'network: expected one of: none, open'],
  [{ sandbox: { workspace: { kind: 'x' } } }, 'workspace.kind: expected a kind: scratch, copy or mount'],
  [{ hooks: { stop: [{ type: 'builtin', command: 'x', args: 5 }] } }, 'args: expected a list or a map'],
  [
    {
      hooks: {
        before_tool_call: [{ type: 'builtin', command: 'limits', args: { per_run: { tool_calls: 'x' } } }],
      },
    },
    'per_run.tool_calls: expected a number',
  ],
  [
    {
      hooks: {
        before_tool_call: [
          { type: 'builtin', command: 'rate_limit', args: { window_ms: 0, tool_calls: 1, per: 'x' } },
        ],
      },
    },
    'window_ms: expected a number of at least 1; per: expected one of: session, principal, all',
  ],
])('an error of %j is in our words: %s', async (file, message) => {
  const read = readHookFile(JSON.stringify(file), 'hooks.json');
  const { issues } = read.issues.length > 0 ? read : await checkHooks(read, { cwd: '.', env: {} });
  expect(issues).toHaveLength(1);
  expect(issues.map(formatIssue).join()).toContain(message);
  expect(issues.map(formatIssue).join()).not.toMatch(ours);
});

test.each<[DialectName, string, string, string]>([
  ['copilot', 'preToolUse', 'Bash', 'Bash is called "bash"'],
  ['copilot', 'permissionRequest', '(Read|Write)', 'Read is called "view"'],
  ['cursor', 'preToolUse', 'run_shell_command', 'run_shell_command is called "Shell"'],
  ['ai4j', 'preToolUse', 'Bash', 'Bash is called "bash"'],
  ['gemini', 'BeforeTool', 'Bash', 'Bash is called "run_shell_command"'],
])(
  'a matcher of %s under %s that only matches names of other agents is noted: %s',
  async (dialect, event, matcher, said) => {
    const notices = async (text: string) => {
      const hook = dialect === 'gemini' ? { matcher: text, hooks: [command] } : { ...command, matcher: text };
      const { type: _, matcher: match, ...ai4j } = { ...command, matcher: text };
      const hooks = { [event]: [dialect === 'ai4j' ? { ...ai4j, match } : hook] };
      const file = readHookFile(JSON.stringify({ hooks }), 'x.json', dialect);
      expect(file.issues).toEqual([]);
      const { issues, notices: told } = await checkHooks(file, { cwd: '.', env: process.env });
      expect(issues).toEqual([]);
      return told.map(({ message }) => message);
    };
    expect(await notices(matcher)).toEqual([expect.stringContaining(said)]);
    expect(await notices('my_tool')).toEqual([]);
    expect(await notices(said.split('"')[1] ?? '')).toEqual([]);
  },
);

test('a hook of Copilot counts among those of its tools', () => {
  const hooks = { preToolUse: [{ ...command, matcher: 'Bash' }] };
  const { entries, dialect } = readHookFile(JSON.stringify({ version: 1, hooks }), 'x.json', 'copilot');
  expect(coverageOf(entries, dialect, ['bash'])).toEqual({ unmatched: entries, unguarded: ['bash'] });
});
