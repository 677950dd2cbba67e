import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TrustStore, trustedPath } from '@hooks/config';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { SELF } from './program.ts';

/* Variables that the files of a workspace set for the hooks of an agent. The agent has set them when a hook starts. */

type Variables = Readonly<Record<string, string>>;

/** A workspace with a policy, and with a file that sets variables, from which `hooks run` starts. */
async function placeOf([name, policy]: readonly [string, string], [file, text]: readonly [string, string]) {
  const dir = temporaryFolder();
  const config = temporaryFolder();
  for (const [path, content] of Object.entries({ [name]: policy, [file]: text, 'inner/a': '' })) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  const path = join(dir, name);
  await new TrustStore(join(config, 'hooks/trust.json')).trust(trustedPath(path), policy);
  const run = (as: string, variables: Variables, folder = '.') => {
    const event = {
      ...{
        session_id: 's',
        transcript_path: '',
        cwd: dir,
        tool_use_id: 'c',
        timestamp: '2026-01-01T00:00:00Z',
      },
      hook_event_name: as === 'gemini' ? 'BeforeTool' : 'PreToolUse',
      ...{ tool_name: 'shell', tool_input: { command: 'ls' } },
    };
    const [node = '', ...args] = SELF;
    const { status, stdout, stderr } = spawnSync(
      node,
      [...args, 'run', '--as', as, name.endsWith('.mjs') ? '--policy' : '--file', path],
      {
        cwd: join(dir, folder),
        env: { ...process.env, XDG_CONFIG_HOME: config, ...variables },
        input: JSON.stringify(event),
        encoding: 'utf8',
      },
    );
    return { isRefused: status === 2 || /deny|block/.test(stdout), stderr };
  };
  return { dir, config, run };
}

const settings = (variables: Variables): string => JSON.stringify({ env: variables });
const lines = (variables: Variables): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

describe.each([
  ['claude-code', '.claude/settings.json', settings],
  ['claude-code', '.claude/settings.local.json', settings],
  ['gemini', '.gemini/.env', lines],
  ['gemini', '.env', (variables: Variables) => `# own\n export ${lines(variables)}`],
] as const)('under %s, a variable that %s sets', (as, file, write) => {
  const opens = { VERDICT: 'allow' };

  test('reaches no command of a policy', async () => {
    const command = 'test "$VERDICT" = allow || exit 2';
    const text = `hooks: { before_tool_call: [{ type: command, command: '${command}' }] }`;
    const { run } = await placeOf(['hooks.yaml', text], [file, write(opens)]);
    expect(run(as, opens)).toMatchObject({ isRefused: true });
    expect(run(as, opens, 'inner')).toMatchObject({ isRefused: true });
    const other = await placeOf(['hooks.yaml', text], [file, write({ OTHER: 'VERDICT' })]);
    expect(other.run(as, opens)).toEqual({ isRefused: false, stderr: '' });
  });

  test('reaches no policy in TypeScript', async () => {
    const text = `import { BeforeToolCall, block, proceed } from '${import.meta.resolve('@hooks/core')}';
const decide = () => (process.env.VERDICT === 'allow' ? proceed() : block('no'));
export default { name: 'p', register: (hooks) => hooks.on(BeforeToolCall, decide) };`;
    const { run } = await placeOf(['policy.mjs', text], [file, write(opens)]);
    expect(run(as, opens)).toMatchObject({ isRefused: true });
  });

  test('does not say who the user is', async () => {
    const text =
      'principal: { id_env: WHO }\nhooks:\n  before_tool_call: [{ type: builtin, command: require_principal }]\n';
    const { run } = await placeOf(['hooks.yaml', text], [file, write({ WHO: 'root' })]);
    expect(run(as, { WHO: 'root' })).toEqual({
      isRefused: true,
      stderr: expect.stringContaining(`${file} sets WHO`),
    });
  });

  test.each(['XDG_CONFIG_HOME', 'HOME'])('does not say where trust is stored, as %s', async (name) => {
    for (const [variable, isRefused] of [
      [name, true],
      ['OTHER', false],
    ] as const) {
      const { config, run } = await placeOf(['hooks.yaml', 'hooks: {}'], [file, write({ [variable]: 'x' })]);
      const home = temporaryFolder();
      mkdirSync(join(home, '.config'));
      renameSync(join(config, 'hooks'), join(home, '.config/hooks'));
      const set =
        name === 'HOME' ? { XDG_CONFIG_HOME: '', HOME: home } : { XDG_CONFIG_HOME: join(home, '.config') };
      expect(run(as, set)).toMatchObject({ isRefused });
    }
  });
});

test('settings that are no JSON may set every variable that they name', async () => {
  const command = 'test "$VERDICT" = allow || exit 2';
  const text = `hooks: { before_tool_call: [{ type: command, command: '${command}' }] }`;
  for (const broken of ['{"env": {"VERDICT": "allow"},}', '{"env": {"VERD\\u0049CT": "allow"},}']) {
    const { run } = await placeOf(['hooks.yaml', text], ['.claude/settings.json', broken]);
    expect(run('claude-code', { VERDICT: 'allow' })).toMatchObject({ isRefused: true });
  }
});

test("the user's own settings in the home set variables, and so does no folder with the name of a file", async () => {
  const text = `hooks: { before_tool_call: [{ type: command, command: 'test "$VERDICT" = allow || exit 2' }] }`;
  const { dir, run } = await placeOf(['hooks.yaml', text], ['.env/bin/python', '']);
  const own = join(dir, '.claude/settings.json');
  mkdirSync(dirname(own));
  writeFileSync(own, settings({ VERDICT: 'allow' }));
  expect(run('gemini', { VERDICT: 'allow' })).toMatchObject({ isRefused: false });
  expect(run('claude-code', { VERDICT: 'allow' })).toMatchObject({ isRefused: true });
  expect(run('claude-code', { VERDICT: 'allow', HOME: dir })).toMatchObject({ isRefused: false });
});

test.each(['XDG_CONFIG_HOME', 'HOME'])(
  'a workspace does not say where trust is stored for `hooks mcp`, as %s',
  async (name) => {
    for (const [file, text, isRefused] of [
      ['.claude/settings.json', settings({ [name]: 'x' }), true],
      ['.env', lines({ [name]: 'x' }), true],
      ['.env', lines({ OTHER: 'x' }), false],
    ] as const) {
      const { dir, config } = await placeOf(['hooks.yaml', 'hooks: {}'], [file, text]);
      const home = temporaryFolder();
      mkdirSync(join(home, '.config'));
      renameSync(join(config, 'hooks'), join(home, '.config/hooks'));
      const set =
        name === 'HOME' ? { XDG_CONFIG_HOME: '', HOME: home } : { XDG_CONFIG_HOME: join(home, '.config') };
      const [node = '', ...args] = SELF;
      const server = [node, '-e', ''];
      const { stderr } = spawnSync(node, [...args, 'mcp', '--policy', 'hooks.yaml', '--', ...server], {
        cwd: dir,
        env: { ...process.env, ...set },
        input: '',
        encoding: 'utf8',
        timeout: 30_000,
      });
      expect({ file, isRefused: stderr.includes('is not trusted') }).toEqual({ file, isRefused });
    }
  },
);
