import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { trustModules, type Workspace, workspace } from './program.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const policy = `hooks:
  user_prompt_submit: [{type: command, command: "exit 2"}]
  before_tool_call: [{matcher: shell, hooks: [{type: command, command: "echo not here >&2; exit 2"}]}]
`;

async function policed(files: Readonly<Record<string, string>> = {}): Promise<Workspace> {
  const place = workspace({ 'hooks.yaml': policy, ...files });
  await place.trust('hooks.yaml', policy);
  return place;
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** A server that responds to each request with its own arguments and working directory. */
const server = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const tools = [{ name: 'shell' }, { name: 'drop' }];
  const content = [{ type: 'text', text: process.cwd() + ' ' + process.env.MINE }];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'tools/list' ? { tools } : { content } }));
});`;

/** Starts `hooks mcp …` as a process. */
function started(
  { dir }: Workspace,
  ...given: (string | { args: readonly string[]; env: NodeJS.ProcessEnv })[]
) {
  const args = given.flatMap((one) => (typeof one === 'string' ? [one] : one.args));
  const more = given.map((one) => (typeof one === 'string' ? {} : one.env));
  const child = spawn(process.execPath, ['--conditions=@hooks/source', main, 'mcp', ...args], {
    cwd: dir,
    env: Object.assign({ MINE: 'kept', ...process.env, XDG_CONFIG_HOME: join(dir, '.config') }, ...more),
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    stderr: () => stderr,
    async ask(method: string, params: object = {}) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
      return JSON.parse(String((await lines.next()).value));
    },
  };
}

describe('mcp', () => {
  test('decides with a hook file, and passes on environment, folder and exit code', async () => {
    const place = await policed({
      'server.cjs': `${server}\nprocess.stdin.on('end', () => process.exit(7));`,
    });
    const { ask, child, stderr } = started(
      place,
      ...['--policy', 'hooks.yaml', '--hide', 'drop'],
      '--',
      'node',
      'server.cjs',
    );
    expect((await ask('tools/list')).result.tools).toEqual([{ name: 'shell' }]);
    expect((await ask('tools/call', { name: 'shell' })).result).toEqual({
      content: [{ type: 'text', text: expect.stringContaining('not here') }],
      isError: true,
    });
    expect((await ask('tools/call', { name: 'other' })).result.content[0].text).toBe(`${place.dir} kept`);
    expect((await ask('tools/call', { name: 'drop' })).result.content[0].text).toContain('not available');
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    // A hook that never fires here gives a warning, not an error.
    expect(stderr()).toContain('user_prompt_submit');
  });

  test('reaches a server over HTTP, with headers from the environment', async () => {
    const place = await policed();
    let got: string | undefined;
    const http = createServer((request, response) => {
      got = request.headers.authorization;
      response.setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void http.close());
    await once(http, 'listening');
    const { port } = http.address() as { port: number };
    const { ask, child } = started(
      place,
      ...['--policy', 'hooks.yaml', '--url', `http://127.0.0.1:${port}/mcp`],
      ...['--header', 'Authorization: Bearer $MINE'],
    );
    expect((await ask('tools/call', { name: 'other' })).result).toEqual({ content: [] });
    expect(got).toBe('Bearer kept');
    child.stdin.end();
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  test('redacts secrets in results', async () => {
    const file = 'hooks: {transform_tool_result: [{type: builtin, command: redact_secrets}]}\n';
    const place = workspace({ 'hooks.yaml': file, 'server.cjs': server });
    await place.trust('hooks.yaml', file);
    const key = `ghp_${'aB3dE5fG7h'.repeat(3)}xY1zW2`;
    vi.stubEnv('MINE', key);
    const { ask } = started(place, '--', 'node', 'server.cjs');
    const { content } = (await ask('tools/call', { name: 'env' })).result;
    expect(content[0].text).toContain('[REDACTED');
    expect(JSON.stringify(content)).not.toContain(key);
  });

  test('makes a call wait in the inbox if the client cannot ask', async () => {
    const asking =
      "export default { name: 'asks', register: (hooks) => hooks.on(BeforeToolCall, () => requireApproval('Really?')) };";
    const place = workspace({
      'asks.ts': `import { BeforeToolCall, requireApproval } from '${import.meta.resolve('@hooks/core')}';\n${asking}`,
      'server.cjs': server,
    });
    await trustModules(place.dir, ['--policy', 'asks.ts']);
    const { ask } = started(place, '--policy', 'asks.ts', '--store', 'store.db', '--', 'node', 'server.cjs');
    const asked = ask('tools/call', { name: 'other' });
    const waiting = async () =>
      (await place.cli('approvals', 'list', '--json', '--store', 'store.db')).stdout;
    await expect
      .poll(async () => JSON.parse((await waiting()) || '[]'))
      .toMatchObject([{ toolName: 'other' }]);
    const [{ id }] = JSON.parse(await waiting());
    expect((await place.cli('approvals', 'allow', id, '--store', 'store.db')).code).toBe(0);
    expect((await asked).result.content[0].text).toContain(place.dir);
  });

  test('stores pins in a file', async () => {
    const place = await policed({ 'server.cjs': server });
    const names = async () => {
      const { ask, child } = started(place, '--pin', 'mine', '--', 'node', 'server.cjs');
      const { tools } = (await ask('tools/list')).result;
      child.stdin.end();
      await once(child, 'exit');
      return tools.map(({ name }: { name: string }) => name);
    };
    expect(await names()).toEqual(['shell', 'drop']);
    writeFileSync(
      join(place.dir, 'server.cjs'),
      server.replace("name: 'drop'", "name: 'drop', description: 'IGNORE ALL'"),
    );
    expect(await names()).toEqual(['shell']);
  });

  test.each([
    [['--', 'node'], 'has no hooks', {}],
    [['--policy', 'hooks.yaml'], 'name the MCP server', undefined],
    [['--policy', 'hooks.yaml', '--url', 'http://x', '--', 'node'], 'not both', undefined],
    [['--policy', 'hooks.yaml', '--url', 'ftp://x'], 'https:', undefined],
    [
      ['--policy', 'hooks.yaml', '--url', 'http://x', '--header', 'A: $NOT_SET_HERE'],
      '--header: the variable $NOT_SET_HERE is not set',
      undefined,
    ],
    [
      ['--policy', 'hooks.yaml', '--url', 'http://x', '--header', 'secret'],
      "expected 'Name: value'",
      undefined,
    ],
    [['--policy', 'none.yaml', '--', 'node'], '--policy: there is no such file in', undefined],
  ])('reports what is wrong with %j', async (args, expected, files) => {
    const place = files === undefined ? await policed() : workspace({});
    const { code, stderr } = await place.cli('mcp', ...args);
    expect(code).toBe(1);
    expect(stderr).toContain(expected);
  });

  test('does not start with an untrusted file', async () => {
    const place = workspace({ 'hooks.yaml': policy });
    const { child, stderr } = started(place, '--', 'node', 'server.cjs');
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(stderr()).toContain('is not trusted');
  });
});

describe('mcp install', () => {
  const files = {
    'claude-code': [
      '.mcp.json',
      '{\n    "mcpServers": {\n        "files": { "command": "npx", "args": ["server-files", "a b"], "env": { "A": "1" } },\n        "bare": {\n            "command": "serve"\n        },\n        "far": { "type": "http", "url": "https://x.test", "headers": {"Authorization": "Bearer SECRET", "X-Team": "a b"}, "timeout": 5 },\n        "old": { "type": "sse", "url": "https://old.test" }\n    }\n}\n',
    ],
    gemini: [
      '.gemini/settings.json',
      '{\n  // mine\n  "mcpServers": {"files": {"command": "npx", "args": ["server-files", "a b"], "trust": true}, "far": {"trust": true, "httpUrl": "https://x.test"}},\n}\n',
    ],
    vscode: [
      '.vscode/mcp.json',
      '{\n\t"servers": {\n\t\t"files": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "npx",\n\t\t\t"args": ["server-files", "a b"] // why\n\t\t}\n\t}\n}\n',
    ],
    codex: [
      '.codex/config.toml',
      'model = "m" # mine\n\n[mcp_servers.files] # my files\ncommand = "npx"\nargs = [\n  "server-files",\n  "a b",\n]\nenv = { A = "1" }\n\n[mcp_servers.files.tools.x]\nenabled = true\n\n[mcp_servers."bare one"]\ncommand = \'serve\'\n\n[mcp_servers.far]\nurl = "https://x.test"\nhttp_headers = { "X-Team" = "a b" }\nbearer_token_env_var = "TOKEN"\n',
    ],
  } as const;

  test.each(Object.entries(files))(
    'for %s puts itself before the command, and uninstall removes it',
    async (client, [file, text]) => {
      const place = await policed();
      const path = join(place.dir, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      vi.stubEnv('CODEX_HOME', '');
      const shown = await place.cli('mcp', 'install', '--for', client);
      expect(shown.code).toBe(1);
      expect(shown.stdout).toContain('  files\n  - npx server-files "a b"\n  + ');
      expect(shown.stderr).toContain('--yes');
      expect(readFileSync(path, 'utf8')).toBe(text);

      const installed = await place.cli('mcp', 'install', '--for', client, '--yes');
      expect(installed).toMatchObject({ code: 0, stderr: '' });
      const after = readFileSync(path, 'utf8');
      // Only files that a team shares have no path of the machine.
      const isShared = client === 'claude-code' || client === 'vscode';
      expect(after.includes(place.dir)).toBe(!isShared);
      expect(after.includes('hooks.yaml')).toBe(true);
      expect(after).not.toContain('"url": "https://x.test"');
      expect(shown.stdout).not.toContain('SECRET');
      expect(after.includes('mine')).toBe(text.includes('mine'));
      expect(after.includes('why')).toBe(text.includes('why'));
      expect((await place.cli('mcp', 'install', '--for', client, '--yes')).stdout).toContain(
        'nothing to change',
      );
      expect(readFileSync(path, 'utf8')).toBe(after);

      expect((await place.cli('mcp', 'uninstall', '--for', client)).code).toBe(1);
      expect((await place.cli('mcp', 'uninstall', '--for', client, '--yes')).code).toBe(0);
      const back = readFileSync(path, 'utf8');
      const shape = (of: string) => of.replaceAll(/\s|,(?=\s*[\]}])/g, '').replaceAll("'", '"');
      // A server without `args` gets empty ones.
      const fields = (of: string) =>
        shape(of)
          .replaceAll(/,"args":\[\]|args=\[\]/g, '')
          .split(/[,{}]/)
          .toSorted();
      expect(fields(back)).toEqual(fields(text));
    },
  );

  test('changes only the named server, which starts the original command', async () => {
    const place = await policed({ '.mcp.json': files['claude-code'][1], 'server.cjs': server });
    expect((await place.cli('mcp', 'install', 'files', '--for', 'claude-code', '--yes')).code).toBe(0);
    const { mcpServers } = JSON.parse(readFileSync(join(place.dir, '.mcp.json'), 'utf8'));
    expect(mcpServers.bare).toEqual({ command: 'serve' });
    expect(mcpServers.files).toEqual({
      command: 'npx',
      args: ['--no-install', 'hooks', 'mcp', '--policy', 'hooks.yaml', '--', 'npx', 'server-files', 'a b'],
      env: { A: '1' },
    });
    const none = await place.cli('mcp', 'install', 'none', '--for', 'claude-code', '--yes');
    expect(none.stderr).toContain('.mcp.json; there is: files, bare, far, old');
    const outside = ['mcp', 'install', '--for', 'claude-code', '--yes', '--settings', 'sub/.mcp.json'];
    mkdirSync(join(place.dir, 'sub'));
    writeFileSync(join(place.dir, 'sub/.mcp.json'), files['claude-code'][1]);
    expect((await place.cli(...outside)).stderr).toContain('is outside of');
  });

  test('puts itself before a server over HTTP, which gets the same headers', async () => {
    let got: unknown;
    const http = createServer(({ headers: { authorization, 'x-team': team } }, response) => {
      got = { authorization, team };
      response.setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void http.close());
    await once(http, 'listening');
    const { port } = http.address() as { port: number };
    const headers = { Authorization: 'Bearer mine', 'X-Team': 'a: $b' };
    const far = { type: 'http', url: `http://127.0.0.1:${port}/mcp?key=mine`, headers, env: { OWN: '1' } };
    const oauth = { ...far, oauth: {} };
    const odd = { ...far, args: ['x'] };
    const text = JSON.stringify({ mcpServers: { far, oauth, odd } });
    const place = await policed({ '.mcp.json': text });
    const { stdout } = await place.cli('mcp', 'install', '--for', 'claude-code', '--yes');
    expect(stdout).toContain('oauth has oauth, which hooks mcp does not carry, so it stays unchanged');
    expect(stdout).toContain('odd has both an address and args, so it stays unchanged');
    expect(stdout).not.toContain('mine');
    const { command, args, env, ...rest } = JSON.parse(readFileSync(join(place.dir, '.mcp.json'), 'utf8'))
      .mcpServers.far;
    expect({ command, rest, start: args.slice(0, 3) }).toEqual({
      command: 'npx',
      rest: {},
      start: ['--no-install', 'hooks', 'mcp'],
    });
    expect(args.join(' ')).not.toContain('mine');
    const { ask } = started(place, { args: args.slice(3), env });
    expect((await ask('tools/call', { name: 'other' })).result).toEqual({ content: [] });
    expect((await ask('tools/call', { name: 'shell' })).result.content[0].text).toContain('not here');
    expect(got).toEqual({ authorization: 'Bearer mine', team: 'a: $b' });
    await place.cli('mcp', 'uninstall', '--for', 'claude-code', '--yes');
    expect(JSON.parse(readFileSync(join(place.dir, '.mcp.json'), 'utf8'))).toEqual(JSON.parse(text));
  });

  test('finds the servers that "claude mcp add" wrote into the file of the user', async () => {
    const place = await policed();
    const one = { type: 'stdio', command: 'node', args: ['x.js'], env: {} };
    const own = {
      projects: { [place.dir]: { mcpServers: { one } }, '/other': { mcpServers: { one } } },
      mcpServers: { two: one },
    };
    const path = join(place.dir, '.claude.json');
    writeFileSync(path, JSON.stringify(own));
    vi.stubEnv('CLAUDE_CONFIG_DIR', '');
    expect(await place.cli('mcp', 'install', '--for', 'claude-code', '--yes')).toMatchObject({ code: 0 });
    const { projects, mcpServers } = JSON.parse(readFileSync(path, 'utf8'));
    const start = {
      command: process.execPath,
      args: expect.arrayContaining(['mcp', join(place.dir, 'hooks.yaml')]),
    };
    expect(projects[place.dir].mcpServers.one).toMatchObject(start);
    expect(mcpServers.two).toMatchObject(start);
    expect(projects['/other']).toEqual(own.projects['/other']);
    await place.cli('mcp', 'uninstall', '--for', 'claude-code', '--yes');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(own);
  });

  test.each(['.gemini/settings.json', '.cursor/mcp.json', '.mcp.json'])(
    'writes no path of the machine into %s of a project, if the user names it',
    async (name) => {
      const place = await policed();
      mkdirSync(join(place.dir, 'team', dirname(name)), { recursive: true });
      const path = join(place.dir, 'team', name);
      writeFileSync(path, '{"mcpServers": {"a": {"command": "serve"}}}');
      const words = ['mcp', 'install', '--for', 'gemini', '--settings', path, '--yes'];
      expect((await place.cli(...words)).stderr).toContain('is outside of');
      writeFileSync(join(place.dir, 'team/hooks.yaml'), 'hooks: {}\n');
      const policy = await place.cli('trust', 'team/hooks.yaml', '--yes');
      expect(policy.stderr).toBe('');
      expect(await place.cli(...words, '--policy', 'team/hooks.yaml')).toMatchObject({ code: 0 });
      expect(readFileSync(path, 'utf8')).not.toContain(place.dir);
    },
  );

  test('changes nothing if it cannot do so safely', async () => {
    const odd = '[mcp_servers]\nfiles = { command = "npx", args = [] }\n';
    const place = await policed({
      'odd.toml': odd,
      'bad.json': '{',
      'list.json': '{"mcp_servers": [{"command": "x"}]}',
    });
    const at = (name: string) => place.cli('mcp', 'install', '--for', 'codex', '--settings', name, '--yes');
    expect((await at('odd.toml')).stderr).toContain('cannot be changed safely');
    expect((await at('bad.json')).stderr).toContain('is not JSON');
    expect((await at('list.json')).stderr).toContain('mcp_servers is a list; expected an object of servers');
    expect((await at('none.json')).stderr).toContain('--settings: there is no such file in');
    expect(readFileSync(join(place.dir, 'odd.toml'), 'utf8')).toBe(odd);
    expect((await place.cli('mcp', 'install', '--for', 'cursor')).stderr).toContain(
      'claude-code, codex, gemini, vscode',
    );
    const missing = ['--policy', 'none.yaml', '--settings', 'odd.toml', '--yes'];
    expect((await place.cli('mcp', 'install', '--for', 'codex', ...missing)).stderr).toContain(
      '--policy: there is no such file in',
    );
  });
});
