import { DIALECTS, formatIssue, readHookFile } from '@hooks/config';
import { expandNames } from '@hooks/config/protocol';
import { describe, expect, test } from 'vitest';
import { harness } from './harness.ts';

const { matches } = DIALECTS.hooks;

/** The tools of each agent, by what they do. */
const agents: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'Claude Code': {
    shell: ['Bash'],
    powershell: ['PowerShell'],
    monitor: ['Monitor'],
    read: ['Read'],
    notebook: ['NotebookRead'],
    write: ['Write'],
    edit: ['Edit'],
    edits: ['MultiEdit'],
    cells: ['NotebookEdit'],
    grep: ['Grep'],
    glob: ['Glob'],
    list: ['LS'],
    fetch: ['WebFetch'],
    search: ['WebSearch'],
    agent: ['Agent', 'Task'],
    stop: ['TaskStop', 'KillShell'],
    output: ['TaskOutput', 'BashOutput'],
    todo: ['TodoWrite'],
  },
  Codex: {
    shell: ['shell', 'local_shell', 'shell_command', 'exec_command'],
    input: ['write_stdin'],
    patch: ['apply_patch'],
    image: ['view_image'],
    search: ['web_search'],
    agent: ['spawn_agent'],
    todo: ['update_plan'],
  },
  'Gemini CLI': {
    shell: ['run_shell_command'],
    read: ['read_file'],
    reads: ['read_many_files'],
    write: ['write_file'],
    edit: ['replace'],
    grep: ['grep_search', 'search_file_content'],
    glob: ['glob'],
    list: ['list_directory'],
    fetch: ['web_fetch'],
    search: ['google_web_search'],
    todo: ['write_todos'],
  },
  Cursor: {
    shell: ['Shell'],
    read: ['Read'],
    write: ['Write'],
    grep: ['Grep'],
    agent: ['Task'],
  },
  OpenCode: {
    shell: ['bash'],
    read: ['read'],
    write: ['write'],
    edit: ['edit'],
    grep: ['grep'],
    glob: ['glob'],
    fetch: ['webfetch'],
    search: ['websearch'],
    agent: ['task'],
    todo: ['todowrite'],
  },
  Copilot: {
    shell: ['bash'],
    read: ['view'],
    write: ['create'],
    grep: ['grep', 'rg'],
    glob: ['glob'],
    fetch: ['web_fetch'],
    agent: ['task'],
  },
  OpenClaw: {
    shell: ['exec', 'bash'],
    process: ['process'],
    patch: ['apply_patch', 'apply-patch'],
    fetch: ['web_fetch'],
    search: ['web_search'],
    agent: ['sessions_spawn'],
    other: ['memory_search'],
  },
};

/** Words that mean all tools of a purpose, and are also names of tools. */
const words = ['shell'];

const own = Object.entries(agents).flatMap(([agent, kinds]) =>
  Object.values(kinds).flatMap((names) =>
    names.filter((name) => !words.includes(name)).map((name) => ({ agent, name, names, kinds })),
  ),
);

test.each(own)('a rule with the name $name of $agent means no other tool of it', ({ name, names, kinds }) => {
  const met = Object.values(kinds)
    .flat()
    .filter((tool) => matches(name, tool));
  expect(met).toEqual(names);
});

/** The kinds of tools that a rule with the name of a shell means. In Claude Code, its own name means one of three. */
function shellKinds(rule: string): readonly string[] {
  if (rule === 'shell') return ['shell', 'powershell', 'monitor', 'input'];
  return rule === 'Bash' ? ['shell'] : ['shell', 'powershell', 'monitor'];
}

/** What a rule meets in an agent. */
const across: readonly [rule: string, agent: keyof typeof agents, met: readonly string[]][] = [
  ...['Bash', 'shell', 'local_shell', 'run_shell_command', 'Shell', 'bash', 'exec'].flatMap((rule) =>
    Object.entries(agents).map(([agent, kinds]): (typeof across)[number] => [
      rule,
      agent,
      shellKinds(rule).flatMap((kind) => kinds[kind] ?? []),
    ]),
  ),
  ['Write', 'Codex', ['apply_patch']],
  ['Edit', 'Codex', ['apply_patch']],
  ['replace', 'Codex', ['apply_patch']],
  ['apply_patch', 'Claude Code', ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']],
  ['apply_patch', 'Gemini CLI', ['write_file', 'replace']],
  ['apply_patch', 'Copilot', ['create']],
  ['Read', 'Gemini CLI', ['read_file', 'read_many_files']],
  ['Read', 'Codex', ['view_image']],
  ['read_file', 'Claude Code', ['Read', 'NotebookRead']],
  ['read_file', 'Copilot', ['view']],
  ['create', 'Claude Code', ['Write']],
  ['Grep', 'Gemini CLI', ['grep_search', 'search_file_content']],
  ['glob', 'Claude Code', ['Glob']],
  ['google_web_search', 'Codex', ['web_search']],
  ['WebSearch', 'Gemini CLI', ['google_web_search']],
  ['sessions_spawn', 'Claude Code', ['Agent', 'Task']],
  ['Task', 'Codex', ['spawn_agent']],
  ['process', 'Claude Code', ['TaskStop', 'KillShell', 'TaskOutput', 'BashOutput']],
  ['process', 'Codex', ['write_stdin']],
  ['write_stdin', 'OpenClaw', ['process']],
  ['group:web', 'Gemini CLI', ['web_fetch', 'google_web_search']],
  ['group:runtime', 'Codex', ['shell', 'local_shell', 'shell_command', 'exec_command', 'write_stdin']],
  ['group:fs', 'Gemini CLI', ['read_file', 'read_many_files', 'write_file', 'replace']],
  ['group:memory', 'OpenClaw', ['memory_search']],
  ['memory_search', 'Gemini CLI', []],
  ['deploy', 'Claude Code', []],
];

test.each(across)('the rule %s means in %s: %j', (rule, agent, met) => {
  const tools = Object.values(agents[agent] ?? {}).flat();
  expect(tools.filter((tool) => matches(rule, tool)).sort()).toEqual([...met].sort());
});

test.each(['deploy', 'my_shell', 'shell_.*', 'mcp__github__get', '[B]ash', 'Bash.*', 'group', '*'])(
  'a pattern that names no tool of an agent stays as it is: %s',
  (pattern) => {
    expect(expandNames(pattern)).toBe(pattern);
  },
);

test.each([
  'Bash|pay',
  'pay|Bash',
  '(Bash|pay)',
  '(?:Bash)',
  '(?i)bash',
  '^Bash$',
  '^(?:Bash|pay)$',
  'Task|Bash',
  '^(?:^Bash$|pay)$',
  '((?:pay|(Bash)))',
  '(?<tool>Bash|pay)',
  '(?i:pay|bash)',
])('the name of a tool counts in %s', (pattern) => {
  expect(matches(pattern, 'run_shell_command')).toBe(true);
  expect(matches(pattern, 'read_file')).toBe(false);
});

test.each([
  ['^(?!(?:Write|Read)$).*', 'apply_patch', true],
  ['^(?!(?:Write|Read)$).*', 'view', true],
  ['^(?!(?:Write|Read)$).*', 'Write', false],
  ['(?!(?:Task|pay)$).*', 'task', true],
  ['(?<![(|]Task|pay)x', 'x', true],
  ['[^|shell|]+', 'Bun', true],
  ['mcp__github__(get|fetch)', 'mcp__github__web_search', false],
  ['mcp__(git|shell)__run', 'mcp__Bash__run', false],
  ['tool_(mcp|x)', 'tool_mcp__a', false],
  ['(shell|x)_tool', 'Bash_tool', false],
  ['pay\\|shell|x', 'Bash', false],
])('a name inside another pattern, %s, means itself: %s %s', (pattern, tool, met) => {
  expect(matches(pattern, tool)).toBe(met);
});

test('an unknown group is an error that lists the known ones', () => {
  const text =
    'hooks: { before_tool_call: [{ matcher: "group:nope|read", hooks: [{ type: command, command: x }] }] }';
  const said = readHookFile(text, 'hooks.yaml').issues.map(formatIssue);
  expect(said).toEqual([expect.stringMatching(/unknown group of tools; expected one of: group:fs/)]);
});

test.each([
  ['a deep one', `${'(a|'.repeat(20_000)}b${')'.repeat(20_000)}`],
  ['one of many names', `${'Bash|'.repeat(100_000)}b`],
])('a matcher that is too long to compile is an error: %s', (_, matcher) => {
  const file = { hooks: { before_tool_call: [{ matcher, hooks: [{ type: 'command', command: 'x' }] }] } };
  const [issue] = readHookFile(JSON.stringify(file), 'hooks.json', 'hooks').issues;
  expect(issue && formatIssue(issue)).toContain(`it has ${matcher.length} characters; expected at most 4000`);
});

test.each([`${'(a|'.repeat(990)}b${')'.repeat(990)}`, `${'Bash|'.repeat(790)}b`])(
  'a matcher of the greatest length compiles',
  (matcher) => {
    expect(matches(matcher, 'b')).toBe(true);
  },
);

describe('the word', () => {
  const tools: Readonly<Record<string, readonly string[]>> = {
    shell: ['Bash', 'shell', 'exec_command', 'shell_command', 'run_shell_command'],
    read: ['Read', 'read_file', 'read_many_files', 'view_image'],
    write: ['Write', 'write_file'],
    edit: ['Edit', 'MultiEdit', 'NotebookEdit', 'replace'],
    search: ['Grep', 'Glob', 'grep_search', 'glob', 'list_directory'],
    fetch: ['WebFetch', 'WebSearch', 'web_fetch', 'google_web_search'],
    mcp: ['mcp__github__create_issue', 'mcp_github_create_issue', 'mcp:github:create_issue'],
    'write and edit': ['apply_patch'],
  };
  const all = Object.values(tools).flat();

  test.each(['shell', 'read', 'write', 'edit', 'search', 'fetch', 'mcp'])(
    '%s matches the tools of its purpose in each agent, and no others',
    (word) => {
      const expected = Object.entries(tools).flatMap(([words, names]) =>
        words.split(' ').includes(word) ? names : [],
      );
      expect(all.filter((tool) => matches(word, tool))).toEqual(expected);
    },
  );

  test.each(['my_shell', 'shell_.*', 'shell-x', '.*shell'])(
    'is not expanded inside another word, %s',
    (one) => {
      expect(matches(one, 'Bash')).toBe(false);
    },
  );
});

describe('the files of another agent', () => {
  const refuses = { type: 'command', command: 'echo no >&2; exit 2' };
  const claude = (matcher: string) => ({ hooks: { PreToolUse: [{ matcher, hooks: [refuses] }] } });
  const gemini = (matcher: string) => ({ hooks: { BeforeTool: [{ matcher, hooks: [refuses] }] } });
  const docker = (matcher: string) => ({ hooks: { pre_tool_use: [{ matcher, hooks: [refuses] }] } });

  test.each([
    [claude('Bash'), 'local_shell', { command: ['ls'] }, 'blocked'],
    [claude('Write'), 'apply_patch', { input: '*** Begin Patch' }, 'blocked'],
    [claude('Edit|MultiEdit'), 'apply_patch', { input: '*** Begin Patch' }, 'blocked'],
    [claude('Read'), 'apply_patch', { input: '*** Begin Patch' }, 'ok'],
    [claude('Read'), 'read_many_files', { paths: ['a'] }, 'blocked'],
    [claude('Read'), 'view', { path: 'a' }, 'blocked'],
    [claude('Grep'), 'search_file_content', { pattern: 'a' }, 'blocked'],
    [claude('WebSearch'), 'google_web_search', { query: 'a' }, 'blocked'],
    [claude('Task'), 'spawn_agent', { message: 'a' }, 'blocked'],
    // Names of their own.
    [claude('Write'), 'create', { order: 7 }, 'ok'],
    [claude('Read'), 'view', { page: 'home' }, 'ok'],
    [claude('Edit'), 'MultiEdit', { file_path: 'a' }, 'ok'],
    [gemini('^read_file$'), 'read_many_files', { paths: ['a'] }, 'ok'],
    [gemini('write_file'), 'apply_patch', { input: '*** Begin Patch' }, 'blocked'],
    [gemini('google_web_search'), 'WebSearch', { query: 'a' }, 'blocked'],
    [docker('edit_file'), 'apply_patch', { input: '*** Begin Patch' }, 'blocked'],
    [docker('shell'), 'Bash', { command: 'ls' }, 'blocked'],
  ])('%j about %s %j: %s', async (file, tool, input, status) => {
    const made = await harness(file);
    expect(await made.call(tool, input)).toMatchObject({ status });
  });
});

describe('permissions', () => {
  const file = (args: object) => ({
    hooks: { before_tool_call: [{ type: 'builtin', command: 'permissions', args }] },
  });
  const github = { kind: 'mcp', server: 'github', name: 'get_issue' } as const;

  test.each([
    ['shell', 'Bash', { command: 'ls' }],
    ['Bash', 'run_shell_command', { command: 'ls' }],
    ['local_shell', 'exec', { command: 'ls' }],
    ['shell:cmd=sudo *', 'Bash', { command: 'sudo ls' }],
    ['shell:cmd=sudo *', 'local_shell', { command: ['sudo', 'ls'] }],
    ['Bash:command=sudo *', 'shell', { cmd: 'sudo ls' }],
    ['Bash:command=sudo *', 'shell', { cmd: 'sudo ls', command: 'ls' }],
    ['*:cmd=sudo *', 'Bash', { command: 'sudo ls' }],
    ['Read:file_path=*.env', 'read_file', { path: '/a/.env' }],
    ['Write', 'apply_patch', { input: '' }],
    ['Read:path=*.env', 'read_many_files', { paths: ['.env', 'a'] }],
    ['Read:path=*.env', 'view_image', { path: '.env' }],
    [
      'Write:file_path=*.env',
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: a/.env\n+x\n*** End Patch' },
    ],
    [
      'apply_patch:path=*.env',
      'apply_patch',
      { command: '*** Begin Patch\n*** Delete File: .env\n*** End Patch' },
    ],
    ['Grep:path=/etc*', 'search_file_content', { dir_path: '/etc' }],
    ['glob:dir_path=/etc*', 'Glob', { path: '/etc' }],
    ['Edit:file_path=*.env', 'multi_replace_string_in_file', { filePath: '.env' }],
    ['NotebookEdit:notebook_path=*.ipynb', 'edit_notebook_file', { filePath: 'a.ipynb' }],
    ['Write', 'create', { path: 'a', file_text: '' }],
    ['group:fs', 'Edit', { file_path: 'a' }],
    ['Task', 'Agent', { prompt: 'a' }],
  ])('deny %s refuses %s %j', async (rule, tool, input) => {
    const made = await harness(file({ deny: [rule] }));
    expect(await made.call(tool, input)).toMatchObject({ status: 'blocked' });
    expect(made.ran).toEqual([]);
  });

  test.each([
    ['shell:cmd=sudo *', 'Bash', { command: 'ls' }],
    ['shell:cmd=sudo *', 'Read', { file_path: 'sudo ls' }],
    ['deploy', 'Bash', { command: 'deploy' }],
    ['Edit', 'Write', { file_path: 'a' }],
  ])('deny %s does not refuse %s %j', async (rule, tool, input) => {
    const made = await harness(file({ deny: [rule] }));
    expect(await made.call(tool, input)).toMatchObject({ status: 'ok' });
  });

  test.each([
    'mcp__github__*',
    'mcp:github:*',
    'mcp_github_get_issue',
    'mcp',
    'mcp__github__get_issue',
    'get_issue',
  ])('deny %s refuses a tool of the server that its adapter tells', async (rule) => {
    const made = await harness(file({ deny: [rule] }));
    expect(await made.call('get_issue', {}, undefined, { about: github })).toMatchObject({
      status: 'blocked',
    });
  });

  test.each([
    ['Bash', 'run_shell_command', { command: 'ls' }, true],
    ['shell:cmd=git status*', 'Bash', { command: 'git status -s' }, true],
    ['shell:cmd=git status*', 'Bash', { command: 'git push' }, false],
    ['shell:cmd=git status*', 'Bash', { command: 'git status', cmd: 'git push' }, false],
    ['read', 'Read', { file_path: 'a' }, true],
    ['group:fs', 'Read', { file_path: 'a' }, true],
    ['Write', 'apply_patch', { input: '' }, false],
    ['write', 'apply_patch', { input: '' }, false],
    ['edit', 'apply_patch', { input: '' }, false],
    ['edit', 'MultiEdit', { file_path: 'a' }, true],
    ['apply_patch', 'apply-patch', { input: '' }, true],
    ['group:fs', 'apply_patch', { input: '' }, true],
    ['Read:path=src/*', 'read_many_files', { paths: ['src/a', '.env'] }, false],
    ['read_many_files:path=src/*', 'read_many_files', { paths: ['src/a', '.env'] }, false],
    ['read_many_files:path=src/*', 'read_many_files', { paths: ['src/a', 'src/b'] }, true],
    [
      'apply_patch:path=src/*',
      'apply_patch',
      { input: '*** Add File: src/a\n+x\n*** Delete File: .env' },
      false,
    ],
    ['apply_patch:path=src/*', 'apply_patch', { input: '*** Add File: src/a\n+x' }, true],
    ['apply_patch:path=*', 'apply_patch', { input: 'nothing' }, false],
    ['Write', 'create', { path: 'a', file_text: '' }, false],
    ['Read', 'readme', {}, false],
    ['Agent', 'Task', { prompt: 'a' }, true],
  ])('allow %s of %s %j: %s', async (rule, tool, input, allowed) => {
    const made = await harness(file({ allow: [rule], ask: ['*:never=*'] }));
    const outcome = await made.call(tool, input, undefined, { needsApproval: 'the tool asks' });
    expect(outcome.status).toBe(allowed ? 'ok' : 'denied');
  });

  test('a rule about an unknown group is an error', async () => {
    await expect(harness(file({ deny: ['group:nope'] }))).rejects.toThrow(
      /deny\[0\]: unknown group of tools/,
    );
  });
});
