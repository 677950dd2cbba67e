import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';

/** The globals of every web runtime: browsers, workers and edge functions. */
const web = {
  AbortController,
  AbortSignal,
  Event,
  EventTarget,
  TextDecoder,
  TextEncoder,
  TransformStream,
  URL,
  clearInterval,
  clearTimeout,
  console,
  crypto,
  performance,
  queueMicrotask,
  setInterval,
  setTimeout,
  structuredClone,
};

let script: string;
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createHooks, TurnStart } from '@hooks/core';
        import { takeContext } from '@hooks/core/adapter';
        import { callTool } from '@hooks/core/tool-call';
        import * as guards from './src/index.ts';
        export { callTool, createHooks, guards, takeContext, TurnStart };`,
      resolveDir: new URL('..', import.meta.url).pathname,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bundle',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['@hooks/source'],
    target: 'es2023',
  });
  script = outputFiles[0]?.text ?? '';
});

/** Runs code without `process` and Node's modules. */
function run(code: string): unknown {
  const context = createContext({ ...web });
  runInContext(script, context);
  return runInContext(
    `(async () => {
      const { callTool, createHooks, guards, takeContext, TurnStart } = bundle;
      const hooks = createHooks();
      const session = hooks.session('s');
      const call = (toolName, input, answer = 'ran') =>
        callTool(hooks, { session, toolName, input }, () => answer)
          .then(({ status, reason, output }) => reason ?? output);
      ${code}
    })()`,
    context,
  );
}

test('the main entry loads without Node', async () => {
  expect(script).not.toMatch(/require\("|from "node:/);
  await expect(run('return Object.keys(guards).length')).resolves.toBeGreaterThan(30);
});

test('the recommended guards run without Node', async () => {
  const said = await run(`
    hooks.use(guards.recommended());
    const password = 'DB_PASSWORD=' + 'hunter2-hunter2';
    return [await call('exec', { command: 'rm -rf /' }), await call('read', { path: '.env' }), await call('read', { path: 'a.ts' }, password)];
  `);
  expect(said).toEqual([
    expect.stringMatching(/filesystem/),
    expect.stringMatching(/sensitive-path/),
    expect.stringMatching(/^DB_PASSWORD=\[REDACTED:password#[\da-f]{8}\]$/),
  ]);
});

test('personal data is hashed without Node', async () => {
  const said = await run(`
    hooks.use(guards.pii({ kinds: { email: 'hash', ip: 'redact' }, hashKey: 'k' }));
    return call('read', {}, 'ann@acme.dev 203.0.113.7 2001:db8::8a2e:370:7334');
  `);
  expect(said).toMatch(/^\[email:[0-9a-f]{16}\] \[REDACTED:ip#[\da-f]{8}\] \[REDACTED:ip#[\da-f]{8}\]$/);
});

test('addDate works without Node', async () => {
  const said = await run(`
    hooks.use(guards.addDate());
    await hooks.dispatch(TurnStart, { session, iteration: 1 });
    return takeContext(hooks, session).join();
  `);
  expect(said).toMatch(/^Today's date: \d{4}-\d\d-\d\d$/);
});

test('a guard that needs Node says so', async () => {
  await expect(run('guards.snapshot()')).rejects.toThrow(/needs Node\.js 22\.18 or later/);
});
