import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TrustStore, trustedPath } from '@hooks/config';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test, vi } from 'vitest';
import { workspace } from './program.ts';

/* Copilot itself makes each decision of its table in `test-agents`. Cursor is an editor, so its events are those of its documentation. */

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const policy = fileURLToPath(new URL('./policy.ts', import.meta.url));

/** Runs `hooks run` as a process, as an agent does. */
async function run(as: string, event: object | string, ...args: readonly string[]) {
  const config = temporaryFolder();
  vi.stubEnv('XDG_CONFIG_HOME', config);
  for (const path of [policy, ...args].filter((word) => word.startsWith('/')))
    await new TrustStore().trust(trustedPath(path), readFileSync(path, 'utf8'));
  const words = ['--conditions=@hooks/source', main, 'run', '--as', as];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...words, ...(args.length > 0 ? args : ['--policy', policy])],
    { input: typeof event === 'string' ? event : JSON.stringify(event), encoding: 'utf8', cwd: config },
  );
  vi.unstubAllEnvs();
  return { code: status, stderr: stderr.trim(), said: stdout === '' ? {} : JSON.parse(stdout) };
}

/** Runs `hooks run` with a file that refuses the calls that a matcher meets. */
async function runWithMatcher(as: string, matcher: string, event: object) {
  const text = `hooks: {before_tool_call: [{matcher: '${matcher}', hooks: [{type: command, command: exit 2}]}]}`;
  const { trust, asHook } = workspace({ 'hooks.yaml': text });
  await trust('hooks.yaml', text);
  return asHook(event, '--as', as, '--file', 'hooks.yaml');
}

describe('a tool of an MCP server, whose name begins with the name of the server', () => {
  const copilot = { sessionId: 's', timestamp: 1, cwd: '/', toolName: 'bank-at-home-pay', toolArgs: {} };
  const opencode = {
    ...{ hook_event_name: 'before_tool_call', session_id: 's', cwd: '/', tool_use_id: 'c' },
    ...{ tool_name: 'bank_at_home_pay', tool_input: {} },
  };

  const cursor = {
    ...{ hook_event_name: 'preToolUse', tool_name: 'MCP:pay', tool_input: {} },
    ...{ conversation_id: 'c', cursor_version: '2.0.77', workspace_roots: ['/w'] },
  };
  const gemini = {
    ...{ hook_event_name: 'BeforeTool', session_id: 's', cwd: '/', timestamp: '2026-01-01T00:00:00Z' },
    ...{ tool_name: 'mcp_bank_at_home_pay', tool_input: {} },
  };

  test.each([
    ['mcp', 2],
    ['mcp__.*', 2],
    ['mcp__bank-at-home__pay', 2],
    ['mcp__bank_at_home__.*', 2],
    ['mcp__shop__pay', 0],
    ['shell', 0],
  ])('is met by a matcher about the server: %s', async (matcher, code) => {
    for (const [as, event] of Object.entries({ copilot, opencode })) {
      // Each names a server in its own way.
      if (matcher.includes('-') && as === 'opencode') continue;
      if (matcher.includes('_at_') && as === 'copilot') continue;
      expect({ as, ...(await runWithMatcher(as, matcher, event)) }).toMatchObject({ as, code });
    }
  });

  describe.each([
    ['mcp', true],
    ['mcp__.*', true],
    ['mcp:.*', true],
    ['mcp__bank.at.home__pay', true],
    ['mcp__bank.at__home_pay|mcp__bank.at__home-pay', true],
    ['mcp__shop__pay', false],
    ['shell', false],
  ])('%s', (pattern, isMet) => {
    test.each(['deny_tools', 'permissions'])('in %s of a file', async (builtin) => {
      // Patterns of permissions are no regular expressions.
      if (builtin === 'permissions' && /\.|\|/.test(pattern)) return;
      const args = builtin === 'permissions' ? { deny: [pattern] } : [pattern];
      const hook = { type: 'builtin', command: builtin, args };
      const text = JSON.stringify({ hooks: { before_tool_call: [hook] } });
      const { trust, asHook } = workspace({ 'hooks.yaml': text });
      await trust('hooks.yaml', text);
      for (const [as, event] of Object.entries({ copilot, opencode, cursor, gemini })) {
        // Cursor's name has nothing of the server.
        if (as === 'cursor' && pattern.includes('bank')) continue;
        const { code, stdout, stderr } = await asHook(event, '--as', as, '--file', 'hooks.yaml');
        const isRefused = code === 2 || /"(?:permission|decision)":"deny"/.test(stdout);
        // Cursor does not say which server's tool it is, so a rule about any server means it.
        const expected = isMet || (as === 'cursor' && pattern.endsWith('__pay'));
        expect({ as, isRefused, stderr }).toMatchObject({ as, isRefused: expected });
        expect(stderr).not.toContain('failed');
      }
    });
  });

  test.each(Object.entries({ copilot, opencode, cursor, gemini }))(
    'is met by the matchers of a TypeScript policy in %s',
    async (as, event) => {
      const isRefused = async (register: string) => {
        const { dir } = workspace({
          'policy.mjs': `import { BeforeToolCall, block } from '${import.meta.resolve('@hooks/core')}';
import { denyTools } from '${import.meta.resolve('@hooks/guards')}';
export default { name: 'p', register: (hooks) => ${register} };`,
        });
        const { said, code } = await run(as, event, '--policy', join(dir, 'policy.mjs'));
        expect(JSON.stringify(said)).not.toContain('failed');
        return code === 2 || [said.permission, said.decision].includes('deny');
      };
      expect(await isRefused("hooks.use(denyTools('mcp'))")).toBe(true);
      const on = (pattern: string) =>
        `hooks.use({ name: 'q', register: (inner) => inner.on(BeforeToolCall.matching(${pattern}), () => block('no')) })`;
      expect(await isRefused(on('/^mcp__bank/'))).toBe(true);
      expect(await isRefused(on("'shell'"))).toBe(false);
    },
  );

  test('grants no approval of a hook about another server', async () => {
    const text = `hooks: {before_tool_call: [{matcher: mcp__shop__.*, hooks: [{type: command, command: 'echo "{\\"hook_specific_output\\": {\\"permission_decision\\": \\"allow\\"}}"'}]}]}`;
    const { trust, asHook } = workspace({ 'hooks.yaml': text });
    await trust('hooks.yaml', text);
    const said = async (toolName: string) =>
      (await asHook({ ...copilot, toolName }, '--as', 'copilot', '--file', 'hooks.yaml')).stdout;
    expect(await said('shop-pay')).toContain('"permissionDecision":"allow"');
    expect(await said('evil-pay')).toBe('');
    expect(await said('evil-at-home-pay')).toBe('');
  });

  test.each([
    ['allow_tools', ['mcp']],
    ['allow_tools', ['mcp__bank-at-home__.*', 'mcp__bank_at_home__.*']],
  ])('is not allowed by %s of %j, because another server may be meant', async (name, args) => {
    const text = `hooks: {before_tool_call: [{type: builtin, command: ${name}, args: ${JSON.stringify(args)}}]}`;
    const { trust, asHook } = workspace({ 'hooks.yaml': text });
    await trust('hooks.yaml', text);
    for (const [as, event] of Object.entries({ copilot, opencode }))
      expect(await asHook(event, '--as', as, '--file', 'hooks.yaml')).toMatchObject({ code: 2 });
  });
});

describe('the plugin for OpenCode', () => {
  const plugin = new URL('../../../apps/docs/pages/reference/opencode.ts', import.meta.url);
  const ask = async (answer: string, result: object | undefined) => {
    const programs = temporaryFolder();
    writeFileSync(join(programs, 'npx'), `#!/bin/sh\ncat > ${programs}/event\n${answer}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`);
    const { hooks } = await import(plugin.href);
    const { 'tool.execute.after': after } = await hooks({ directory: programs });
    const call = { tool: 'shop_pay', sessionID: 's', callID: 'c', args: {} };
    try {
      await after(call, result);
    } finally {
      vi.unstubAllEnvs();
    }
    const event = join(programs, 'event');
    return existsSync(event) ? JSON.parse(readFileSync(event, 'utf8')) : undefined;
  };

  test('leaves nothing of a result that the policy replaces', async () => {
    const replace = `echo '{"output":"hidden"}'`;
    const shell = { output: 'sk-1', metadata: { output: 'sk-1' }, attachments: ['sk-1'] };
    await ask(replace, shell);
    expect(shell).toEqual({ output: 'hidden', metadata: {} });
    const content = [{ type: 'text', text: 'sk-1' }];
    const mcp = { content, structuredContent: { key: 'sk-1' }, metadata: { key: 'sk-1' } };
    await ask(replace, mcp);
    expect(mcp).toEqual({ content: [{ type: 'text', text: 'hidden' }], metadata: {} });
  });

  test('shows the policy all that the model reads', async () => {
    const mcp = { content: [{ type: 'text', text: 'fine' }], structuredContent: { key: 'sk-1' } };
    expect(await ask('true', mcp)).toMatchObject({ tool_response: 'fine' });
    expect(mcp).toEqual({ content: [{ type: 'text', text: 'fine' }] });
  });

  test('asks about no result where a subtask failed, and withholds one that the policy does not judge', async () => {
    expect(await ask('true', undefined)).toBeUndefined();
    await expect(ask('exit 1', { output: 'x' })).rejects.toThrow('hooks run did not answer');
    await expect(ask('echo no', { output: 'x' })).rejects.toThrow();
    await expect(ask('kill $$', { output: 'x' })).rejects.toThrow();
  });
});

describe('hooks run --as copilot', () => {
  const camel = { sessionId: 's', timestamp: 1, cwd: '/' };
  const pascal = { session_id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/' };
  const before = (command: string) => ({ ...camel, toolName: 'bash', toolArgs: { command } });
  const named = (name: string, command: string, rest: object = {}) => ({
    ...pascal,
    hook_event_name: name,
    tool_name: 'Bash',
    tool_input: { command },
    ...rest,
  });
  const denial = { permissionDecision: 'deny', permissionDecisionReason: 'rm is not allowed' };

  test('refuses an event that has a tool in both forms', async () => {
    const event = { ...named('PreToolUse', 'rm -rf x'), ...before('ls') };
    expect(await run('copilot', event)).toMatchObject({
      code: 2,
      stderr: 'hooks run failed: the event on stdin has both toolName and tool_name',
    });
  });

  test.each([
    ['preToolUse', before('rm -rf x')],
    ['PreToolUse', named('PreToolUse', 'rm -rf x')],
  ])('refuses a call on %s, with the reason', async (_, event) => {
    expect(await run('copilot', event)).toMatchObject({ code: 2, said: denial });
  });

  test.each([
    [
      'preToolUse',
      before('deploy'),
      { permissionDecision: 'ask', permissionDecisionReason: 'a person has to agree' },
    ],
    ['preToolUse', before('drop'), { modifiedArgs: { command: 'ls' } }],
    ['PreToolUse', named('PreToolUse', 'drop'), { modifiedArgs: { command: 'ls' } }],
    [
      'permissionRequest',
      { ...camel, hookName: 'permissionRequest', toolName: 'bash', toolInput: { command: 'git status' } },
      { behavior: 'allow', message: 'it only looks' },
    ],
    [
      'postToolUse',
      { ...before('x'), toolResult: { resultType: 'success', textResultForLlm: 'sk-1' } },
      { modifiedResult: { resultType: 'success', textResultForLlm: 'scrubbed' } },
    ],
    [
      'postToolUse',
      { ...before('x'), toolResult: { resultType: 'success', textResultForLlm: 'a leak' } },
      { decision: 'block', reason: 'that leaks' },
    ],
    [
      'PostToolUse',
      named('PostToolUse', 'x', { tool_result: { result_type: 'success', text_result_for_llm: 'a leak' } }),
      { decision: 'block', reason: 'that leaks' },
    ],
    ['userPromptSubmitted', { ...camel, prompt: 'a secret' }, { decision: 'block', reason: 'no secrets' }],
    [
      'UserPromptSubmit',
      { ...pascal, hook_event_name: 'UserPromptSubmit', prompt: 'hi' },
      { additionalContext: 'noted' },
    ],
    ['sessionStart', { ...camel, source: 'new', initialPrompt: 'hi' }, { additionalContext: 'be careful' }],
    [
      'agentStop',
      { ...camel, transcriptPath: '/t', stopReason: 'end_turn', stop_hook_active: false },
      { decision: 'block', reason: 'run the tests' },
    ],
    ['Stop', { ...pascal, hook_event_name: 'Stop', stop_reason: 'end_turn', stop_hook_active: true }, {}],
    ['sessionEnd', { ...camel, reason: 'complete' }, {}],
    ['subagentStop', { ...camel, agentName: 'a', stopReason: 'end_turn' }, {}],
    ['errorOccurred', { ...camel, error: { message: 'm' }, errorContext: 'system', recoverable: true }, {}],
  ])('answers %s of %j', async (_, event, said) => {
    const answer = await run('copilot', event);
    expect(answer).toMatchObject({ code: 0, said });
    if (Object.keys(said).length === 0) expect(answer.said).toEqual({});
  });

  test.each([
    ['no JSON', '{', 'stdin is not JSON'],
    [
      'an unknown gate',
      { ...pascal, hook_event_name: 'PreFlight', tool_name: 'x' },
      'has no event "PreFlight"',
    ],
    ['an unknown shape', { ...camel, novel: 1 }, 'has the fields of no event of Copilot'],
    ['a call without a tool', { ...pascal, hook_event_name: 'PreToolUse' }, 'it has no toolName'],
    [
      'arguments of the other form',
      { ...pascal, hook_event_name: 'PreToolUse', tool_name: 'Bash', toolArgs: {} },
      'has both toolArgs and tool_name',
    ],
    [
      'arguments that are cut JSON',
      { ...camel, toolName: 'bash', toolArgs: '{"command":"ls"' },
      'no JSON object',
    ],
    ['arguments that are text in JSON', { ...camel, toolName: 'bash', toolArgs: '"{}"' }, 'no JSON object'],
    [
      'arguments of a request that are cut',
      { ...camel, toolName: 'bash', toolInput: '{"command' },
      'no JSON object',
    ],
  ])('refuses %s', async (_, event, stderr) => {
    expect(await run('copilot', event)).toMatchObject({ code: 2, stderr: expect.stringContaining(stderr) });
  });

  test('and --as cursor refuse before the agent’s own timeout of 30 seconds, after which it runs the tool', async () => {
    const { AGENTS } = await import('../src/agents/all.ts');
    expect([AGENTS['copilot']?.limit, AGENTS['cursor']?.limit]).toEqual([25, 25]);
  });
});

describe('hooks run --as cursor', () => {
  const common = {
    conversation_id: 'c',
    generation_id: 'g',
    model: 'm',
    cursor_version: '2.0.77',
    workspace_roots: ['/w'],
    user_email: null,
    transcript_path: null,
  };
  const event = (hook_event_name: string, rest: object) => ({ ...common, hook_event_name, ...rest });
  const call = (command: string) => ({
    tool_name: 'Shell',
    tool_input: { command },
    tool_use_id: 't',
    cwd: '/w',
  });
  const deny = { permission: 'deny', user_message: 'rm is not allowed', agent_message: 'rm is not allowed' };

  test.each<[string, object, object]>([
    ['preToolUse', call('rm -rf x'), deny],
    ['preToolUse', call('drop'), { permission: 'allow', updated_input: { command: 'ls' } }],
    // Cursor takes "ask" here and runs the tool.
    ['preToolUse', call('deploy'), { permission: 'deny', agent_message: 'a person has to agree' }],
    ['beforeShellExecution', { command: 'rm -rf x', cwd: '/w', sandbox: false }, deny],
    [
      'beforeShellExecution',
      { command: 'deploy', cwd: '' },
      { permission: 'ask', user_message: 'a person has to agree' },
    ],
    ['beforeShellExecution', { command: 'drop', cwd: '/w' }, { permission: 'deny' }],
    ['beforeMCPExecution', { tool_name: 'query', tool_input: '{"sql":"rm -rf"}', command: 'npx x' }, deny],
    ['beforeReadFile', { file_path: '/w/rm -rf', content: 'x', attachments: [] }, deny],
    // Of its completion in the editor.
    ['beforeTabFileRead', { file_path: '/w/rm -rf', content: 'x' }, deny],
    ['beforeTabFileRead', { file_path: '/w/a', content: 'x' }, {}],
    ['afterTabFileEdit', { file_path: '/w/a', edits: [] }, {}],
    [
      'postToolUse',
      { ...call('x'), tool_name: 'MCP:query', tool_output: '"sk-1"', duration: 1 },
      { updated_mcp_tool_output: { result: 'scrubbed' } },
    ],
    [
      'postToolUse',
      { ...call('x'), tool_name: 'MCP:query', tool_output: '"a leak"', duration: 1 },
      { updated_mcp_tool_output: { result: 'that leaks' } },
    ],
    [
      'beforeSubmitPrompt',
      { prompt: 'a secret', attachments: [] },
      { continue: false, user_message: 'no secrets' },
    ],
    ['stop', { status: 'completed', loop_count: 0 }, { followup_message: 'run the tests' }],
    ['stop', { status: 'completed', loop_count: 1 }, {}],
    ['sessionStart', { session_id: 's', is_background_agent: false }, { additional_context: 'be careful' }],
    ['afterAgentThought', { text: 'hm' }, {}],
  ])('answers %s of %j', async (name, rest, said) => {
    const answer = await run('cursor', event(name, rest));
    expect(answer).toMatchObject({ code: 0, said });
    if (Object.keys(said).length === 0) expect(answer.said).toEqual({});
  });

  test('warns that the model reads a result that a hook blocked', async () => {
    const leak = { ...call('x'), tool_output: '"a leak"', duration: 1 };
    expect(await run('cursor', event('postToolUse', leak))).toMatchObject({
      said: {},
      stderr: expect.stringContaining('Cursor shows the model this result although a hook blocked it'),
    });
  });

  test.each<[string, object, string]>([
    ['beforeMCPExecution', { tool_input: '{}' }, 'has no tool_name'],
    ['preToolUse', { tool_input: {} }, 'it has no tool_name'],
    ['beforeShellExecution', { cwd: '/w' }, 'beforeShellExecution has no command'],
    ['beforeReadFile', { content: 'x' }, 'beforeReadFile has no file_path'],
    ['beforeShellExecution', { command: null }, 'beforeShellExecution has no command'],
    ['beforeReadFile', { file_path: null }, 'beforeReadFile has no file_path'],
    ['beforeMCPExecution', { tool_name: 'pay', tool_input: '{"a":1' }, 'no JSON object'],
    ['preToolUse', { tool_name: 'Shell', tool_input: '"x"x' }, 'no JSON object'],
    ['beforeFlight', {}, 'has no event "beforeFlight"'],
  ])('refuses %s of %j', async (name, rest, stderr) => {
    expect(await run('cursor', event(name, rest))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(stderr),
    });
  });
});

describe('a rule of a file', () => {
  const policy = `hooks:
  before_tool_call:
    - {type: builtin, command: permissions, args: {deny: ["shell:cmd=rm *"]}}
    - {matcher: "mcp__evil__.*", hooks: [{type: command, command: "exit 2"}]}
`;

  test.each<[string, string, object]>([
    // As in Copilot's documentation.
    ['JSON text as the arguments', 'copilot', { toolName: 'bash', toolArgs: '{"command":"rm -rf x"}' }],
    [
      'JSON text as the input',
      'copilot',
      { hook_event_name: 'PreToolUse', tool_name: 'bash', tool_input: '{"command":"rm -rf x"}' },
    ],
    ['a shell command', 'cursor', { hook_event_name: 'beforeShellExecution', command: 'rm -rf x' }],
    // Cursor does not say which server's tool it is.
    [
      'a tool of an MCP server',
      'cursor',
      { hook_event_name: 'beforeMCPExecution', tool_name: 'do', tool_input: '{}' },
    ],
    [
      'a tool of an MCP server',
      'cursor',
      { hook_event_name: 'preToolUse', tool_name: 'MCP:do', tool_input: {} },
    ],
  ])('meets %s of %s', async (_, as, event) => {
    const { asHook, trust } = workspace({ 'policy.yaml': policy });
    await trust('policy.yaml', policy);
    const { stdout } = await asHook({ cwd: '/', ...event }, '--as', as, '--file', 'policy.yaml');
    expect(stdout).toMatch(/"deny"/);
  });
});
