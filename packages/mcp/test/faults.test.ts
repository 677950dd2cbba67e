import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  modify,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import { expect, onTestFinished, test } from 'vitest';
import { openProxy, program, run } from './connect.ts';

const call = (id: number, what: string, times = 0): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't', arguments: { do: what, times } } })}\n`;

function faulty(hooks = createHooks(), ...args: string[]) {
  const opened = openProxy({ hooks, upstream: run('faulty-server.ts', ...args) });
  const lines = createInterface({ input: opened.output, crlfDelay: Infinity })[Symbol.asyncIterator]();
  return { ...opened, next: async () => JSON.parse(String((await lines.next()).value)) };
}

test.each([
  ['crash', 'ended with exit code 3', 3],
  ['kill', 'ended with SIGKILL', 1],
])('a server that exits (%s) ends the proxy, and every request gets a response', async (how, said, code) => {
  const hooks = createHooks();
  const after: unknown[] = [];
  hooks.observe(AfterToolCall, ({ status, errorMessage }) => after.push([status, errorMessage]));
  hooks.on(TransformToolResult, async ({ errorMessage }) => modify({ errorMessage: `!${errorMessage}` }));
  const { input, next, over, warnings } = faulty(hooks);
  input.write(call(1, 'hang'));
  input.write('{"jsonrpc":"2.0","id":2,"method":"x","params":{"arguments":{"do":"hang"}}}\n');
  input.write(call(3, how));
  const answers = [await next(), await next(), await next()].sort((a, b) => a.id - b.id);
  expect(answers.map(({ id, error }) => [id, error.message.includes(said)])).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ]);
  expect(await over).toBe(code);
  expect(after).toHaveLength(2);
  expect(warnings).toEqual([expect.stringContaining(said)]);
});

test('a server that cannot be started gives an error with the reason', async () => {
  const { input, output, over } = openProxy({ upstream: { command: 'no-such-program-here' } });
  input.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
  const [line] = await once(createInterface({ input: output }), 'line');
  expect(JSON.parse(line).error.message).toContain('no-such-program-here');
  expect(await over).toBe(1);
});

test('a result of 100 MB passes and is redacted', async () => {
  const hooks = createHooks();
  hooks.on(TransformToolResult.matching('t'), ({ output }) => {
    const [part] = Object(output).content;
    return part === undefined
      ? proceed()
      : modify({ output: { content: [{ ...part, text: part.text.replaceAll('SECRET', '***') }] } });
  });
  const { input, next, over } = faulty(hooks);
  input.write(call(1, 'big', 100));
  const { result } = await next();
  const { text } = result.content[0];
  expect(text.length).toBe(100_000_003);
  expect(text.endsWith('x***')).toBe(true);
  input.end();
  await over;
});

test('a slow reader slows the server down', async () => {
  const { input, output, over } = openProxy({ upstream: run('faulty-server.ts') });
  let read = 0;
  input.write(call(1, 'flood', 3_000));
  await once(output, 'readable');
  // The client does not read, so 30 MB stay with the server instead of filling our memory.
  await expect.poll(() => output.writableNeedDrain).toBe(true);
  expect(output.readableLength + output.writableLength).toBeLessThan(1_000_000);
  for await (const line of createInterface({ input: output })) {
    read++;
    if (JSON.parse(line).id === 1) break;
  }
  expect(read).toBe(3_001);
  input.end();
  await over;
});

test('a client that disconnects cancels its calls and ends the server', async () => {
  const hooks = createHooks();
  const ended: unknown[] = [];
  hooks.observe(AfterToolCall, ({ status }) => ended.push(status));
  const { input, next, over } = faulty(hooks);
  input.write(call(1, 'pid'));
  const { pid } = (await next()).result;
  input.write(call(2, 'hang'));
  input.end();
  expect(await over).toBe(0);
  expect(ended).toEqual(['ok', 'error']);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('a server that does not exit is killed', async () => {
  const { input, next, over } = faulty(createHooks(), 'stubborn');
  input.write(call(1, 'pid'));
  const { pid } = (await next()).result;
  input.end();
  expect(await over).toBe(0);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('a killed proxy leaves no server behind and writes nothing else to stdout', async () => {
  const child = spawn(
    process.execPath,
    [
      ...['--conditions=@hooks/source', program('proxy.ts')],
      ...['--', process.execPath, program('faulty-server.ts')],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stdin.write(call(1, 'pid'));
  await expect.poll(() => lines.length).toBe(1);
  const { pid } = JSON.parse(lines[0] ?? '').result;
  child.kill('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(lines).toHaveLength(1);
});

test('a hook that hangs delays only its own call', async () => {
  const hooks = createHooks();
  const { promise, resolve } = Promise.withResolvers<void>();
  hooks.guard(BeforeToolCall, async ({ input }) => {
    if (Object(input).do === 'big') await promise;
    return proceed();
  });
  const { input, next } = faulty(hooks);
  input.write(call(1, 'big'));
  input.write(call(2, 'pid'));
  expect((await next()).id).toBe(2);
  resolve();
  expect((await next()).id).toBe(1);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
