// An error of a file of hooks names the place and what would be right. It repeats no value: `hooks run` gives it to the model.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isHooksError } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { type DialectName, loadHooks, readHookFile } from '../src/index.ts';

const SECRET = 'sEcret-7f3a';

/** What a value may be by mistake. Each holds the secret. */
const WRONG: readonly unknown[] = [
  SECRET,
  [SECRET],
  { a: SECRET },
  [{ a: [SECRET] }],
  `${SECRET}(`,
  `[${SECRET}`,
  `{{ ${SECRET} }}`,
  `{{ "${SECRET}" ! }}`,
  `{{ toJSON "${SECRET}" "${SECRET}" }}`,
  `{{ .Prompt | "${SECRET}" }}`,
  `{{ "${SECRET}" "${SECRET}" }}`,
  `{{ ${SECRET}`,
  `{{ .${SECRET} }}`,
  `{{ if .${SECRET}.x }}y{{ end }}`,
  `group:${SECRET}`,
  `shell:${SECRET} x=y:cmd=z`,
  `shell:cmd=[${SECRET}z-a]`,
  `postgres://ann:${SECRET}@db/x`,
  `$${SECRET}`,
  `./${SECRET}.ts`,
  `~/${SECRET}`,
  `\u0000${SECRET}`,
];

const before = (hook: object): object => ({
  hooks: { before_tool_call: [{ matcher: 'shell', hooks: [hook] }] },
});
const builtin = (command: string, args?: object): object =>
  before({ type: 'builtin', command, ...(args && { args }) });

const files: readonly (readonly [DialectName, object])[] = [
  [
    'hooks',
    {
      principal: { id_env: 'AGENT_USER', roles_env: 'AGENT_ROLES', tenant_env: 'AGENT_TENANT' },
      journal: { sink: './journal', required: false },
      flow: { sources: { mail: 'untrusted' }, sinks: { send: 'untouched' }, otherwise: 'ask' },
      hooks: {},
    },
  ],
  ['hooks', { sandbox: { tools: 'shell', workspace: { kind: 'copy', path: '.' } }, hooks: {} }],
  ['hooks', before({ type: 'command', command: 'true', timeout: 5, env: { TOKEN: 'x' }, working_dir: '.' })],
  ['hooks', before({ type: 'http', url: 'https://acme.test/', headers: { authorization: 'Bearer x' } })],
  ['hooks', before({ type: 'module', path: './policy.mjs', export: 'default' })],
  [
    'hooks',
    before({
      type: 'model',
      model: 'openai/gpt-5',
      schema: 'pre_tool_use_decision',
      prompt: '{{ .ToolName }}',
    }),
  ],
  ['hooks', builtin('command_safety')],
  ['hooks', { hooks: { before_model_call: [{ type: 'builtin', command: 'max_iterations', args: ['5'] }] } }],
  ['hooks', builtin('loop_detection', { identical_calls: 5 })],
  ['hooks', builtin('rate_limit', { tool_calls: 5, window_ms: 100, tools: 'shell', name: 'calls' })],
  ['hooks', builtin('limits', { per_run: { tool_calls: 5 }, name: 'calls' })],
  ['hooks', builtin('permissions', { deny: ['shell:cmd=rm*'] })],
  ['hooks', builtin('pii', { kinds: { email: 'mask' }, ignore: ['x'] })],
  [
    'hooks',
    { hooks: { turn_start: [{ type: 'builtin', command: 'add_context', args: ['{{ .Prompt }}'] }] } },
  ],
  ['hooks', { hooks: { turn_start: [{ type: 'builtin', command: 'add_git_diff', args: ['full'] }] } }],
  [
    'docker-agent',
    {
      agents: {
        root: {
          hooks: { pre_tool_use: [{ matcher: 'shell', hooks: [{ type: 'command', command: 'true' }] }] },
        },
      },
      permissions: { allow: ['shell:cmd=ls*'], deny: ['shell:cmd=[a-z]'] },
    },
  ],
  [
    'claude-code',
    {
      permissions: { deny: ['Bash(rm *)'] },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true', timeout: 5 }] }] },
    },
  ],
];

const folder = temporaryFolder();
writeFileSync(
  join(folder, 'policy.mjs'),
  'export default { name: "acme", register() {} }; export const broken = 1;',
);

/** The message of the error with which a file is refused; undefined if it is taken. */
async function refusal(source: object, dialect: DialectName): Promise<string | undefined> {
  try {
    using _ = await loadHooks(source, { cwd: folder, dialect, trust: true, onWarning: () => {} });
    return undefined;
  } catch (error) {
    if (!isHooksError(error)) throw error;
    return error.message;
  }
}

/** The value with one wrong value in each place, and the place. */
function* damaged(value: unknown, place = ''): Generator<readonly [place: string, damaged: unknown]> {
  if (place !== '') for (const wrong of WRONG) yield [place, wrong];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, entry] of Object.entries(value))
    for (const [at, changed] of damaged(entry, `${place}.${name}`)) {
      const copy: object = Array.isArray(value) ? [...value] : { ...value };
      Reflect.set(copy, name, changed);
      yield [at, copy];
    }
}

/** Names, which an error has to say: the type of a hook, the name of a builtin, the module and its export. */
const NAMES = /\.(?:type|export|path)$|\.\d+\.command$/;

describe.each(files)('an error of a file of %s repeats no value', (dialect, file) => {
  test('the file itself is valid', async () => {
    expect(await refusal(file, dialect)).toBeUndefined();
  });

  test('whatever stands in whatever place, and has no words of the validation library', async () => {
    const repeating: string[] = [];
    const foreign: string[] = [];
    let refused = 0;
    for (const [place, source] of damaged(file)) {
      const message = await refusal(Object(source), dialect);
      if (message !== undefined) refused++;
      if (message?.includes(SECRET) && !NAMES.test(place)) repeating.push(`${place}: ${message}`);
      if (/Invalid (?:input|option|key)|Too (?:big|small)|Unrecognized|[<>]=|received/.test(message ?? ''))
        foreign.push(`${place}: ${message}`);
    }
    expect(refused).toBeGreaterThan(10);
    expect(repeating).toEqual([]);
    expect(foreign).toEqual([]);
  });
});

const damages: readonly ((line: string) => string)[] = [
  (line) => `${line}"`,
  (line) => `${line}'`,
  (line) => `${line} ${SECRET}: ${SECRET}: x`,
  (line) => `"${line}`,
  (line) => `\t${line}`,
  (line) => ` ${line}`,
  (line) => `${line} *${SECRET}`,
  (line) => `${line} !${SECRET} x`,
  (line) => line.replace(/[:=]\s*(?=\S)/, `$&*${SECRET} `),
  (line) => line.replace(/[:=]\s*(?=\S)/, `$&!${SECRET} `),
  (line) => line.replace(/[:=]\s*(?=\S)/, `$&"\\q${SECRET}" `),
  (line) => line.replace(/[:=]\s*(?=\S)/, `$&@${SECRET} `),
  (line) => line.replace(/[:=]\s*(?=\S)/, `$&[${SECRET} `),
  (line) => line.replace(/[:=]\s*(?=\S)/, `$&{${SECRET} `),
  (line) => line.replace(/[:=]\s*(?=\S)/, `$&|${SECRET} `),
  (line) => line.replace(/[:=]\s*(?=\S)/, `$&>${SECRET}\n`),
  (line) => line.replace(/[:=]\s*(?=\S)/, `$&${SECRET} = `),
  (line) => `${line}\n${SECRET}`,
  (line) => `${line}\n%${SECRET} x`,
  (line) => `--- ${SECRET}\n${line}`,
  (line) => `${line}\n...\n${SECRET}`,
  (line) => `${line}\n? ${SECRET}\n: ]`,
  (line) => `${line} }${SECRET}`,
];

const texts: readonly (readonly [file: string, text: string])[] = [
  [
    'hooks.yaml',
    `version: 1
hooks:
  before_tool_call:
    - type: command
      command: "echo ${SECRET}"
      env: { TOKEN: ${SECRET} }
    - type: http
      url: https://acme.test/
      headers:
        authorization: Bearer ${SECRET}
`,
  ],
  [
    'hooks.json',
    `{
  "hooks": {
    "before_tool_call": [
      { "type": "command", "command": "echo ${SECRET}", "env": { "TOKEN": "${SECRET}" } }
    ]
  }
}`,
  ],
  [
    'hooks.toml',
    `[[hooks.PreToolUse]]
matcher = "shell"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "echo ${SECRET}"
`,
  ],
];

test.each(texts)('an error of the syntax of %s repeats no value', (file, text) => {
  const lines = text.split('\n');
  const repeating: string[] = [];
  const messages = new Set<string>();
  for (const [index, line] of lines.entries())
    for (const damage of damages) {
      const { issues } = readHookFile(lines.with(index, damage(line)).join('\n'), file);
      for (const { path, message } of issues) {
        messages.add(message);
        // The name of a field is no value.
        if (message.includes(SECRET) && !path.includes(SECRET)) repeating.push(message);
      }
    }
  expect(messages.size).toBeGreaterThan(file.endsWith('.yaml') ? 8 : 0);
  expect(repeating).toEqual([]);
});
