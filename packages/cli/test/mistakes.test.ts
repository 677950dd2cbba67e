// What the command line says about ordinary mistakes: which argument is wrong, and what would be right.
import { join } from 'node:path';
import { sqliteStore } from '@hooks/store/sqlite';
import { expect, test, vi } from 'vitest';
import { STORE_FORMS } from '../src/address.ts';
import { runCli } from '../src/cli.ts';
import { workspace } from './program.ts';

const FILES = {
  'hooks.yaml': 'hooks: {}\n',
  'half.json': '{"a":',
  'throws.mjs': 'throw new Error("the policy needs DATABASE_URL")',
  'refuses.mjs':
    'export default { name: "pay", register() { throw new Error("the limit has no number"); } };',
  '.mcp.json': '{"mcpServers":{"files":{"command":"npx","args":["files"]}}}',
};

const NO_FILE = 'there is no such file in DIR';
const HOOKS = 'expected a file of hooks, or its directory';
const NO_STORE = `neither an address of Postgres or Redis, nor a file in DIR; expected the store that your agent opens: ${STORE_FORMS}`;
const SIGNS =
  'with these signs of a name or password encoded: % as %25, @ as %40, / as %2F, ? as %3F, # as %23, : as %3A';
const CLIENT = 'expected a file of hooks, its directory, or a module';

/** Each command line, its exit code and what it prints. `DIR` is the working directory. */
const MISTAKES: readonly (readonly [words: readonly string[], code: number, message: string])[] = [
  // The command line itself
  [['validat'], 2, 'error: unknown command after "hooks"; did you mean validate?'],
  [['approvals', 'lst'], 2, 'error: unknown command after "hooks approvals"; did you mean list?'],
  [['pins', 'remove'], 2, 'error: unknown command after "hooks pins"; expected one of: list, forget'],
  [['pins', 'list', '--stor', 's.db'], 2, 'error: unknown option --stor; did you mean --store?'],
  [['pins', 'list', '--at=s.db'], 2, 'error: unknown option --at; see "hooks pins list --help"'],
  [['pins', 'list', '-s', 's.db'], 2, 'error: unknown option -s; see "hooks pins list --help"'],
  [
    ['pins', 'list', 's.db'],
    2,
    'error: "hooks pins list" takes only options, but got 1 argument; quote a value that has spaces',
  ],
  [
    ['validate', 'my', 'hooks.yaml'],
    2,
    'error: "hooks validate" takes at most 1 argument, but got 2 arguments; quote a value that has spaces',
  ],
  [['explain'], 2, "error: missing required argument 'event'"],
  [['install'], 2, "error: required option '--for <agent>' not specified"],
  [['validate', '--dialect'], 2, "error: option '--dialect <name>' argument missing"],
  [
    ['validate', '--dialect', 'claude'],
    2,
    'error: --dialect: expected one of: hooks, docker-agent, claude-code, ai4j, cursor, copilot, gemini, codex',
  ],
  [
    ['replay', '--policy', 'hooks.yaml', '--fail-on', 'loose'],
    2,
    'error: --fail-on: expected one of: loosened, tightened, unknown',
  ],
  [['journal', 'export', '--format', 'csv'], 2, 'error: --format: expected one of: jsonl, otlp'],
  [
    ['approvals', 'allow', '3f2a', '--remember', 'ever'],
    2,
    'error: --remember: expected one of: run, session, always',
  ],
  // Files
  [['validate', 'gone.yaml'], 1, `hooks: [file]: ${NO_FILE}; ${HOOKS}`],
  [['list', 'no/gone.yaml'], 1, `hooks: [file]: ${NO_FILE}; ${HOOKS}`],
  [['config', 'migrate', 'gone.json'], 1, `hooks: <file>: ${NO_FILE}; ${HOOKS}`],
  [['trust', 'gone.yaml'], 1, `hooks: [file]: ${NO_FILE}; ${HOOKS}`],
  [['untrust', 'gone.yaml'], 0, `[path]: ${NO_FILE}, and none was trusted`],
  [['init', 'hooks.yaml'], 1, 'hooks: DIR/hooks.yaml exists already'],
  [['init', 'no/hooks.yaml'], 1, 'hooks: [file]: there is no such folder in DIR; make it first'],
  [['explain', 'gone.json'], 1, `hooks: <event>: ${NO_FILE}; expected a JSON or YAML file with an event`],
  [['explain', 'half.json'], 1, 'hooks: DIR/half.json:1:6: neither YAML nor JSON (MISSING_CHAR)'],
  [['explain', 'half.json', '--file', 'gone.yaml'], 1, `hooks: --file: ${NO_FILE}; ${HOOKS}`],
  [['test', 'gone.yaml'], 1, `hooks: <cases>: ${NO_FILE}; expected a YAML or JSON file with test cases`],
  [['doctor', '--file', 'gone.yaml'], 1, `hooks: --file: ${NO_FILE}; ${HOOKS}`],
  [['install', '--for', 'cursor'], 1, 'hooks: --for: expected one of: claude-code, codex, gemini'],
  [['install', '--for', 'codex', '--file', 'gone.yaml'], 1, `hooks: --file: ${NO_FILE}; ${HOOKS}`],
  [
    ['uninstall', '--for', 'codex', '--settings', 'gone.json'],
    0,
    `--settings: ${NO_FILE}, so nothing is installed there`,
  ],
  [
    ['uninstall', '--for', 'codex', '--settings', '.mcp.json', '--file', 'hooks.yaml'],
    1,
    'hooks: --file: it is not installed in DIR/.mcp.json; installed: nothing',
  ],
  [['replay', '--policy', 'gone.ts'], 1, `hooks: --policy: ${NO_FILE}; ${CLIENT}`],
  [['replay', '--policy', 'throws.mjs'], 1, 'hooks: DIR/throws.mjs: the policy needs DATABASE_URL'],
  [
    ['mcp', 'install', '--for', 'claude-code', '--policy', 'refuses.mjs'],
    1,
    'hooks: policy "pay": the limit has no number',
  ],
  // MCP
  [['mcp'], 1, 'hooks: name the MCP server: hooks mcp -- <command>, or hooks mcp --url <url>'],
  [
    ['mcp', '--', 'no-such-server'],
    1,
    'hooks: [server...]: there is no such program; expected the command that starts the MCP server, such as npx',
  ],
  [
    ['mcp', '--url', 'ftp://mcp.test'],
    1,
    'hooks: --url: expected a URL that begins with https: or http:, or $NAME of a variable that has one',
  ],
  [['mcp', '--url', '$NOWHERE'], 1, 'hooks: --url: the variable NOWHERE is not set'],
  [
    ['mcp', '--url', 'https://mcp.test', '--header', 'Authorization'],
    1,
    "hooks: --header: expected 'Name: value'; $NAME in the value comes from the environment",
  ],
  [
    ['mcp', '--url', 'https://mcp.test', '--header', 'Authorization: Bearer $NO_TOKEN'],
    1,
    'hooks: --header: the variable $NO_TOKEN is not set',
  ],
  [
    ['mcp', '--url', 'https://mcp.test', '--policy', 'hooks.yaml', '--hide', '['],
    1,
    'hooks: --hide: not a regular expression that hooks can match; expected the names of tools, such as "delete_.*|drop"',
  ],
  [
    ['mcp', 'install', 'web', '--for', 'claude-code'],
    1,
    'hooks: [server]: no such server in DIR/.mcp.json; there is: files',
  ],
  // Stores
  [
    ['pins', 'list'],
    1,
    `hooks: There is no store at DIR/.hooks/store.db. Give the one that your agent opens, with --store or HOOKS_STORE: ${STORE_FORMS}.`,
  ],
  [['pins', 'list', '--store', 'gone.db'], 1, `hooks: --store: ${NO_STORE}`],
  [['pins', 'list', '--store', 'mysql://127.0.0.1/hooks'], 1, `hooks: --store: ${NO_STORE}`],
  [['pins', 'list', '--store', '$NOWHERE'], 1, 'hooks: --store: the variable NOWHERE is not set'],
  [
    ['pins', 'list', '--store', 'redis://:p/w@127.0.0.1'],
    1,
    `hooks: --store: the address of Redis cannot be read; expected redis://user:password@host:port/…, ${SIGNS}`,
  ],
  [
    ['pins', 'list', '--store', 'postgres://hooks:100%@127.0.0.1/hooks'],
    1,
    `hooks: --store: the address of Postgres cannot be read; expected postgres://user:password@host:port/…, ${SIGNS}`,
  ],
  [
    ['pins', 'list', '--store', 'postgres://127.0.0.1:1/hooks?schema=Agents'],
    1,
    'hooks: --store: "?schema=" takes at most 51 lower-case letters, digits and underscores',
  ],
  [
    ['pins', 'list', '--store', 'postgres://ann:pw@127.0.0.1:1/hooks'],
    1,
    'hooks: --store: the Postgres store in schema hooks cannot be reached: the connection was refused (ECONNREFUSED); host 127.0.0.1, port 1',
  ],
  [
    ['pins', 'list', '--store', 'redis://:pw@127.0.0.1:1'],
    1,
    'hooks: --store: the Redis store hooks: cannot be reached: the client could not connect (MaxRetriesPerRequestError); host 127.0.0.1, port 1',
  ],
  [
    ['pins', 'list', '--store', 'hooks.yaml'],
    1,
    'hooks: --store: the SQLite store DIR/hooks.yaml is not one that this version can use: file is not a database',
  ],
  // Approvals and pins
  [['approvals', 'deny', '3f', '--store', 's.db'], 1, 'hooks: <id>: too short; give at least 4 characters'],
  [
    ['approvals', 'deny', '3f2a', '--store', 's.db'],
    1,
    'hooks: <id>: no request has this id; see "hooks approvals list". One that is over is forgotten after ten minutes.',
  ],
  [
    ['approvals', 'forget', '3f2a', '--store', 's.db'],
    1,
    'hooks: <id>: no remembered approval has this id; see "hooks approvals list --remembered"',
  ],
  [['approvals', 'allow', '3f2a', '--times', '3'], 1, 'hooks: --for and --times need --remember'],
  [
    ['approvals', 'allow', '3f2a', '--remember', 'always', '--times', 'many'],
    1,
    'hooks: --times: expected a whole number, such as 3',
  ],
  [
    ['approvals', 'allow', '3f2a', '--remember', 'always', '--for', 'ever'],
    1,
    "hooks: --for: expected a time, such as '30 min', '8 h' or '7 d'",
  ],
  [
    ['pins', 'forget', 'search', '--store', 's.db'],
    1,
    'hooks: <tool>: no pinned tool has this name or key; see "hooks pins list"',
  ],
  // Journals
  [['journal', 'verify'], 1, 'hooks: There is no journal at DIR/.hooks/journal.'],
  [
    ['journal', 'verify', 'gone'],
    1,
    `hooks: [path]: ${NO_FILE}; expected the directory of a journal; for the address of a store, use --store`,
  ],
  [['journal', 'verify', 'gone', '--store', 's.db'], 1, 'hooks: give [path] or --store, not both'],
  [
    ['journal', 'verify', '--require', 'closed,sign'],
    1,
    'hooks: --require: one of its parts is none of closed, signed; separate several with commas',
  ],
  [
    ['journal', 'verify', '--expect', 'abc'],
    1,
    'hooks: --expect: expected checkpoints as "hooks journal verify" shows them, of 64 hex digits',
  ],
  [
    ['journal', 'verify', '.', '--key', 'gone.pub'],
    1,
    `hooks: --key: ${NO_FILE}; expected the path of a file with a public key as PEM`,
  ],
  [
    ['journal', 'erase', '--session', 's', '--key', 'hooks.yaml'],
    1,
    'hooks: --key: DIR/hooks.yaml does not hold a private key as PEM',
  ],
  [
    ['journal', 'prune', '--before', 'soon'],
    1,
    'hooks: --before: expected 7d, 12h, 30m, or a date such as 2026-11-16',
  ],
  [['view', '--port', 'http'], 1, 'hooks: --port: expected a number up to 65535'],
];

async function place() {
  const made = workspace(FILES);
  for (const name of ['hooks.yaml', 'throws.mjs', 'refuses.mjs'] as const)
    await made.trust(name, FILES[name]);
  const store = sqliteStore(join(made.dir, 's.db'));
  await store.set('key', 1);
  await store.close();
  return made;
}

test.each(MISTAKES)('hooks %j ends with %i and says: %s', async (words, code, message) => {
  const { cli, dir } = await place();
  const { stdout, stderr, ...ended } = await cli(...words);
  expect({ ...ended, says: (stdout + stderr).replaceAll(dir, 'DIR') }).toEqual({
    code,
    says: `${message}\n`,
  });
});

test('a mistake in HOOKS_STORE is named as one', async () => {
  const { cli, dir } = await place();
  vi.stubEnv('HOOKS_STORE', 'gone.db');
  const { stderr } = await cli('pins', 'list');
  vi.unstubAllEnvs();
  expect(stderr.replaceAll(dir, 'DIR')).toBe(`hooks: HOOKS_STORE: ${NO_STORE}\n`);
});

test.each([
  [[], '--as: expected one of: claude-code, codex, '],
  [['--as', 'windsurf'], '--as: expected one of: claude-code, codex, '],
  [['--as', 'codex', '--limit', 'long'], '--limit: expected a number of seconds, up to 2000000\n'],
  [['--as', 'codex', '--file', 'gone.yaml'], `--file: ${NO_FILE}; ${HOOKS}\n`],
  [
    ['--as', 'codex', '--policy', 'gone.ts'],
    `--policy: ${NO_FILE}; expected a module that exports a provider\n`,
  ],
  [['--as', 'codex', '--policy', 'throws.mjs'], 'DIR/throws.mjs: the policy needs DATABASE_URL\n'],
  [['--as', 'codex', '--file'], '--file: needs a value; one that begins with - is written --file=-…\n'],
  [
    ['--as', 'codex', '--flie', 'hooks.yaml'],
    'unknown option --flie; expected --as, --file, --policy and --limit, each with a value\n',
  ],
  [
    ['--as', 'codex', 'hooks.yaml'],
    'argument 3 belongs to no option; expected --as, --file, --policy and --limit, each with a value\n',
  ],
  [['--as', 'codex', '--as', 'codex'], '--as is given twice: give it once\n'],
])('hooks run %j refuses and says: %s', async (words, message) => {
  const { asHook, dir } = await place();
  const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {}, session_id: 's' };
  const { code, stderr } = await asHook(event, ...words);
  expect(code).toBe(2);
  expect(stderr.replaceAll(dir, 'DIR').startsWith(`hooks run failed: ${message}`), stderr).toBe(true);
});

test('an error that nobody expected is reported by its kind and place, without its message', async () => {
  const said: string[] = [];
  const output = {
    write(): void {
      throw new TypeError('postgres://ann:hunter2@db.internal');
    },
  };
  const stderr = { write: (text: string) => said.push(text) };
  const program = { stdout: output, stderr, env: {}, self: [], cwd: () => import.meta.dirname };
  expect(await runCli(['untrust', '.'], program)).toBe(1);
  expect(said.join('')).toMatch(
    /^hooks: unexpected TypeError, a fault of hooks or of the policy\. Its message is not shown because it may hold a password\.\n {4}at .*mistakes\.test\.ts/,
  );
  expect(said.join('')).not.toContain('hunter2');
});
