import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BeforeModelCall, BeforeToolCall } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { type Builtin, loadHooks } from '../src/index.ts';
import { harness } from './harness.ts';

const builtin = (command: string, args?: unknown, more: object = {}) => ({
  ...{ type: 'builtin', command },
  ...(args !== undefined && { args }),
  ...more,
});

test.each<readonly [string, object]>([
  [
    'a limit of two events with its arguments in another order',
    {
      before_tool_call: [builtin('limits', { per_run: { tool_calls: 3, model_calls: 2 }, warn_at: 1 })],
      before_model_call: [builtin('limits', { warn_at: 1, per_run: { model_calls: 2, tool_calls: 3 } })],
    },
  ],
  [
    'a guard of paths without arguments',
    {
      before_tool_call: [builtin('sensitive_paths'), builtin('limits', { per_run: { tool_calls: 3 } })],
    },
  ],
  [
    'a limit that warns of nothing',
    { before_tool_call: [builtin('limits', { per_run: { tool_calls: 3 }, warn_at: 0 })] },
  ],
])('a file is loaded with %s', async (_what, hooks) => {
  const { call } = await harness({ hooks });
  for (const status of ['ok', 'ok', 'ok', 'blocked']) expect((await call('search', {})).status).toBe(status);
});

describe('a file is refused with', () => {
  const before = (hook: object) => ({ before_tool_call: [hook] });
  test.each<readonly [string, object, string]>([
    ['deny_tools without names', before(builtin('deny_tools')), '"deny_tools": rules is an empty list'],
    ['an empty name', before(builtin('deny_tools', [''])), '"deny_tools": rules[0] is an empty text'],
    ['no kind', { transform_tool_result: [builtin('pii', { kinds: {} })] }, 'kinds is an empty object'],
    [
      'nothing to reveal',
      before(builtin('pii', { kinds: { email: 'mask' }, reveal: { send_mail: ['to'] } })),
      'reveal has no effect without a kind that is redacted',
    ],
    ['a rate without a limit', before(builtin('rate_limit', { window_ms: 1000 })), 'nothing is limited'],
    [
      'a tool without a limit',
      before(builtin('limits', { per_run: { tool_calls: 1 }, per_tool: { x: {} } })),
      '"limits": per_tool.x is an empty object; expected an object with per_run, per_session or per_key',
    ],
    [
      'warn_at where no model is told',
      before(builtin('limits', { per_run: { tool_calls: 3 }, warn_at: 1 })),
      'list the same hook under before_model_call',
    ],
    [
      'at_limit where no model is told',
      before(builtin('limits', { per_run: { tokens: 3 }, at_limit: 'answer' })),
      'list the same hook under before_model_call',
    ],
    [
      'a finding that has no result',
      { before_model_call: [builtin('injection', { found: 'block' })] },
      'list the same hook under transform_tool_result',
    ],
    [
      'a finding that ends the tools, where no tool is',
      {
        before_model_call: [builtin('injection', { found: 'no-tools' })],
        transform_tool_result: [builtin('injection', { found: 'no-tools' })],
      },
      'list the same hook under before_tool_call',
    ],
    [
      'a store of findings that no call reads',
      { transform_tool_result: [builtin('injection', { found: 'flag', store: 'flags.db' })] },
      'list the same hook under before_tool_call',
    ],
    [
      'a misspelled argument',
      before(builtin('redact_secrets', { ignored: ['a'] })),
      'ignored: unknown field; did you mean "ignore"?',
    ],
    [
      'a misspelled argument of an argument',
      before(builtin('limits', { per_run: { toolcalls: 1 } })),
      'toolcalls: unknown field; did you mean "tool_calls"?',
    ],
    [
      'an argument of a tool that is named like an option',
      before(builtin('redact_secrets', { reveal: { sendMail: ['to.'] } })),
      '"redact_secrets": reveal.sendMail[0] is a text',
    ],
    [
      'a rate in a store that does not say whose calls it counts',
      before(builtin('rate_limit', { window_ms: 1000, tool_calls: 1, store: 'counters.db' })),
      '"rate_limit": store needs per: principal, all or session',
    ],
    [
      'tools that no limit counts',
      { before_model_call: [builtin('rate_limit', { window_ms: 1000, model_calls: 5, tools: 'x' })] },
      '"rate_limit": tools has no effect without tool_calls or cost',
    ],
    [
      'prices where no model is refused',
      before(
        builtin('rate_limit', { window_ms: 1000, tool_calls: 1, prices: { '*': { input: 1, output: 1 } } }),
      ),
      'list the same hook under before_model_call',
    ],
    [
      'a window that a store does not have',
      before(builtin('rate_limit', { window_ms: 1.5, tool_calls: 1 })),
      'window_ms',
    ],
    ['no context', { turn_start: [builtin('add_context')] }, 'expected a template'],
    ['empty context', { turn_start: [builtin('add_context', ['', ' '])] }, 'expected a template'],
    [
      'permissions that decide nothing',
      before(builtin('permissions', { read_only_hint: false })),
      'nothing is decided',
    ],
    ['no address to post to', before(builtin('http_post')), 'expected an address and a text'],
    [
      'more than an address and a text',
      before(builtin('http_post', ['http://localhost', 'text', 'more'])),
      'expected an address and a text',
    ],
    ['an unknown safety mode', before(builtin('docker_agent_safety', ['strickt'])), 'did you mean "strict"?'],
    ['an empty list of rules', before(builtin('permissions', { allow: [] })), 'allow is an empty list'],
    ['a path that permits all', before(builtin('sensitive_paths', { allow: [''] })), 'allow'],
    ['no agent', before({ agents: [], hooks: [builtin('deny_tools', ['x'])] }), 'agents'],
  ])('%s', async (_what, hooks, message) => {
    await expect(loadHooks({ hooks }, { cwd: temporaryFolder() })).rejects.toThrow(message);
  });

  test.each(['principal', 'journal', 'telemetry', 'sandbox'])(
    'a built-in of the program that has the name of the part "%s"',
    async (name) => {
      const own: Builtin = () => ({ name: 'own', register: () => {} });
      const loading = loadHooks({ principal: { id_env: 'AGENT_USER' } }, { builtins: { [name]: own } });
      await expect(loading).rejects.toThrow(`"${name}", which is the name of a part of files`);
    },
  );

  test('two timeouts of one hook under one event', async () => {
    const hooks = {
      before_tool_call: [
        { matcher: 'a', hooks: [builtin('deny_tools', ['.*'], { timeout: 5 })] },
        { matcher: 'b', hooks: [builtin('deny_tools', ['.*'], { timeout: 6 })] },
      ],
    };
    await expect(loadHooks({ hooks })).rejects.toThrow('the same hook has another timeout elsewhere');
  });
});

test('a hook with a timeout for each event is registered once', async () => {
  const dir = temporaryFolder();
  writeFileSync(
    join(dir, 'policy.ts'),
    `export default {
      name: 'policy',
      register(hooks) {
        for (const spec of ${JSON.stringify([BeforeToolCall.spec, BeforeModelCall.spec])})
          hooks.guard({ spec }, () => ({ kind: 'proceed' }));
        hooks.observe({ spec: ${JSON.stringify(BeforeToolCall.spec)} }, () => void globalThis.heard++);
      },
    };`,
  );
  const at = (timeout: number) => ({ type: 'module', path: './policy.ts', timeout });
  writeFileSync(
    join(dir, 'hooks.yaml'),
    JSON.stringify({ hooks: { before_tool_call: [at(5)], before_model_call: [at(6)] } }),
  );
  Object.assign(globalThis, { heard: 0 });
  const { call, hooks } = await harness('hooks.yaml', { cwd: dir });
  expect(await call('read', {})).toMatchObject({ status: 'ok' });
  await hooks.settled();
  expect(Reflect.get(globalThis, 'heard')).toBe(1);
});

test('the matcher and the timeout of a file hold for providers that a module uses', async () => {
  const dir = temporaryFolder();
  writeFileSync(
    join(dir, 'policy.ts'),
    `const inner = {
      name: 'inner',
      register(hooks) {
        hooks.guard({ spec: ${JSON.stringify(BeforeToolCall.spec)} }, () => new Promise(() => {}));
      },
    };
    export default { name: 'outer', register: (hooks) => hooks.use(inner) };`,
  );
  const module = { type: 'module', path: './policy.ts', timeout: 0.01 };
  const hooks = { before_tool_call: [{ matcher: 'shell', hooks: [module] }] };
  writeFileSync(join(dir, 'hooks.yaml'), JSON.stringify({ hooks }));
  const { call } = await harness('hooks.yaml', { cwd: dir });
  expect(await call('read', {})).toMatchObject({ status: 'ok' });
  expect(await call('shell', {})).toMatchObject({
    status: 'blocked',
    reason: expect.stringMatching(/inner.* did not answer within 10 ms/),
  });
});

test('a budget with a timeout for each event is one budget', async () => {
  const args = { per_session: { tool_calls: 1, model_calls: 5 } };
  const { call } = await harness({
    hooks: {
      before_tool_call: [builtin('limits', args, { timeout: 5 })],
      before_model_call: [builtin('limits', args, { timeout: 6 })],
    },
  });
  expect(await call('read', {})).toMatchObject({ status: 'ok' });
  expect(await call('read', {})).toMatchObject({ status: 'blocked' });
});
