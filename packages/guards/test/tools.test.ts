import {
  AgentError,
  BeforeToolCall,
  block,
  createHooks,
  type HookProvider,
  type HooksOptions,
  modify,
  proceed,
  type ToolCallOutcome,
  type ToolDescriptor,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  allowTools,
  commandSafety,
  type DryRunReport,
  denyTools,
  dryRun,
  loopDetection,
  permissions,
  pinTools,
  recommended,
} from '../src/index.ts';

async function call(
  provider: HookProvider,
  toolName: string,
  input: unknown,
  options?: HooksOptions,
): Promise<ToolCallOutcome> {
  const hooks = createHooks(options);
  hooks.use(provider);
  return callTool(hooks, { session: hooks.session(), toolName, input }, () => 'ran');
}

const groups = { 'group:fs': ['read', 'write'] };

describe('allowTools', () => {
  test('lets the listed tools run where another registry is further out', async () => {
    const [outer, hooks] = [createHooks(), createHooks()];
    outer.guard(BeforeToolCall, () => proceed());
    hooks.use(allowTools(['read']));
    const called = (toolName: string) =>
      callTool([{ hooks: outer }, { hooks }], { session: outer.session(), toolName, input: {} }, () => 'ran');
    expect(await called('read')).toMatchObject({ status: 'ok', output: 'ran' });
    expect(await called('exec')).toMatchObject({ status: 'blocked', ran: false });
  });

  test('lets only the listed tools run', async () => {
    const provider = allowTools(['read', 'git_.*', 'group:fs']);
    expect(await call(provider, 'git_log', {}, { groups })).toMatchObject({ status: 'ok' });
    expect(await call(provider, 'write', {}, { groups })).toMatchObject({ status: 'ok' });
    const outcome = await call(provider, 'exec', {}, { groups });
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
    expect(outcome.reason).toBe(
      'Blocked (tools/allow): exec is not among the allowed tools. Use another one.',
    );
  });

  test('a schema restricts the input, and the reason says where it does not fit', async () => {
    const provider = allowTools({
      exec: z.object({ command: z.enum(['npm test', 'npm run lint']) }),
      read: true,
    });
    expect(await call(provider, 'exec', { command: 'npm test' })).toMatchObject({ status: 'ok' });
    expect((await call(provider, 'exec', { command: 'ls' })).reason).toMatch(
      /^Blocked \(tools\/allow\): this input of exec is not allowed: command: /,
    );
  });

  test('a call needs to fit only one of several rules', async () => {
    const provider = allowTools({
      exec: z.object({ command: z.literal('ls') }),
      'ex.*': z.object({ command: z.literal('pwd') }),
    });
    expect(await call(provider, 'exec', { command: 'pwd' })).toMatchObject({ status: 'ok' });
  });

  test('checks the rewritten input', async () => {
    const hooks = createHooks();
    hooks.use(allowTools({ exec: z.object({ command: z.literal('ls') }) }));
    hooks.on(BeforeToolCall, () => modify({ input: { command: 'rm' } }));
    const outcome = await callTool(
      hooks,
      { session: hooks.session(), toolName: 'exec', input: { command: 'ls' } },
      () => 'ran',
    );
    expect(outcome).toMatchObject({ status: 'blocked' });
  });
});

describe('denyTools', () => {
  test('blocks the listed tools', async () => {
    expect(await call(denyTools('web_.*'), 'web_search', {})).toMatchObject({ status: 'blocked' });
    expect(await call(denyTools('web_.*'), 'read', {})).toMatchObject({ status: 'ok' });
  });

  test('blocks only inputs that fit the schema', async () => {
    const provider = denyTools({ exec: z.object({ command: z.string().regex(/^sudo /) }) });
    expect(await call(provider, 'exec', { command: 'sudo ls' })).toMatchObject({ status: 'blocked' });
    expect(await call(provider, 'exec', { command: 'ls' })).toMatchObject({ status: 'ok' });
  });
});

describe('permissions', () => {
  const policy = permissions({
    allow: ['read_*', 'shell:cmd=git *'],
    ask: ['shell:cmd=git push*'],
    deny: ['shell:cmd=*--force*', 'admin_*'],
  });

  async function decide(
    provider: HookProvider,
    toolName: string,
    input: unknown,
    readOnlyHint?: boolean,
    from: Partial<ToolDescriptor> = {},
    ...more: readonly HookProvider[]
  ): Promise<string> {
    const hooks = createHooks();
    for (const each of [provider, ...more]) hooks.use(each);
    const seen: string[] = [];
    hooks.guard(
      BeforeToolCall,
      (event) => {
        const { approval } = event;
        seen.push(approval?.kind === 'granted' ? `granted ${approval.source}` : (approval?.kind ?? 'none'));
        return proceed();
      },
      { priority: -1 },
    );
    const tool =
      readOnlyHint === undefined
        ? {}
        : { tool: { kind: 'function' as const, annotations: { readOnlyHint }, ...from } };
    const outcome = await callTool(
      hooks,
      { session: hooks.session(), toolName, input, ...tool },
      () => 'ran',
    );
    return outcome.status === 'blocked' ? 'blocked' : (seen[0] ?? 'not asked');
  }

  test('a list of words also matches as a line for rules that restrict, but never for rules that allow', async () => {
    const lists = permissions({
      allow: ['read:path=/tmp/*'],
      ask: ['shell:cmd=git push*'],
      deny: ['shell:cmd=sudo *'],
    });
    expect(await decide(lists, 'shell', { cmd: ['sudo', 'ls'] })).toBe('blocked');
    expect(await decide(lists, 'shell', { cmd: ['git', 'push', '-f'] })).not.toBe('none');
    expect(await decide(lists, 'read', { path: ['/tmp/a', '/etc/shadow'] })).toBe('none');
    expect(await decide(lists, 'read', { path: '/tmp/a' })).toBe('granted session_permissions_allow');
  });

  test('allow lets a call run without approval', async () => {
    expect(await decide(policy, 'read_file', {})).toBe('granted session_permissions_allow');
    expect(await decide(permissions({ allow: ['read_*'], scope: 'team' }), 'read_file', {})).toBe(
      'granted team_permissions_allow',
    );
  });

  test.each(['; rm x', ' && rm x', ' | sh', ' > x', '\nrm x', ' $(rm x)', ' `rm x`', ' <(rm x)', ' & rm x'])(
    'a star of an allowed command matches no other command: %j',
    async (more) => {
      for (const argument of ['cmd', 'command']) {
        const rules = permissions({
          allow: [`shell:${argument}=git log*`, `shell:${argument}=cd a && ls*`],
          deny: [`shell:${argument}=*sudo*`],
        });
        const granted = 'granted session_permissions_allow';
        expect(await decide(rules, 'shell', { [argument]: 'git log --oneline' })).toBe(granted);
        expect(await decide(rules, 'shell', { [argument]: `git log${more}` })).toBe('none');
        // What the rule itself has.
        expect(await decide(rules, 'shell', { [argument]: 'cd a && ls -l' })).toBe(granted);
        expect(await decide(rules, 'shell', { [argument]: `cd a && ls${more}` })).toBe('none');
        expect(await decide(rules, 'shell', { [argument]: `x${more} sudo` })).toBe('blocked');
      }
    },
  );

  test('ask beats allow, and deny beats both', async () => {
    expect(await decide(policy, 'shell', { cmd: 'git status' })).toBe('granted session_permissions_allow');
    expect(await decide(policy, 'shell', { cmd: 'git push' })).toBe('required');
    expect(await decide(policy, 'shell', { cmd: 'git push --force' })).toBe('blocked');
  });

  test('calls without a matching rule are not decided', async () => {
    expect(await decide(policy, 'shell', { cmd: 'ls' })).toBe('none');
    expect(await decide(policy, 'shell', {})).toBe('none');
  });

  test('a tool with readOnlyHint needs no approval, unless a rule requires it', async () => {
    expect(await decide(policy, 'list', {}, true)).toBe('granted readonly_hint');
    expect(await decide(policy, 'list', {}, false)).toBe('none');
    expect(await decide(permissions({ ask: ['write'], readOnlyHint: false }), 'list', {}, true)).toBe('none');
    expect(await decide(permissions({ ask: ['list'] }), 'list', {}, true)).toBe('required');
  });

  test('the readOnlyHint of an MCP tool counts if the server is trusted', async () => {
    const files = { kind: 'mcp', server: 'files' } as const;
    expect(await decide(policy, 'list', {}, true, files)).toBe('none');
    const trusting = permissions({ trustedServers: ['files'] });
    expect(await decide(trusting, 'list', {}, true, files)).toBe('granted readonly_hint');
    expect(await decide(trusting, 'list', {}, false, files)).toBe('none');
    expect(await decide(trusting, 'list', {}, true, { kind: 'mcp', server: 'Files' })).toBe('none');
    expect(await decide(trusting, 'list', {}, true, { kind: 'mcp' })).toBe('none');
  });

  test('the readOnlyHint of an MCP tool counts if the tool is pinned', async () => {
    const mcp = { kind: 'mcp' } as const;
    const pins = (tools: string) => pinTools({ store: memoryStore(), tools });
    expect(await decide(policy, 'list', {}, true, mcp, pins('list'))).toBe('granted readonly_hint');
    expect(await decide(policy, 'list', {}, true, mcp, pins('other'))).toBe('none');
  });

  test('yolo requires no approval but still denies', async () => {
    const yolo = permissions({ ask: ['shell'], deny: ['admin_*'], yolo: true });
    expect(await decide(yolo, 'shell', {})).toBe('granted yolo');
    expect(await decide(yolo, 'admin_reset', {})).toBe('blocked');
  });

  test('a call that changes after it was allowed needs approval', async () => {
    const hooks = createHooks();
    hooks.use(permissions({ allow: ['shell:cmd=ls'] }));
    hooks.on(BeforeToolCall, () => modify({ input: { cmd: 'rm x' } }));
    const outcome = await callTool(
      hooks,
      { session: hooks.session(), toolName: 'shell', input: { cmd: 'ls' } },
      () => 'ran',
    );
    expect(outcome).toMatchObject({ status: 'denied', ran: false });
  });

  test('a call that changes into a denied one is denied', async () => {
    const hooks = createHooks();
    hooks.use(permissions({ deny: ['shell:cmd=rm*'] }));
    hooks.on(BeforeToolCall, () => modify({ input: { cmd: 'rm x' } }));
    const outcome = await callTool(
      hooks,
      { session: hooks.session(), toolName: 'shell', input: { cmd: 'ls' } },
      () => 'ran',
    );
    expect(outcome).toMatchObject({ status: 'blocked' });
  });

  test('a pattern without a tool is an error with an example', () => {
    expect(() => permissions({ allow: [':cmd=ls'] })).toThrow('has no tool name; write "shell:cmd=ls*"');
  });

  test.each([
    ['Bash(rm *)', 'write "Bash:command=…"'],
    ['Bash(npm run:*)', 'write "Bash:command=…"'],
    ['Read(./secrets/**)', 'write "Read:file_path=…"'],
    ['mcp__files(x)', 'write "tool:argument=value"'],
    ['Bash()', 'write "Bash:command=…"'],
    ['Bash(rm *', 'write "tool:argument=value"'],
    ['shell cmd=ls', 'write "tool:argument=value"'],
    ['cmd=ls', 'write "tool:argument=value"'],
    ['read, write', 'write "tool:argument=value"'],
  ])('a pattern that is in another form is refused in each list: %s', (pattern, advice) => {
    for (const list of ['allow', 'ask', 'deny'])
      expect(() => permissions({ [list]: [pattern] })).toThrow(advice);
  });
});

describe('dryRun', () => {
  test('blocks nothing if a hook times out or the report throws', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: ({ code }) => errors.push(code) });
    const thrown = (): never => {
      throw new Error('the report is full');
    };
    const silent: HookProvider = {
      name: 'silent',
      register: (registrar) =>
        registrar.guard(BeforeToolCall, () => new Promise<never>(() => {}), {
          timeoutMs: 1,
          onFailure: 'block',
        }),
    };
    hooks.use(dryRun(silent, () => {}));
    hooks.use(dryRun(denyTools('exec'), thrown));
    const outcome = await callTool(
      hooks,
      { session: hooks.session(), toolName: 'exec', input: {} },
      () => 'ran',
    );
    expect(outcome).toMatchObject({ status: 'ok' });
    expect(errors.sort()).toEqual(['HOOK_FAILED', 'HOOK_TIMEOUT']);
  });

  test('reports what a provider would do, and lets the call run', async () => {
    const reports: DryRunReport[] = [];
    const outcome = await call(
      dryRun(commandSafety(), (would) => reports.push(would)),
      'exec',
      { command: 'rm -rf /' },
    );
    expect(outcome).toMatchObject({ status: 'ok', output: 'ran' });
    expect(reports).toMatchObject([{ provider: 'command-safety', decision: { kind: 'block' } }]);
  });

  test('applies to providers that the provider uses', async () => {
    const reports: DryRunReport[] = [];
    const policy: HookProvider = {
      name: 'acme',
      register: (registrar) =>
        void registrar.use({ name: 'inner', register: ({ use }) => void use(denyTools('exec')) }),
    };
    const outcome = await call(
      dryRun(policy, (would) => reports.push(would)),
      'exec',
      {},
    );
    expect(outcome).toMatchObject({ status: 'ok' });
    expect(reports).toMatchObject([{ provider: 'deny-tools', decision: { kind: 'block' } }]);
  });

  test("lets calls pass that do not fit a matcher's schema, and calls onError", async () => {
    const errors: string[] = [];
    const typed: HookProvider = {
      name: 'typed',
      register: (registrar) =>
        void registrar.guard(BeforeToolCall.matching('pay', z.object({ amount: z.number() })), () =>
          proceed(),
        ),
    };
    const outcome = await call(
      dryRun(typed, () => {}),
      'pay',
      {},
      { onError: ({ code }) => errors.push(code) },
    );
    expect(outcome).toMatchObject({ status: 'ok' });
    expect(errors).toEqual(['INVALID_INPUT']);
  });

  test('reports events instead of firing them', async () => {
    const reports: DryRunReport[] = [];
    const told: string[] = [];
    const hooks = createHooks();
    hooks.observe(AgentError, ({ message }) => told.push(message));
    hooks.use(dryRun(loopDetection({ identicalCalls: 2 }), (would) => reports.push(would)));
    const same = { session: hooks.session('s'), toolName: 'x', input: {} };
    await callTool(hooks, same, () => 'ran');
    expect(await callTool(hooks, same, () => 'ran')).toMatchObject({ status: 'ok' });
    expect(told).toEqual([]);
    expect(reports.map(({ event, decision }) => decision?.kind ?? (event as { type: string }).type)).toEqual([
      'agent_error',
      'notification',
      'block',
    ]);
  });

  test('reports asynchronous answers and failures', async () => {
    const reports: DryRunReport[] = [];
    const provider: HookProvider = {
      name: 'mixed',
      register(hooks) {
        hooks.on(BeforeToolCall, async () => modify({ input: 'other' }), { id: 'later' });
        hooks.guard(
          BeforeToolCall,
          () => {
            throw new Error('broken');
          },
          { id: 'throws' },
        );
        hooks.guard(BeforeToolCall, async () => Promise.reject(new Error('also broken')), { id: 'rejects' });
        hooks.guard(BeforeToolCall, async () => block('no'), { id: 'blocks' });
      },
    };
    const hooks = createHooks();
    hooks.use(dryRun(provider, (would) => reports.push(would)));
    const outcome = await callTool(
      hooks,
      { session: hooks.session(), toolName: 'x', input: 'mine' },
      (input) => input,
    );
    expect(outcome).toMatchObject({ status: 'ok', output: 'mine' });
    expect(reports.map(({ decision, error }) => decision?.kind ?? String(error))).toEqual(
      expect.arrayContaining(['modify', 'Error: broken', 'Error: also broken', 'block']),
    );
  });
});

describe('recommended', () => {
  test('does not drop the options of a second one', () => {
    const hooks = createHooks();
    hooks.use(recommended());
    const strict = recommended({ commandSafety: { policy: 'strict' } });
    expect(() => hooks.use(strict)).toThrow('Provider "recommended" is in use: give the second a { name }');
    hooks.use(strict, { name: 'strict' });
    expect(hooks.list().some(({ id }) => id === 'strict/builtin:command-safety-guard')).toBe(true);
  });

  test('contains the three guards with their ids and priorities', () => {
    const hooks = createHooks();
    hooks.use(recommended());
    const ids = new Map(hooks.list().map(({ id, priority }) => [id, priority]));
    expect(ids.get('recommended/builtin:command-safety-guard')).toBe(100);
    expect(ids.get('recommended/builtin:security-audit')).toBe(99);
    expect(hooks.list().some(({ event }) => event === 'transform_tool_result')).toBe(true);
  });

  test('registering it twice changes nothing', () => {
    const hooks = createHooks();
    const first = hooks.use(recommended());
    const before = hooks.list();
    hooks.use(recommended())[Symbol.dispose]();
    expect(hooks.list()).toEqual(before);
    first[Symbol.dispose]();
    expect(hooks.list()).toEqual([]);
  });
});
