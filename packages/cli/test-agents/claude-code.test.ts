import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DIALECTS } from '@hooks/config/protocol';
import { describe, expect, inject, test } from 'vitest';
import { AGENTS } from '../src/agents/all.ts';
import { INSTALLABLE } from '../src/installed/agents.ts';
import { hooksRun, hooksRunFile, isInstalled, isUnknown, placeFor } from './drive.ts';

describe('Claude Code', () => {
  const real = test.skipIf(!isInstalled('claude-code'));

  real('the old names of its tools are those of our matchers', () => {
    const program = readFileSync(realpathSync(inject('agents')['claude-code'] ?? ''), 'latin1');
    const [, list = ''] = /\{(Task:"Agent"[^}]*)\}/.exec(program) ?? [];
    const pairs = [...list.matchAll(/(\w+):"(\w+)"/g)].map(([, old = '', name = '']) => [old, name] as const);
    expect(pairs).toContainEqual(['Task', 'Agent']);
    const unknown = pairs.filter(([old, name]) => !DIALECTS['claude-code'].matches(old, name));
    expect(unknown).toEqual([]);
  });

  real('every event of the client is one that hooks run knows', () => {
    const program = readFileSync(realpathSync(inject('agents')['claude-code'] ?? ''), 'latin1');
    const [list = ''] = /\["PreToolUse","PostToolUse",[\w",]+\]/.exec(program) ?? [];
    const names: readonly string[] = JSON.parse(list);
    expect(names).toContain('PreSkillShellCommand');
    const call = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } };
    const read = (name: string) => AGENTS['claude-code']?.read({ ...call, hook_event_name: name });
    expect(names.filter((name) => isUnknown(() => read(name)))).toEqual([]);
  });

  // Claude Code drops a replaced result of another shape, and the model reads the original.
  real.concurrent('a text replaces the result of the shell, a file, an MCP tool and a subagent', async () => {
    const place = placeFor(
      'claude-code',
      { secret: 'SECRET', answer: 'SECRET of {city}' },
      { server: 'weather' },
    );
    place.register(hooksRun('claude-code', './policies/replaces.ts'), ['result']);
    const { results, modelRead } = await place.run([
      { shell: 'cat secret' },
      { calls: [{ name: 'Read', input: { file_path: 'secret' } }] },
      { mcp: 'weather', input: { city: 'Rome' } },
      { calls: [{ name: 'Agent', input: subagent }] },
      { text: 'SECRET of the subagent' },
    ]);
    expect(results).toEqual(Array(4).fill(expect.stringContaining('REPLACED')));
    expect(modelRead('SECRET')).toBe(false);
  });

  real.concurrent('a call that needs an approval is granted, rewritten or refused by a policy', async () => {
    const place = placeFor('claude-code');
    place.register(hooksRun('claude-code', './policies/decides.ts'), ['call', 'approval']);
    const { results, exists } = await place.run(
      [
        { shell: 'touch ran_none' },
        { shell: 'touch ran_grant-approval-of-call' },
        { shell: 'touch ran_grant-approval-of-approval' },
        { shell: 'touch ran_input-of-approval' },
        { shell: 'touch ran_block-of-approval' },
      ],
      { asks: true },
    );
    expect(exists('ran_none')).toBe(false);
    expect(exists('ran_grant-approval-of-call')).toBe(true);
    expect(exists('ran_grant-approval-of-approval')).toBe(true);
    expect(exists('ran_input-of-approval')).toBe(false);
    expect(exists('ran_block-of-approval')).toBe(false);
    expect(results.at(-1)).toContain('REASON block-of-approval');
  });

  // What `src/installed/layers.ts` and `switches.ts` say about it. The forbidden command would create a file.
  const off = '{"disableAllHooks":true}';
  real.concurrent.each<[string, Readonly<Record<string, string>>, object, boolean]>([
    ['the project', {}, {}, false],
    ['the project, from a subfolder', {}, { folder: 'sub' }, true],
    ['the project, with CLAUDE_CODE_SIMPLE', {}, { env: { CLAUDE_CODE_SIMPLE: '1' } }, true],
    ['the project, with CLAUDE_CODE_SAFE_MODE', {}, { env: { CLAUDE_CODE_SAFE_MODE: '1' } }, true],
    ['the project, switched off by the user', { 'home/.claude/settings.json': off }, {}, true],
    [
      'the project, switched off by the user and on again',
      {
        'home/.claude/settings.json': off,
        'workspace/.claude/settings.local.json': '{"disableAllHooks":false}',
      },
      {},
      false,
    ],
  ])('runs the hooks of %s, or skips them, as doctor says', async (_, files, options, ran) => {
    const place = placeFor('claude-code');
    place.register(hooksRun('claude-code', './policies/blocks.ts'), ['call']);
    mkdirSync(join(place.workspace, 'sub'));
    for (const [file, text] of Object.entries(files)) {
      const path = file.replace('home', place.home).replace('workspace', place.workspace);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    writeFileSync(join(place.workspace, 'precious'), '');
    await place.run([{ shell: `rm ${place.workspace}/precious` }], options);
    expect(existsSync(join(place.workspace, 'precious'))).toBe(!ran);
  });

  const skill = '---\nname: look\ndescription: Looks.\n---\nIt says: !`touch ran-by-skill`\n';
  real.concurrent.each([true, false])('install refuses the commands of a skill: %s', async (installs) => {
    const refuses = 'hooks: {before_tool_call: [{type: command, command: "echo not here >&2; exit 2"}]}';
    const place = placeFor('claude-code', { 'hooks.yaml': refuses }, { onPath: true });
    mkdirSync(join(place.workspace, '.claude/skills/look'), { recursive: true });
    writeFileSync(join(place.workspace, '.claude/skills/look/SKILL.md'), skill);
    await place.hooks('trust', '--yes');
    if (installs) await place.hooks('install', '--for', 'claude-code');
    const { exists } = await place.run([], { prompt: '/look' });
    expect(exists('ran-by-skill')).toBe(!installs);
  });

  real.concurrent('a hook that is killed refuses, by the setting that install writes', async () => {
    const place = placeFor('claude-code');
    const settings = join(place.workspace, '.claude/settings.json');
    const hook = { type: 'command', command: 'kill -9 $$', ...INSTALLABLE['claude-code']?.failsClosed };
    writeFileSync(settings, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }));
    const { exists } = await place.run([{ shell: 'touch ran' }]);
    expect(exists('ran')).toBe(false);
  });

  real.concurrent('a hook of a file runs for the agents that it names', async () => {
    const refuses = (agent: string, word: string) => `
    - agents: [${agent}]
      hooks: [{ type: command, command: "if grep -q ${word}; then echo not for ${agent} >&2; exit 2; fi" }]`;
    const file = `hooks:
  before_tool_call:${refuses('general-purpose', 'word-1')}${refuses('reviewer', 'word-2')}
`;
    const place = placeFor('claude-code', { 'hooks.yaml': file });
    expect((await place.hooks('trust', 'hooks.yaml', '--yes')).exitCode).toBe(0);
    place.register(hooksRunFile('claude-code', 'hooks.yaml'), ['call']);
    const { exists, modelRead } = await place.run([
      { calls: [{ name: 'Agent', input: subagent }] },
      { shell: 'touch word-1' },
      { shell: 'touch word-2' },
    ]);
    expect([exists('word-1'), exists('word-2')]).toEqual([false, true]);
    expect(modelRead('not for general-purpose')).toBe(true);
  });
});

const subagent = {
  description: 'Look',
  prompt: 'Look.',
  subagent_type: 'general-purpose',
  run_in_background: false,
};
