// No output of a command repeats a value of its command line that may be an address or a password, whatever the command
// makes of it. The commands, their arguments and options come from the command line's own table.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal } from '@hooks/journal';
import { sqliteStore } from '@hooks/store/sqlite';
import { sampled } from '@hooks/testing/random';
import type { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { commandTable } from '../src/cli.ts';
import { SELF, type Workspace, workspace } from './program.ts';

/** The halves of the passwords. No output may hold one of them. */
const HALVES = ['hunterqq', 'zz9horse'] as const;
const [FIRST, SECOND] = HALVES;

const hexOf = (text: string): string =>
  text.replaceAll(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

const PASSWORDS: readonly string[] = [
  ...['', '@', '/', '?', '#', '%', ',', ':', ' ', '$', '&', "'", '"', '\\', '\n', '%2'].map(
    (sign) => FIRST + sign + SECOND,
  ),
  ...['#', '/', '?', '@'].map((sign) => `1${sign}${SECOND}`),
  encodeURIComponent(`${FIRST}@/?#%${SECOND}`),
  encodeURIComponent(encodeURIComponent(`${FIRST}@/?#%${SECOND}`)),
  hexOf(FIRST),
  hexOf(hexOf(FIRST)),
];

/** Texts that somebody may give in the place of any argument. */
const TEXTS: readonly ((password: string) => string)[] = [
  ...['postgres', 'postgresql', 'redis', 'rediss', 'mysql', 'https'].map(
    (scheme) => (pw: string) => `${scheme}://hooks:${pw}@127.0.0.1:1/hooks`,
  ),
  (pw) => `redis://:${pw}@127.0.0.1:1`,
  (pw) => `redis:hooks:${pw}@127.0.0.1`,
  (pw) => `postgres:/hooks:${pw}@127.0.0.1/hooks`,
  (pw) => ` postgres://hooks:${pw}@127.0.0.1:1/hooks `,
  (pw) => `postgres://hooks:${pw}@[oops/hooks`,
  (pw) => `hooks:${pw}@127.0.0.1/hooks`,
  (pw) => `//hooks:${pw}@127.0.0.1/hooks`,
  (pw) => `postgres://127.0.0.1:1/hooks?schema=a?password=${pw}`,
  (pw) => `postgres://127.0.0.1:1/hooks?schema=${encodeURIComponent(`a&password=${pw}`)}`,
  (pw) => `postgres://127.0.0.1:1/hooks?password=${pw}`,
  (pw) => `redis://127.0.0.1:1?prefix=a?password=${pw}`,
  (pw) => `redis://127.0.0.1:1?prefix=${encodeURIComponent(`a&password=${pw}`)}`,
  (pw) => `jdbc:postgresql:/127.0.0.1/hooks;password=${pw}`,
  (pw) => `host=127.0.0.1 user=hooks password=${pw}`,
  (pw) => `DATABASE_URL="postgres://hooks:${pw}@127.0.0.1:1/hooks"`,
  (pw) => `open,redis://:${pw}@127.0.0.1:1,closed`,
  (pw) => `bash,password=${pw}`,
  (pw) => JSON.stringify({ password: pw }),
  (pw) => JSON.stringify([`postgres://hooks:${pw}@127.0.0.1:1/hooks`]),
  (pw) => `./backup/hooks:${pw}/hooks.yaml`,
  (pw) => `/nowhere/password=${pw}.yaml`,
  (pw) => `C:\\keys\\password=${pw}`,
  (pw) => `file:///nowhere/${pw}.yaml`,
  (pw) => `Authorization: Basic ${pw}`,
  (pw) => `-----BEGIN PRIVATE KEY-----\n${pw}\n-----END PRIVATE KEY-----`,
  (pw) => `\u202epostgres://hooks:${pw}@127.0.0.1:1/hooks`,
  (pw) => `[${pw}`,
  (pw) => `$(cat password=${pw})`,
];

/** Each text, with a password that differs from slot to slot. */
function valuesFor(slot: number): readonly string[] {
  return TEXTS.map((text, index) => text(PASSWORDS[(5 * index + slot) % PASSWORDS.length] ?? ''));
}

/** What a command cannot run without. */
const NEEDED: Readonly<Record<string, string>> = {
  '--as': 'claude-code',
  '--for': 'claude-code',
  '--output': '1',
  '--policy': 'hooks.yaml',
  '--session': 's',
  '--before': '90d',
  event: 'event.json',
  cases: 'cases.yaml',
  file: 'hooks.yaml',
  id: '3f2a3f2a',
  tool: 'search',
};

const program = {
  stdout: process.stdout,
  stderr: process.stderr,
  env: {},
  self: [],
  cwd: () => '.',
};

function leavesOf(
  command: Command,
  names: readonly string[] = [],
): readonly (readonly [string[], Command])[] {
  const inner = command.commands.flatMap((child) => leavesOf(child, [...names, child.name()]));
  const isGroup = command.commands.length > 0 && command.name() !== 'mcp';
  return isGroup ? inner : [[[...names], command], ...inner];
}

interface Slot {
  readonly name: string;
  readonly command: string;
  /** The command line with this value in the slot. */
  words(value: string): readonly string[];
}

/** Every place of a command line that takes a value, and those that take none. */
function slotsOf([names, command]: readonly [string[], Command]): readonly Slot[] {
  const required = command.registeredArguments
    .filter((argument) => argument.required)
    .map((argument) => argument.name());
  const needed = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long ?? '');
  const rest = (without: string): readonly string[] => [
    ...names,
    ...required.filter((name) => name !== without).map((name) => NEEDED[name] ?? ''),
    ...needed.filter((name) => name !== without).flatMap((name) => [name, NEEDED[name] ?? '']),
  ];
  const line = names.join(' ');
  const slot = (name: string, words: Slot['words']): Slot => ({
    name: `${line} ${name}`,
    command: line,
    words,
  });
  return [
    ...command.registeredArguments.map((argument) =>
      slot(argument.name(), (value) => [
        ...rest(argument.name()),
        ...(argument.variadic ? ['--'] : []),
        value,
      ]),
    ),
    ...command.options
      .filter((option) => !option.isBoolean())
      .flatMap(({ long }) => {
        const name = long ?? '';
        return [slot(name, (value) => [...rest(name), `${name}=${value}`])];
      }),
    slot('--unknown', (value) => [...rest(''), `--unknown=${value}`]),
    slot('-p', (value) => [...rest(''), `-p${value}`]),
    slot('too many', (value) => [...rest(''), value, value, value]),
  ];
}

const SLOTS: readonly Slot[] = [
  ...leavesOf(commandTable(program, () => {})).flatMap(slotsOf),
  ...['', 'approvals', 'pins', 'journal', 'config', 'mcp install'].map((command) => ({
    name: `${command} <unknown command>`,
    command,
    words: (value: string) => [...command.split(' ').filter(Boolean), value],
  })),
];

/** These serve until they are stopped, or start a process for each value. */
const IN_A_PROCESS = /^(?:mcp$|mcp (?!install|uninstall)|view|run|install --settings)/;

const FILES = {
  'hooks.yaml': 'hooks: {}\n',
  'event.json': '{"hook_event_name":"before_tool_call","tool_name":"shell","tool_input":{}}',
  'cases.yaml': '- name: no rm\n  event: { hook_event_name: stop }\n  expect: proceed\n',
};

/** A folder with a policy that is trusted, a store and a journal. */
async function folder(): Promise<Workspace> {
  const place = workspace(FILES);
  await place.trust('hooks.yaml', FILES['hooks.yaml']);
  mkdirSync(join(place.dir, '.hooks'));
  const store = sqliteStore(join(place.dir, '.hooks/store.db'));
  await store.set('tool-pins/pay', { tool: 'pay', hashes: { description: 'h' } });
  await store.close();
  const log = journal({ sink: join(place.dir, '.hooks/journal') });
  const policy = createHooks();
  policy.use(log);
  await callTool(policy, { session: policy.session('s'), toolName: 'pay', input: {} }, () => 'paid');
  await policy.close();
  await log.close();
  return place;
}

/** Fails if an output holds a half of a password, but for the path of a file that is there. */
function expectNoSecret(output: string, value: string, dir: string): void {
  const path = resolve(dir, value);
  const rest = value !== '' && existsSync(path) ? output.replaceAll(path, '').replaceAll(value, '') : output;
  const shown = rest.toLowerCase();
  for (const half of HALVES)
    for (const form of [half, hexOf(half), hexOf(hexOf(half))]) expect(shown, value).not.toContain(form);
}

test('the table has all commands', () => {
  expect(SLOTS.length).toBeGreaterThan(120);
});

const inProcess = SLOTS.filter(({ name }) => !IN_A_PROCESS.test(name));

test.each(inProcess.map((slot, index) => [slot.name, slot, index] as const))(
  '%s: no output repeats what may be a password',
  { timeout: 120_000 },
  async (_, slot, index) => {
    const { cli, dir } = await folder();
    // A server that is not there is asked again for a while.
    const isSlow = slot.name.endsWith('--store');
    for (const value of sampled(valuesFor(index), isSlow ? 6 : 2, index)) {
      const { stdout, stderr } = await cli(...slot.words(value));
      expectNoSecret(stdout + stderr, value, dir);
    }
  },
);

test.each(['HOOKS_STORE', 'ADDRESS'])('no error repeats the address in the variable %s', async (name) => {
  const { cli, dir } = await folder();
  for (const value of valuesFor(3)) {
    vi.stubEnv(name, value);
    const words = name === 'ADDRESS' ? ['--store', '$ADDRESS'] : [];
    const { stdout, stderr } = await cli('pins', 'list', ...words);
    expectNoSecret(stdout + stderr, value, dir);
  }
  vi.unstubAllEnvs();
});

test.each(['--as', '--limit', '--file', '--policy', '--unknown', '-p', ''])(
  'a hook with an address as its %s refuses without the password',
  async (option) => {
    const { asHook, dir } = await folder();
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {}, session_id: 's' };
    for (const value of valuesFor(5)) {
      const words = option === '--as' ? [] : ['--as', 'claude-code'];
      const given = option === '' ? [value] : option === '-p' ? [`-p${value}`] : [`${option}=${value}`];
      const { code, stdout, stderr } = await asHook(event, ...words, ...given);
      expect(code, value).not.toBe(0);
      expectNoSecret(stdout + stderr, value, dir);
    }
  },
);

/** Runs a command line in a process of its own, which ends when it serves. */
async function inChild(dir: string, words: readonly string[]): Promise<string> {
  const [node = '', ...args] = SELF;
  return new Promise((done) => {
    const env = { ...process.env, XDG_CONFIG_HOME: join(dir, '.config'), HOME: dir };
    const child = execFile(node, [...args, ...words], { cwd: dir, env }, (_error, stdout, stderr) =>
      done(stdout + stderr),
    );
    child.stdin?.on('error', () => {}).end();
    child.stdout?.on('data', (text: string) => {
      if (text.includes('Open http')) child.kill();
    });
  });
}

const inChildren = SLOTS.filter(({ name }) => IN_A_PROCESS.test(name)).flatMap((slot, index) =>
  sampled(valuesFor(index), TEXTS.length, index)
    .slice(0, 4)
    .map((value) => [slot.name, slot, value] as const),
);

test.each(inChildren)(
  '%s, in a process of its own: no output repeats what may be a password',
  { timeout: 120_000 },
  async (_, slot, value) => {
    const { dir } = await folder();
    expectNoSecret(await inChild(dir, slot.words(value)), value, dir);
  },
);
