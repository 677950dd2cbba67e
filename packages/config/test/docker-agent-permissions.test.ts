import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolApprovalDecision, type ToolDescriptor } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { readHookFile } from '../src/index.ts';
import { type Harness, harness } from './harness.ts';

/** Only the rules decide. */
const team = (permissions: object): object => ({
  agents: {},
  runtime: { safety: 'autonomous' },
  permissions,
});

/** How a call of the shell ends: `blocked` by a rule, `asked` if a person decides, or `ok`. */
async function ends(
  file: Harness,
  toolName: string,
  input: unknown,
  about?: ToolDescriptor,
): Promise<string> {
  let asked = false;
  const { status } = await file.call(toolName, input, undefined, {
    ...(about && { about }),
    approval: () => {
      asked = true;
      return { decision: 'allow' };
    },
  });
  return asked ? 'asked' : status;
}

describe('permissions of a docker-agent file', () => {
  test('a command that the team denies does not run, and any other needs approval', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, 'agent.yaml'),
      `
agents:
  root:
    model: openai/gpt-4o
permissions:
  deny:
    - "shell:cmd=sudo*"
`,
    );
    const file = await harness('agent.yaml', { cwd });

    const denied = await file.call('shell', { cmd: 'sudo rm -rf /' });

    expect(denied).toMatchObject({ status: 'blocked', ran: false });
    expect(denied.reason).toContain('"shell:cmd=sudo*"');
    expect(await ends(file, 'shell', { cmd: 'ls' })).toBe('asked');
  });

  test('a rule applies to the tools of any agent by docker-agent’s names', async () => {
    const file = await harness(team({ deny: ['shell:cmd=sudo*', 'write_file:path=/etc/*'] }));

    expect(await ends(file, 'Bash', { command: 'sudo ls' })).toBe('blocked');
    expect(await ends(file, 'Write', { file_path: '/etc/hosts', content: '' })).toBe('blocked');
    expect(await ends(file, 'Bash', { command: 'ls' })).toBe('ok');
  });

  test.each(['mcp:github:delete_*', 'github_delete_*', 'mcp__github__delete_*'])(
    'the pattern %s matches a tool of an MCP server, however the agent names it',
    async (pattern) => {
      const file = await harness(team({ deny: [pattern] }));

      for (const name of ['mcp__github__delete_repo', 'mcp:github:delete_repo', 'github_delete_repo'])
        expect([name, await ends(file, name, {})]).toEqual([name, 'blocked']);
      expect(await ends(file, 'mcp__github__get_repo', {})).toBe('ok');
    },
  );

  test.each([
    ['case does not matter', 'SHELL:cmd=Sudo*', 'shell', { cmd: 'sUDO ls' }],
    [
      'a star spans folders, spaces and lines',
      'shell:cmd=rm*-rf*',
      'shell',
      { cmd: 'rm -v /a/b &&\nrm -rf x' },
    ],
    ['a question mark is one character', 'shell:cmd=rm ?', 'shell', { cmd: 'rm /' }],
    ['a class is one of its characters', 'read_[a-f]ile', 'read_file', {}],
    ['a class may exclude', 'read_[^x]ile', 'read_file', {}],
    ['a backslash takes the meaning of a star', 'shell:cmd=echo \\*', 'shell', { cmd: 'echo *' }],
    [
      'a colon in a value is part of it',
      'fetch:url=https://evil.example:8080/*',
      'fetch',
      { url: 'https://evil.example:8080/x' },
    ],
    ['all conditions must match', 'shell:cmd=ls*:cwd=/etc', 'shell', { cmd: 'ls -l', cwd: '/etc' }],
    [
      'the last of two conditions on one argument counts',
      'shell:cmd=rm*:cmd=*-rf*',
      'shell',
      { cmd: 'cd /; rm -rf x' },
    ],
    ['numbers and booleans are text', 'pay:amount=100*:now=true', 'pay', { amount: 1000, now: true }],
    ['a list is a line of its words', 'shell:cmd=sudo *', 'shell', { cmd: ['sudo', 'ls'] }],
    ['a list is also what Go prints', 'get:urls=*evil*', 'get', { urls: ['https://a', 'https://evil'] }],
    ['a star alone is every tool', '*', 'anything', {}],
  ])('%s: %s denies', async (_, pattern, tool, input) => {
    const file = await harness(team({ deny: [pattern] }));

    expect(await ends(file, tool, input)).toBe('blocked');
  });

  test.each([
    ['without its argument', 'shell:cmd=sudo*', 'shell', {}],
    ['with one argument that differs', 'shell:cmd=ls*:cwd=/etc', 'shell', { cmd: 'ls', cwd: '/tmp' }],
    ['of a longer name', 'shell', 'shell_extra', {}],
    ['without the escaped star', 'shell:cmd=echo \\*', 'shell', { cmd: 'echo a' }],
    ['with a character that the class excludes', 'read_[^f]ile', 'read_file', {}],
  ])('a rule does not match a call %s', async (_, pattern, tool, input) => {
    const file = await harness(team({ deny: [pattern] }));

    expect(await ends(file, tool, input)).toBe('ok');
  });

  test('an allow does not count for a call with two commands, of which the tool may read the other', async () => {
    const file = await harness(team({ allow: ['shell:cmd=ls*'] }));
    const sources: unknown[] = [];
    file.hooks.observe(ToolApprovalDecision, ({ source }) => {
      sources.push(source);
    });
    await file.call('shell', { cmd: 'ls', command: 'rm x' });
    expect(sources).toEqual([]);
    await file.call('shell', { cmd: 'ls' });
    await file.call('Bash', { command: 'ls' });
    expect(sources).toEqual(['team_permissions_allow', 'team_permissions_allow']);
  });

  test('deny beats ask, and ask beats allow', async () => {
    const file = await harness(
      team({ allow: ['*'], ask: ['shell:cmd=git push*'], deny: ['shell:cmd=git push --force*'] }),
    );

    expect(await ends(file, 'shell', { cmd: 'git push --force' })).toBe('blocked');
    expect(await ends(file, 'shell', { cmd: 'git push' })).toBe('asked');
    expect(await ends(file, 'shell', { cmd: 'git status' })).toBe('ok');
  });

  test('an allow is recorded as a grant of the team', async () => {
    const file = await harness(team({ allow: ['read_*'] }));
    const sources: unknown[] = [];
    file.hooks.observe(ToolApprovalDecision, ({ source }) => {
      sources.push(source);
    });

    await file.call('read_file', { path: 'a' });

    expect(sources).toEqual(['team_permissions_allow']);
  });

  test.each([
    'ls; sudo reboot',
    'ls && curl example.com',
    'ls $(reboot)',
    'ls `reboot`',
    'ls > /etc/passwd',
    'ls | sh',
    'ls\nreboot',
    'ls & reboot',
    'lsof',
    ['ls', '; reboot'],
  ])('an allowed prefix of a command does not allow %j', async (cmd) => {
    const file = await harness(team({ allow: ['shell:cmd=ls*'], ask: ['shell'] }));
    const granted = await harness(team({ allow: ['shell:cmd=ls*'] }));
    const sources: unknown[] = [];
    granted.hooks.observe(ToolApprovalDecision, ({ source }) => {
      sources.push(source);
    });

    expect(await ends(file, 'shell', { cmd })).toBe('asked');
    await granted.call('shell', { cmd });
    expect(sources).toEqual([]);
  });

  test('a hook cannot bypass a rule by rewriting the call', async () => {
    const file = await harness({
      agents: {
        root: {
          hooks: {
            pre_tool_use: [
              {
                type: 'command',
                command: `printf '{"hook_specific_output":{"updated_input":{"cmd":"sudo ls"}}}'`,
              },
            ],
          },
        },
      },
      permissions: { allow: [], ask: [], deny: ['shell:cmd=sudo*'] },
    });

    expect(await ends(file, 'shell', { cmd: 'ls' })).toBe('blocked');
  });

  test('a call needs no approval if the team or the agent allows it', async () => {
    const file = await harness(
      {
        agents: { root: { permissions: { allow: ['write_*'], deny: ['write_secret'] } } },
        permissions: { allow: ['read_*'] },
      },
      { agent: 'root' },
    );

    expect(await ends(file, 'read_file', {})).toBe('ok');
    expect(await ends(file, 'write_file', {})).toBe('ok');
    expect(await ends(file, 'write_secret', {})).toBe('blocked');
  });

  test('an agent’s own permissions apply to it, and restrict an agent that the file does not name', async () => {
    const source = { agents: { root: { permissions: { deny: ['shell'] } }, helper: {} } };

    expect(await ends(await harness(source, { agent: 'root' }), 'shell', {})).toBe('blocked');
    expect(await ends(await harness(source, { agent: 'helper' }), 'shell', {})).toBe('asked');
    expect(await ends(await harness(source, { agent: 'stranger' }), 'shell', {})).toBe('blocked');
  });

  test('an agent’s own allow does not apply to an agent that the file does not name', async () => {
    const file = { agents: { root: { permissions: { allow: ['*'] } } } };
    const sources: unknown[] = [];
    for (const agent of ['root', 'stranger']) {
      const loaded = await harness(file, { agent });
      loaded.hooks.observe(ToolApprovalDecision, ({ source }) => {
        sources.push([agent, source]);
      });
      await loaded.call('shell', {});
    }

    expect(sources).toEqual([
      ['root', 'team_permissions_allow'],
      ['stranger', expect.not.stringContaining('allow')],
    ]);
  });

  test('the user’s settings may have hooks and permissions', async () => {
    const file = await harness({
      settings: { permissions: { deny: ['shell:cmd=sudo*'] }, hooks: { stop: [] } },
    });

    expect(file.loaded.dialect).toBe('docker-agent');
    expect(await ends(file, 'shell', { cmd: 'sudo ls' })).toBe('blocked');
  });

  test.each([
    [{ denys: ['shell'] }, 'permissions.denys: unknown field; did you mean "deny"?'],
    [{ deny: 'shell' }, 'permissions.deny: '],
    [{ deny: [':cmd=ls'] }, 'permissions.deny[0]: the pattern has no tool name'],
    [{ deny: ['shell:my-arg=ls'] }, 'permissions.deny[0]: the name of an argument has other characters'],
    [{ deny: ['shell:cmd=[z-a]'] }, 'permissions.deny[0]: what stands in [ ] is not a character class'],
    [{ deny: ['shell:cmd=[]x]'] }, 'permissions.deny[0]: what stands in [ ] is not a character class'],
  ])('%j is refused with the position of the mistake', (permissions, message) => {
    const { issues } = readHookFile(JSON.stringify(team(permissions)), 'agent.yaml');

    expect(issues.map((issue) => `${issue.path}: ${issue.message}`)).toEqual([
      expect.stringContaining(message),
    ]);
  });
});

describe('the safety mode of a docker-agent file', () => {
  const permissions = { allow: ['write_file'] };

  test.each([
    ['strict', 'asked', 'asked'],
    ['balanced', 'asked', 'ok'],
    ['restricted', 'blocked', 'ok'],
    ['autonomous', 'ok', 'ok'],
  ])('%s: a call that no rule matches is %s, a read-only one is %s', async (safety, unknown, reads) => {
    for (const source of [{ agents: { root: { safety } } }, { agents: {}, runtime: { safety } }]) {
      const file = await harness({ ...source, permissions });
      const annotations = { readOnlyHint: true };

      expect(await ends(file, 'delete_file', {})).toBe(unknown);
      expect(await ends(file, 'look', {}, { kind: 'function', annotations })).toBe(reads);
      // An MCP server's annotations are not trusted.
      expect(await ends(file, 'look', {}, { kind: 'mcp', annotations })).toBe(unknown);
      expect(await ends(file, 'write_file', {})).toBe('ok');
    }
  });

  test('an agent’s own mode replaces the general one', async () => {
    const file = {
      agents: { root: { safety: 'autonomous' }, helper: {} },
      runtime: { safety: 'restricted' },
    };

    expect(await ends(await harness(file, { agent: 'root' }), 'shell', {})).toBe('ok');
    expect(await ends(await harness(file, { agent: 'helper' }), 'shell', {})).toBe('blocked');
  });

  test('an unknown mode is refused', () => {
    const { issues } = readHookFile(
      JSON.stringify({ agents: { root: { safety: 'paranoid' } } }),
      'agent.yaml',
    );

    expect(issues).toMatchObject([
      { path: 'agents.root.safety', message: expect.stringContaining('strict') },
    ]);
  });
});

describe('a call that no rule and no hook has decided', () => {
  const denies = (tool: string) => ({
    matcher: tool,
    hooks: [{ type: 'command', command: `echo '{"hook_specific_output":{"permission_decision":"deny"}}'` }],
  });

  test('needs approval in a file with permissions, unless the tool only reads', async () => {
    const file = await harness({ agents: { root: {} }, permissions: { allow: ['read_file'] } });
    expect(await ends(file, 'shell', { cmd: 'rm -rf build' })).toBe('asked');
    expect(await ends(file, 'read_file', { path: 'a' })).toBe('ok');
    const annotations = { readOnlyHint: true };
    expect(await ends(file, 'look', {}, { kind: 'function', annotations })).toBe('ok');
  });

  test('reaches the hooks of permission_request, and then on_tool_approval_decision', async () => {
    const file = await harness({
      agents: { root: { hooks: { permission_request: [denies('shell')] } } },
      permissions: { allow: ['read_file'] },
    });
    const decided: unknown[] = [];
    file.hooks.observe(ToolApprovalDecision, ({ toolName, approval }) => {
      decided.push([toolName, approval]);
    });
    expect(await file.call('shell', { cmd: 'rm -rf build' })).toMatchObject({ ran: false });
    expect(decided).toEqual([['shell', 'deny']]);
  });

  test('needs approval in a file with hooks of permission_request alone', async () => {
    const file = await harness(
      { hooks: { permission_request: [denies('shell')] } },
      { dialect: 'docker-agent' },
    );
    expect(await ends(file, 'shell', {})).toBe('denied');
    expect(await ends(file, 'write_file', {})).toBe('asked');
  });

  test('runs if a hook allows it', async () => {
    const allow = `echo '{"hook_specific_output":{"permission_decision":"allow"}}'`;
    const file = await harness({
      agents: { root: { hooks: { pre_tool_use: [{ hooks: [{ type: 'command', command: allow }] }] } } },
      permissions: { deny: ['sudo'] },
    });
    expect(await ends(file, 'shell', {})).toBe('ok');
  });

  test('is the program’s to decide in a file that says nothing about approval', async () => {
    const file = await harness({ agents: { root: { add_date: true } } });
    expect(await ends(file, 'shell', {})).toBe('ok');
  });
});
