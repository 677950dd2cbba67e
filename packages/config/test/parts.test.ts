import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BeforeToolCall, createHooks, proceed } from '@hooks/core';
import { type AgentRun, openRun } from '@hooks/core/adapter';
import { testAgent } from '@hooks/core/testing';
import { readJournal, verifyJournal } from '@hooks/journal';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  checkHooks,
  formatIssue,
  type LoadOptions,
  loadHooks,
  readHookFile,
  unrecorded,
} from '../src/index.ts';

/** An agent with a file's hooks. */
async function agentOf(file: object, options: LoadOptions & { readonly agent?: object } = {}) {
  const cwd = options.cwd ?? temporaryFolder();
  const warnings: string[] = [];
  const { agent: agentOptions, ...load } = options;
  const loaded = await loadHooks(file, {
    cwd,
    onWarning: (message) => warnings.push(message),
    ...load,
  });
  onTestFinished(() => loaded[Symbol.asyncDispose]());
  return { agent: testAgent(loaded, agentOptions), loaded, cwd, warnings };
}

const says = (command: string) => ({ type: 'command', command });
const builtin = (command: string, args: object = {}) => ({ type: 'builtin', command, args });

test('`principal:` gives every event the user of the environment, and command hooks read it', async () => {
  const { agent, loaded } = await agentOf(
    {
      principal: { id_env: 'WHO', roles_env: 'ROLES', tenant_env: 'TENANT' },
      hooks: {
        before_tool_call: [
          builtin('require_principal', { role: 'admin', tenant: ['acme'] }),
          says(`grep -q '"principal":{"id":"ann"' || { echo nobody >&2; exit 2; }`),
        ],
      },
    },
    { env: { ...process.env, WHO: 'ann', ROLES: 'viewer, admin', TENANT: 'acme' } },
  );
  expect(loaded.principal).toEqual({ id: 'ann', roles: ['viewer', 'admin'], tenant: 'acme' });
  expect(await agent.callTool('read', {})).toMatchObject({ status: 'ok' });
});

const whoCalls = {
  principal: { id_env: 'WHO' },
  hooks: { before_tool_call: [builtin('require_principal')] },
};

test.each([{}, { WHO: '' }, { WHO: ' ' }, { WHO: '\n' }, { WHO: '\u200b' }])(
  '`principal:` with the environment %j is nobody, whom rules refuse',
  async (env) => {
    const { agent } = await agentOf(whoCalls, { env });
    expect(await agent.callTool('read', {})).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('nobody says who the user is'),
    });
  },
);

test('`principal:` takes the user without the line break of a file that a variable was read from', async () => {
  const { principal } = await loadHooks(
    { principal: { id_env: 'WHO', tenant_env: 'TENANT' } },
    { env: { WHO: 'ann\n', TENANT: ' acme\r\n' } },
  );
  expect(principal).toEqual({ id: 'ann', tenant: 'acme' });
});

test.each(['', ' ', '\n'])('a key in a variable that is %j is not set', async (KEY) => {
  const hooks = { before_tool_call: [builtin('pii', { hash_key_env: 'KEY' })] };
  await expect(loadHooks({ hooks }, { cwd: temporaryFolder(), env: { KEY } })).rejects.toThrow(
    'the environment variable KEY is not set',
  );
});

test('the principal of the program goes before that of the file, for other hooks, too', async () => {
  const loaded = await loadHooks(whoCalls, { env: { WHO: 'ann' } });
  const seen: unknown[] = [];
  const hooks = createHooks();
  hooks.use(loaded);
  hooks.on(BeforeToolCall, ({ principal }) => {
    seen.push(principal?.id);
    return proceed();
  });
  await testAgent(hooks, { sessionId: 'a', principal: { id: 'bob' } }).callTool('read', {});
  await testAgent(hooks, { sessionId: 'b' }).callTool('read', {});
  // Nobody in a session that the program opened for bob does not become the user of the file.
  await testAgent(hooks, { sessionId: 'a' }).callTool('read', {});
  expect(seen).toEqual(['bob', 'ann', undefined]);
});

test('a sub-agent of nobody in a session of another user stays nobody', async () => {
  const loaded = await loadHooks(whoCalls, { env: { WHO: 'ann' } });
  const hooks = createHooks();
  hooks.use(loaded);
  const seen: unknown[] = [];
  hooks.on(BeforeToolCall, ({ principal }) => {
    seen.push(principal?.id);
    return proceed();
  });
  const call = (parent: AgentRun) =>
    parent.openChild({ agent: 'sub' }).callTool({ toolName: 'read', input: {} }, () => '');
  await testAgent(hooks, { sessionId: 'a', principal: { id: 'bob' } }).callTool('read', {});
  await call(openRun(hooks, { sessionId: 'a' }));
  await call(openRun(hooks, { sessionId: 'b' }));
  await call(openRun(hooks, { sessionId: 'b', principal: { id: 'bob' } }));
  expect(seen).toEqual(['bob', undefined, 'ann', 'bob']);
});

test('`rate_limit` per principal counts for the user of the file over sessions', async () => {
  const file = {
    principal: { id_env: 'WHO' },
    hooks: {
      before_tool_call: [builtin('rate_limit', { window_ms: 60_000, tool_calls: 1, per: 'principal' })],
    },
  };
  const loaded = await loadHooks(file, { env: { WHO: 'ann' } });
  const hooks = createHooks();
  hooks.use(loaded);
  expect(await testAgent(hooks, { sessionId: 'a' }).callTool('read', {})).toMatchObject({ status: 'ok' });
  expect(await testAgent(hooks, { sessionId: 'b' }).callTool('read', {})).toMatchObject({
    status: 'blocked',
  });
});

test('`rate_limit` per session counts for a session and its sub-agents', async () => {
  const args = { window_ms: 60_000, tool_calls: 1, per: 'session' };
  const hooks = createHooks();
  hooks.use(await loadHooks({ hooks: { before_tool_call: [builtin('rate_limit', args)] } }));
  expect(await testAgent(hooks, { sessionId: 'a' }).callTool('read', {})).toMatchObject({ status: 'ok' });
  const helper = openRun(hooks, { sessionId: 'a' }).openChild({ agent: 'helper' });
  expect(await helper.callTool({ toolName: 'read', input: {} }, () => '')).toMatchObject({
    status: 'blocked',
  });
});

test('`sandbox:` runs commands of shell tools, and calls that a hook routes', async () => {
  const { agent } = await agentOf({
    sandbox: { tools: 'shell', resources: { memory_mb: 256 } },
    hooks: {
      before_tool_call: [
        { matcher: 'deploy', hooks: [says(`echo '{"decision":"route","command":"cat note.txt"}'`)] },
      ],
    },
  });
  const execute = () => 'on the host';
  const { output } = await agent.callTool('bash', { command: 'echo inside' }, { execute });
  expect(output).toContain('inside');
  expect(await agent.callTool('read', { command: 'echo inside' }, { execute })).toMatchObject({
    output: 'on the host',
  });
  const { output: routed } = await agent.callTool('deploy', {}, { execute });
  expect(routed).toContain('note.txt');
  expect(routed).not.toContain('on the host');
});

test('`sandbox:` copies its workspace from the working directory', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'note.txt'), 'from the workspace');
  const { agent } = await agentOf({ sandbox: { workspace: { kind: 'copy', path: '.' } } }, { cwd });
  const { output } = await agent.callTool('bash', { command: 'cat note.txt' });
  expect(output).toContain('from the workspace');
});

const pem = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

test('`journal:` records to a directory, signed with the key of a variable', async () => {
  const keys = generateKeyPairSync('ed25519');
  const KEY = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const { agent, loaded, cwd } = await agentOf(
    { journal: { sink: 'log', key_env: 'KEY' } },
    { env: { KEY } },
  );
  await agent.callTool('read', {});
  await agent[Symbol.asyncDispose]();
  await loaded[Symbol.asyncDispose]();
  expect(await verifyJournal(join(cwd, 'log'), { key: keys.publicKey })).toMatchObject({
    state: 'intact',
    signatures: 'checked',
  });
});

test('`journal:` in a store goes on where another process ended', async () => {
  const cwd = temporaryFolder();
  for (const name of ['first', 'second']) {
    const { agent, loaded } = await agentOf({ journal: { store: '.hooks/log.db' } }, { cwd });
    await agent.callTool(name, {});
    await agent[Symbol.asyncDispose]();
    await loaded[Symbol.asyncDispose]();
  }
  const { sqliteStore } = await import('@hooks/store/sqlite');
  await using store = sqliteStore(join(cwd, '.hooks/log.db'));
  const tools = new Set<string>();
  for await (const { record } of readJournal(store)) if (record.tool) tools.add(record.tool.name);
  expect([...tools]).toEqual(['first', 'second']);
});

test('`journal: { required: true }` that cannot be written refuses calls', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'log'), 'a file');
  const { agent } = await agentOf({ journal: { sink: 'log', required: true } }, { cwd });
  expect(await agent.callTool('read', {})).toMatchObject({
    status: 'blocked',
    reason: expect.stringContaining('the journal is required'),
  });
});

test('a journal goes on after its file is read again', async () => {
  const cwd = temporaryFolder();
  const path = join(cwd, 'hooks.yaml');
  writeFileSync(path, 'journal: { sink: log }\n');
  const loaded = await loadHooks(path, { cwd, trust: true });
  const agent = testAgent(loaded);
  await agent.callTool('first', {});
  await loaded.reload();
  await agent.callTool('second', {});
  await agent[Symbol.asyncDispose]();
  await loaded[Symbol.asyncDispose]();
  const tools = new Set<string>();
  for await (const { record } of readJournal(join(cwd, 'log'))) if (record.tool) tools.add(record.tool.name);
  expect([...tools]).toEqual(['first', 'second']);
});

test('a file that does not load leaves no journal open', async () => {
  const before = process.listenerCount('exit');
  const file = { journal: { sink: 'log' }, hooks: { stop: [builtin('no_such_builtin')] } };
  await expect(loadHooks(file, { cwd: temporaryFolder() })).rejects.toThrow('unknown builtin');
  expect(process.listenerCount('exit')).toBe(before);
});

test.each([
  ['is not set', {}, /^\(object\):\d+:\d+: journal: key_env: the environment variable KEY is not set$/],
  ['is no key', { KEY: 'a-secret-of-mine' }, /key_env: KEY does not hold a private key as PEM$/],
])('a journal whose key %s is refused, and no value is repeated', async (_, env, message) => {
  const loading = loadHooks({ journal: { sink: 'log', key_env: 'KEY' } }, { cwd: temporaryFolder(), env });
  await expect(loading).rejects.toThrow(message);
  await expect(loading).rejects.not.toThrow('a-secret-of-mine');
});

test('`telemetry:` in a program without an OpenTelemetry SDK says so once', async () => {
  const { agent, warnings } = await agentOf({ telemetry: null });
  await agent.callTool('read', {});
  await agent.callTool('read', {});
  expect(warnings).toEqual([expect.stringContaining('this program has no OpenTelemetry SDK')]);
});

test('`unrecorded` loads a file whose journal and telemetry do nothing', async () => {
  const { agent, loaded, cwd } = await agentOf(
    { journal: { sink: 'log', required: true, key_env: 'KEY' }, telemetry: {} },
    { builtins: unrecorded, env: {} },
  );
  expect(await agent.callTool('read', {})).toMatchObject({ status: 'ok' });
  await loaded[Symbol.asyncDispose]();
  expect(existsSync(join(cwd, 'log'))).toBe(false);
});

test('`unrecorded` keeps in memory what counts in a store', async () => {
  const store = 'kept.db';
  const secret = { reveal: { send_mail: ['to'] }, store };
  const { agent, loaded, cwd } = await agentOf(
    {
      hooks: {
        transform_tool_result: [
          builtin('pii', { ...secret, hash_key_env: 'KEY' }),
          builtin('redact_secrets', { ...secret, placeholder_key_env: 'KEY' }),
        ],
        before_tool_call: [
          builtin('pii', { ...secret, hash_key_env: 'KEY' }),
          builtin('redact_secrets', { ...secret, placeholder_key_env: 'KEY' }),
          builtin('limits', { per_session: { tool_calls: 1 }, store }),
          builtin('rate_limit', { tool_calls: 1, window_ms: 60_000, store }),
        ],
      },
    },
    { builtins: unrecorded, env: { KEY: 'k' } },
  );
  const execute = () => 'ann@acme.test, AKIAIOSFODNN7EXAMPLF';
  expect(await agent.callTool('read', {}, { execute })).toMatchObject({ status: 'ok' });
  expect(await agent.callTool('read', {}, { execute })).toMatchObject({ status: 'blocked' });
  await agent[Symbol.asyncDispose]();
  await loaded[Symbol.asyncDispose]();
  expect(readdirSync(cwd)).toEqual([]);
});

const revealing = (guard: string, more: object = {}) => {
  const hook = builtin(guard, { reveal: { send_mail: ['to'] }, ...more });
  return { hooks: { transform_tool_result: [hook], before_tool_call: [hook] } };
};

test.each([
  ['pii', 'ann@acme.test'],
  ['redact_secrets', 'AKIAIOSFODNN7EXAMPLF'],
])('%s with `reveal` gives the value to the named argument of the named tool only', async (guard, value) => {
  const { agent } = await agentOf(revealing(guard));
  const { output } = await agent.callTool('find', {}, { execute: () => value });
  const placeholder = String(output);
  expect(placeholder).toMatch(/^\[REDACTED:[\w-]+#[\da-f]+\]$/);
  const got: unknown[] = [];
  const execute = (input: unknown) => got.push(input);
  await agent.callTool('send_mail', { to: placeholder, body: placeholder }, { execute });
  await agent.callTool('post', { to: placeholder }, { execute });
  expect(got).toEqual([{ to: value, body: placeholder }, { to: placeholder }]);
});

test.each([
  ['pii', 'hash_key_env', 'ann@acme.test'],
  ['redact_secrets', 'placeholder_key_env', 'AKIAIOSFODNN7EXAMPLF'],
])('%s with `reveal`, `store` and `%s` gives the value after a restart', async (guard, key, value) => {
  const options = { cwd: temporaryFolder(), env: { KEY: 'k' }, agent: { sessionId: 'chat' } };
  const file = revealing(guard, { store: '.hooks/values.db', [key]: 'KEY' });
  const first = await agentOf(file, options);
  const { output } = await first.agent.callTool('find', {}, { execute: () => value });
  const second = await agentOf(file, options);
  const got: unknown[] = [];
  await second.agent.callTool('send_mail', { to: output }, { execute: (input) => got.push(input) });
  expect(got).toEqual([{ to: value }]);
});

test.each([
  [{ reveal: { send_mail: ['to'] }, store: 'values.db' }, 'store needs hash_key_env'],
  [{ store: 'values.db' }, 'belong to reveal, which is missing'],
  [{ reveal: { send_mail: [] } }, 'reveal'],
  [{ reveal: { send_mail: ['to'] }, show_to: 'everybody' }, 'show_to'],
  [{ hash_key_env: 'NOT_SET' }, 'the environment variable NOT_SET is not set'],
])('pii with %j is refused', async (args, message) => {
  const hooks = { before_tool_call: [builtin('pii', args)] };
  await expect(loadHooks({ hooks }, { cwd: temporaryFolder(), env: {} })).rejects.toThrow(message);
});

const limited = (command: string, args: object) => ({
  hooks: { before_tool_call: [builtin(command, args)] },
});
const storing: Readonly<Record<string, (store: string) => object>> = {
  flow: (store) => ({ flow: { store } }),
  journal: (store) => ({ journal: { store } }),
  limits: (store) => limited('limits', { per_session: { tool_calls: 1 }, store }),
  rate_limit: (store) => limited('rate_limit', { window_ms: 1000, tool_calls: 1, per: 'all', store }),
  pii: (store) => revealing('pii', { store, hash_key_env: 'KEY' }),
  redact_secrets: (store) => revealing('redact_secrets', { store, placeholder_key_env: 'KEY' }),
};

describe.each(Object.entries(storing))('the store of %s', (_, fileWith) => {
  test.each([
    ...['postgres://ann:hunter2@db/app', 'redis:hunter2@db', ' hunter2.db', '~/hunter2.db', ':MEMORY:'],
    ...['$DATABASE_URL', `\${STATE}/hunter2.db`, `hunter2/\${TENANT}.db`, `/hunter2/\${TENANT}/state.db`],
  ])(
    'is refused at %j: it would be a file of that name in the folder of the policy, and hold a password',
    async (store) => {
      const cwd = temporaryFolder();
      const file = fileWith(store);
      const options = { cwd, env: { KEY: 'k' } };
      const { message } = await loadHooks(file, options).then(
        () => new Error('it was taken'),
        (error: Error) => error,
      );
      expect(message).toMatch(/store:? needs a path/);
      const read = readHookFile(JSON.stringify(file), 'hooks.json');
      const checked = read.issues.length > 0 ? read : await checkHooks(read, options);
      const issues = checked.issues.map(formatIssue);
      expect(issues).not.toEqual([]);
      for (const issue of issues) expect(issue).toMatch(/store:? needs a path/);
      expect(message + JSON.stringify(issues)).not.toContain('hunter2');
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  test.each([`./\${TENANT}.db`, './a:b.db', '../a b.db', '$.db', 'of $name/state.db'])(
    'may be the file %s beside the policy',
    async (store) => {
      const cwd = join(temporaryFolder(), 'policy');
      mkdirSync(cwd);
      const loading = agentOf(fileWith(store), { cwd, env: { KEY: 'k' } });
      await expect(loading).resolves.toBeDefined();
    },
  );

  test('is refused in memory, where under `hooks run` each event would have a store of its own', async () => {
    const options = { cwd: temporaryFolder(), env: { KEY: 'k' } };
    await expect(loadHooks(fileWith(':memory:'), options)).rejects.toThrow(/store:? needs a file/);
  });
});

test.each(['postgres://ann:hunter2@db/app', '~/hunter2', '$DIRECTORY', `/hunter2/\${TENANT}`])(
  'the sink %j of a journal is refused: it would be a folder of that name beside the policy, and hold a password',
  async (sink) => {
    const cwd = temporaryFolder();
    const { message } = await loadHooks({ journal: { sink } }, { cwd }).then(
      () => new Error('it was taken'),
      (error: Error) => error,
    );
    expect(message).toContain('needs a path');
    expect(message).not.toContain('hunter2');
    expect(readdirSync(cwd)).toEqual([]);
  },
);

test('`reveal` that is not listed before tool calls is refused, because it would give nothing', async () => {
  const hooks = { transform_tool_result: [builtin('pii', { reveal: { send_mail: ['to'] } })] };
  const message = 'list the same hook under before_tool_call, too';
  await expect(loadHooks({ hooks })).rejects.toThrow(message);
  const read = readHookFile(JSON.stringify({ hooks }), 'hooks.json');
  expect(await checkHooks(read, { cwd: '.', env: {} })).toMatchObject({
    issues: [{ message: expect.stringContaining(message) }],
  });
});

test.each([
  ['principal: { id: ann }', 1, 'unknown field; expected one of: id_env, roles_env, tenant_env'],
  ['principal: { id_env: $USER }', 1, 'expected the name of an environment variable'],
  ['principal:', 1, 'expected the name of an environment variable'],
  ['journal: {}', 1, 'expected sink (a directory) or store (a file)'],
  ['journal:\n  sink: a\n  store: b\n', 3, 'expected sink or store, not both'],
  ['journal:\n  sink: a\n  keep_day: 30\n', 3, 'unknown field; did you mean "keep_days"?'],
  ['journal: { sink: a, keep_days: 0 }', 1, 'expected a number of at least 1'],
  ['journal: { sink: a, replaces_env: OLD }', 1, 'it is the key before key_env'],
  ['journal: { sink: a, key_env: "-----BEGIN PRIVATE KEY-----" }', 1, 'expected the name of an environment'],
  ['sandbox: { provider: e2b }', 1, 'expected local or docker; others are made in code'],
  ['sandbox: { image: node }', 1, 'only the provider docker has it'],
  ['sandbox: { provider: docker, read_only: [/opt] }', 1, 'only the provider local has it'],
  ['sandbox: { network: open }', 1, 'the provider local has no network'],
  ['sandbox: { workspace: { kind: copy } }', 1, 'expected a text'],
  ['sandbox: { resources: { memory: 1 } }', 1, 'unknown field; did you mean "memory_mb"?'],
  [
    'sandbox: { resources: {} }',
    1,
    'it is empty; expected memory_mb, processes, cpu_seconds, file_mb or disk_mb',
  ],
  ['sandbox: { env: {} }', 1, 'it is empty; expected an entry'],
  ['sandbox: { provider: docker, labels: {} }', 1, 'it is empty; expected an entry'],
  ['sandbox: { read_only: [] }', 1, 'expected a list that is not empty'],
  ['sandbox: { workspace: { kind: copy, path: ., exclude: [] } }', 1, 'expected a list that is not empty'],
  ['telemetry: { reason: true }', 1, 'unknown field; did you mean "reasons"?'],
  ['telemetri:', 1, 'unknown field; did you mean "telemetry"?'],
])('%j is refused, with its place', (text, line, message) => {
  const { issues } = readHookFile(text, 'hooks.yaml');
  expect(issues).toContainEqual(expect.objectContaining({ line, message: expect.stringContaining(message) }));
});

test.each(['principal', 'journal', 'telemetry', 'sandbox'] as const)(
  '`%s:` in a file of another program is refused',
  (part) => {
    const { issues } = readHookFile(`${part}: {}\nagents: {}\n`, 'agent.yaml', 'docker-agent');
    expect(issues).toMatchObject([
      { path: part, message: expect.stringContaining('only files of the dialect "hooks" have it') },
    ]);
  },
);

test.each([
  ['claude-code', { hooks: { Stop: [] }, sandbox: { enabled: true } }],
  ['gemini', { hooks: { AfterAgent: [] }, telemetry: { enabled: true } }],
] as const)('settings of %s with a field of the same name are its own', (dialect, settings) => {
  expect(readHookFile(JSON.stringify(settings), 'settings.json', dialect).issues).toEqual([]);
});

test('a part is no built-in of an event', async () => {
  const hooks = { before_tool_call: [builtin('journal', { sink: 'log' })] };
  await expect(loadHooks({ hooks })).rejects.toThrow('unknown builtin "journal"');
});

test.each([{}, { WHO: '', KEY: ' ', PII_KEY: '\n' }])(
  'checking a file says which variables are not set in %j, and what a program cannot do',
  async (env) => {
    const cwd = temporaryFolder();
    const file = {
      principal: { id_env: 'WHO' },
      journal: { sink: 'log', key_env: 'KEY' },
      telemetry: {},
      sandbox: {},
      hooks: { before_tool_call: [builtin('pii', { hash_key_env: 'PII_KEY' })] },
    };
    const read = readHookFile(JSON.stringify(file), 'hooks.json');
    const { issues, notices } = await checkHooks(read, { cwd, env });
    expect(issues).toEqual([]);
    expect(notices.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(/^principal.id_env: .*WHO is not set here/),
      expect.stringMatching(/^journal.key_env: .*KEY is not set here/),
      expect.stringMatching(/^telemetry: .*SDK of the program/),
      expect.stringMatching(/^sandbox: .*under "hooks run" these calls are refused/),
      expect.stringMatching(/^before_tool_call.hash_key_env: .*PII_KEY is not set here/),
    ]);
    expect(existsSync(join(cwd, 'log'))).toBe(false);
    const set = await checkHooks(read, { cwd, env: { WHO: 'ann', KEY: pem(), PII_KEY: 'k' } });
    expect(set.notices.map(({ path }) => path)).toEqual(['telemetry', 'sandbox']);
  },
);

test('a fault in a part on a gate closes it', async () => {
  const { loaded } = await agentOf({
    sandbox: {},
    journal: { sink: 'log', required: true },
    principal: { id_env: 'WHO' },
    telemetry: {},
  });
  const faults = await loaded.injectFaults();
  expect(faults.map(({ entry, closed }) => [entry.label, closed])).toEqual([
    ['journal', true],
    ['sandbox', true],
  ]);
});
