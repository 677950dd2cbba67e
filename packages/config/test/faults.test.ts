import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { UserPromptSubmit } from '@hooks/core';
import { sampled } from '@hooks/testing/random';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DIALECTS, type DialectName } from '../src/index.ts';
import { harness } from './harness.ts';

/** In no dialect does any of these faults let a gated call through, hang the agent, or leave a process behind. */

interface Fault {
  readonly command: string;
  /** A part of the reason. */
  readonly says: string;
}

const faults: Record<string, Fault> = {
  'a missing command': { command: './not-there', says: 'exit code 127 (command not found)' },
  'a command that is not executable': { command: './plain', says: 'exit code 126 (not executable)' },
  'exit code 1': { command: 'exit 1', says: 'exit code 1' },
  'exit code 126': { command: 'exit 126', says: 'exit code 126' },
  'exit code 127': { command: 'exit 127', says: 'exit code 127' },
  'killed by a signal': { command: 'kill -9 $$', says: 'killed by SIGKILL' },
  'a hang': { command: 'echo $$ > pid; exec sleep 100', says: 'did not end within 0.3 s' },
  'a hang of a grandchild': {
    command: '(echo $$ > pid; sleep 100) & wait',
    says: 'did not end within 0.3 s',
  },
  'a hang that ignores SIGTERM': {
    command: `trap '' TERM; echo $$ > pid; while :; do :; done`,
    says: 'did not end',
  },
  '100 MB of output': { command: 'head -c 100000000 /dev/zero', says: 'printed more than' },
  'output without end': { command: 'yes', says: 'did not end within 0.3 s' },
  'no UTF-8': { command: `printf '{"reason":"\\377\\376"}'`, says: 'not UTF-8' },
  'incomplete JSON': { command: `printf '{"decision":"blo'`, says: 'looks like an answer but is not JSON' },
  'JSON after other text': {
    command: `printf 'checking\\n{"decision":"block"}'`,
    says: 'looks like an answer but is not JSON',
  },
  'JSON after text on the same line': {
    command: `printf 'checking {"hookSpecificOutput":{},"decision":"block"}'`,
    says: 'looks like an answer but is not JSON',
  },
  'JSON of another shape': { command: `printf '{"decision":["block"]}'`, says: 'decision' },
};

/** Short for a hang, and long for anything else, because the machine may be busy. */
const timeoutOf = (command: string) => (/sleep|while|yes/.test(command) ? 0.3 : 30);

const gates: Record<DialectName, (hook: object) => object> = {
  hooks: (hook) => ({ hooks: { before_tool_call: [{ type: 'command', ...hook }] } }),
  'docker-agent': (hook) => ({ hooks: { pre_tool_use: [{ type: 'command', ...hook }] } }),
  'claude-code': (hook) => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', ...hook }] }] } }),
  ai4j: (hook) => ({ hooks: { preToolUse: [hook] } }),
  cursor: (hook) => ({ version: 1, hooks: { beforeShellExecution: [hook] } }),
  copilot: (hook) => ({ version: 1, hooks: { preToolUse: [hook] } }),
  gemini: ({ timeout, ...hook }: { timeout?: number }) => ({
    hooks: {
      BeforeTool: [{ hooks: [{ type: 'command', ...hook, ...(timeout && { timeout: timeout * 1000 }) }] }],
    },
  }),
  codex: (hook) => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', ...hook }] }] } }),
};

const dialects = (Object.keys(DIALECTS) as DialectName[]).map((dialect, offset) => ({ dialect, offset }));

describe.each(dialects)('before a tool call, in $dialect,', ({ dialect, offset }) => {
  test('a hook may print its event in a line of its log', async () => {
    const { call } = await harness(gates[dialect]({ command: 'printf "call: "; cat' }), { dialect });
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'ok' });
  });

  const gateOf = (command: string) => gates[dialect]({ command, timeout: timeoutOf(command) });

  test.each(sampled(Object.keys(faults), dialects.length, offset))(
    '%s blocks the call, with a reason that names the program',
    async (name) => {
      const { command, says } = faults[name] as Fault;
      const { call, ran, dir } = await harness(gateOf(command), { dialect });
      writeFileSync(join(dir, 'plain'), 'echo hi', { mode: 0o644 });
      const began = performance.now();
      const outcome = await call('shell', { cmd: 'ls' });
      expect(outcome).toMatchObject({ status: 'blocked', ran: false });
      expect(outcome.reason).toContain(says);
      const [program = ''] = command.split(' ');
      expect(outcome.reason).toContain(`hook "${/^[\w./-]+$/.test(program) ? program : 'command'}" failed`);
      expect(ran).toEqual([]);
      expect(performance.now() - began).toBeLessThan(20_000);
      // On a busy machine a hang may be killed before it has written its id.
      const pid = existsSync(join(dir, 'pid')) ? Number(readFileSync(join(dir, 'pid'), 'utf8')) : 0;
      if (pid > 0) await expect.poll(() => isRunning(pid)).toBe(false);
    },
  );

  test('exit code 2 blocks without output', async () => {
    const { call } = await harness(gateOf('exit 2'), { dialect });
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked', ran: false });
  });

  test('a hook need not read its stdin', async () => {
    const { call } = await harness(gateOf('exec <&-; exit 0'), { dialect });
    expect(await call('shell', { cmd: 'x'.repeat(5_000_000) })).toMatchObject({ status: 'ok' });
  });

  test('a child that outlives its hook is killed', async () => {
    const { call, dir } = await harness(
      gates[dialect]({ command: 'sleep 100 & echo $! > pid', timeout: 30 }),
      {
        dialect,
      },
    );
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'ok' });
    await expect.poll(() => isRunning(Number(readFileSync(join(dir, 'pid'), 'utf8')))).toBe(false);
  });

  test('a missing working directory blocks the call', async () => {
    const { call } = await harness(gateOf('exit 0'), { dialect, cwd: '/nowhere/at/all' });
    expect((await call('shell', {})).reason).toMatch(
      /could not be started: its working directory .* does not exist/,
    );
  });
});

test.each([
  `curl -H "Authorization: Bearer s3cr3t" http://127.0.0.1:1/hook`,
  `TOKEN=s3cr3t ./not-there`,
  `TOKEN="a s3cr3t b" ./not-there`,
  `"./s3cr3t" now`,
])('the reason of a failed command does not repeat the command line: %s', async (command) => {
  for (const [dialect, gate] of Object.entries(gates)) {
    const { call } = await harness(gate({ command }), { dialect: dialect as DialectName });
    const { status, message, reason } = await call('shell', {});
    expect({ status, message }).toEqual({ status: 'blocked', message: reason });
    expect(reason).toMatch(/hook "(curl|\.\/not-there|command)" failed: /);
    expect(reason).not.toContain('s3cr3t');
  }
});

describe.each([
  ['hooks', 'transform_tool_result'],
  ['docker-agent', 'tool_response_transform'],
] as const)('before anyone sees a result, in %s,', (dialect, event) => {
  const redactionBy = (command: string) => ({
    hooks: {
      [event]: [{ matcher: '*', hooks: [{ type: 'command', command, timeout: timeoutOf(command) }] }],
    },
  });

  test.each(Object.keys(faults))('%s withholds the result', async (name) => {
    const { command, says } = faults[name] as Fault;
    const { call, dir } = await harness(redactionBy(command), { dialect });
    writeFileSync(join(dir, 'plain'), 'echo hi', { mode: 0o644 });
    const outcome = await call('shell', { cmd: 'ls' }, () => 'secret');
    expect(outcome).toMatchObject({ status: 'blocked', ran: true });
    expect(outcome.reason).toContain(says);
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });
});

test('the developer sees the output of a failed hook, and the model does not', async () => {
  const { call, errors } = await harness({
    hooks: { before_tool_call: [{ type: 'command', command: 'cat nothing-here; exit 3', name: 'check' }] },
  });
  expect((await call('shell', {})).reason).not.toContain('nothing-here');
  expect(errors).toMatchObject([{ cause: { cause: { message: expect.stringContaining('nothing-here') } } }]);
});

test('aborting the run ends a hook that hangs', async () => {
  const { hooks, session, dir } = await harness({
    hooks: { user_prompt_submit: [{ type: 'command', command: 'touch began; exec sleep 100', timeout: 60 }] },
  });
  const controller = new AbortController();
  const decision = hooks.dispatch(UserPromptSubmit, { session, prompt: 'hi' }, { signal: controller.signal });
  await expect.poll(() => existsSync(join(dir, 'began'))).toBe(true);
  controller.abort();
  expect(await decision).toMatchObject({ kind: 'block', reason: expect.stringContaining('it was aborted') });
});

describe('an http hook', () => {
  /** A hook on a server with this handler. */
  async function gate(answer: Parameters<typeof createServer>[1], more: object = {}) {
    const server = createServer(answer ?? (() => {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const hook = { type: 'http', url: `http://127.0.0.1:${port}/hook`, timeout: 30, name: 'gate', ...more };
    return harness({ hooks: { before_tool_call: [hook] } }, { env: { TOKEN: 'abc', OTHER: 'secret' } });
  }

  test('receives the event, and its JSON decides', async () => {
    let seen = '';
    let token: unknown;
    const { call } = await gate(
      (request, response) => {
        token = [request.headers['authorization'], request.headers['x-other']];
        request.on('data', (chunk) => (seen += chunk));
        request.on('end', () => response.end('{"decision":"block","reason":"no"}'));
      },
      {
        headers: { authorization: ['Bearer $', '{TOKEN}'].join(''), 'x-other': '$OTHER' },
        allowed_env_vars: ['TOKEN'],
      },
    );
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked', reason: 'no' });
    expect(JSON.parse(seen)).toMatchObject({
      hook_event_name: 'before_tool_call',
      tool_input: { cmd: 'ls' },
    });
    expect(token).toEqual(['Bearer abc', '']);
  });

  test('an empty 2xx response decides nothing', async () => {
    const { call } = await gate((_, response) => response.writeHead(204).end());
    expect(await call('shell', {})).toMatchObject({ status: 'ok' });
  });

  const allow = '{"hook_specific_output":{"permission_decision":"allow"}}';
  test.each<[string, Parameters<typeof createServer>[1], string]>([
    [
      'that drips',
      (_, response) => void setInterval(() => response.write(' '), 20).unref(),
      'did not answer within 0.5 s',
    ],
    ['that never answers', () => {}, 'did not answer within 0.5 s'],
    ['of status 500', (_, response) => response.writeHead(500).end(allow), 'status 500'],
    ['that redirects', (_, response) => response.writeHead(307, { location: '/else' }).end(), 'status 307'],
    ['of plain text', (_, response) => response.end('fine'), 'not a JSON object'],
    ['of a list', (_, response) => response.end('[]'), 'not a JSON object'],
    ['of incomplete JSON', (_, response) => response.end(allow.slice(0, 20)), 'not a JSON object'],
    [
      'that is cut off',
      (_, response) =>
        void response.writeHead(200, { 'content-length': 99 }).write('{}', () => response.destroy()),
      'could not be reached',
    ],
    ['of invalid UTF-8', (_, response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])), 'not UTF-8'],
    ['of 100 MB', (_, response) => endless(response), 'over'],
  ])('%s blocks the call', async (_, answer, says) => {
    const { call } = await gate(answer, says.includes('0.5 s') ? { timeout: 0.5 } : {});
    const outcome = await call('shell', {});
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
    expect(outcome.reason).toContain(says);
  });

  test('is named without its path and query, which may hold a secret', async () => {
    const url = 'http://127.0.0.1:1/hook/s3cr3t?token=abc#part';
    for (const source of [
      { hooks: { before_tool_call: [{ type: 'http', url }] } },
      { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url }] }] } },
    ]) {
      const { call } = await harness(source);
      const { reason, message } = await call('shell', {});
      expect(reason).toMatch(/hook "http:\/\/127\.0\.0\.1:1" failed: it could not be reached/);
      expect(message).not.toMatch(/token|s3cr3t/);
    }
  });

  test('blocks the call if a header cannot be sent, and keeps its name and value out of the reason', async () => {
    const hook = {
      ...{ type: 'http', url: 'http://127.0.0.1:1/', allowed_env_vars: ['TOKEN'] },
      headers: { authorization: 'Bearer $TOKEN' },
    };
    const TOKEN = 'abc\r\nx-evil: 1';
    const { call, errors } = await harness({ hooks: { before_tool_call: [hook] } }, { env: { TOKEN } });
    const { reason } = await call('shell', {});
    expect(reason).toContain('a variable in its header 1 has characters that cannot be sent');
    expect(inspect(errors, { depth: 9 }) + reason).not.toMatch(/abc|authorization/);
  });

  test('blocks the call if no server listens', async () => {
    const { call } = await harness({
      hooks: { before_tool_call: [{ type: 'http', url: 'http://127.0.0.1:1/' }] },
    });
    expect((await call('shell', {})).reason).toContain('could not be reached');
  });
});

function endless(response: {
  write(chunk: Buffer): boolean;
  on(event: 'drain', more: () => void): unknown;
}): void {
  const chunk = Buffer.alloc(100_000, ' ');
  const more = (): void => {
    while (response.write(chunk));
  };
  response.on('drain', more);
  more();
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
