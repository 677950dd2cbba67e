// Every example of the openclaw-interceptors seed, re-made.
import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  globalHooks,
  type Hooks,
  modify,
  proceed,
  resetGlobalHooks,
  SessionEnd,
  TransformToolResult,
  UserPromptSubmit,
} from '../src/index.ts';
import { openclawTools } from '../src/presets.ts';
import { callTool } from '../src/tool-call/index.ts';

const exec = (
  hooks: Hooks,
  command: string,
  execute: (input: unknown) => unknown = (input) => input,
  toolName = 'exec',
) =>
  callTool(hooks, { session: hooks.session('s'), toolName, callId: 'call_1', input: { command } }, execute);

describe('openclaw-interceptors', () => {
  it('message.before classifies, params.before reads the tags and sets the thinking level', async () => {
    const hooks = createHooks();
    hooks.on(
      UserPromptSubmit,
      ({ prompt }) =>
        modify({
          metadata: { complexity: prompt.length > 500 || prompt.includes('debug') ? 'high' : 'low' },
        }),
      { id: 'classifier' },
    );
    hooks.on(
      BeforeRun,
      ({ metadata, settings }) =>
        metadata['complexity'] === 'high'
          ? modify({ settings: { ...settings, reasoningEffort: 'high' } })
          : proceed(),
      { id: 'think-adjuster' },
    );
    const session = hooks.session('s');
    const run = async (id: string, prompt: string) => {
      await hooks.dispatch(UserPromptSubmit, { session, run: id, prompt });
      return hooks.dispatch(BeforeRun, {
        session,
        run: id,
        message: prompt,
        metadata: session.run(id).metadata,
      });
    };
    expect(await run('r1', 'please debug this')).toMatchObject({
      patch: { settings: { reasoningEffort: 'high' } },
    });
    expect(await run('r2', 'hello')).toBe(proceed());
  });

  it('an asynchronous classifier', async () => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, async ({ prompt }) =>
      modify({ metadata: { route: await Promise.resolve(prompt.includes('?') ? 'ask' : 'do') } }),
    );
    const session = hooks.session('s');
    await hooks.dispatch(UserPromptSubmit, { session, run: 'r', prompt: 'why?' });
    expect(session.run('r').metadata).toEqual({ route: 'ask' });
  });

  it('my-plugin:redact-secrets, priority 5', async () => {
    const hooks = createHooks();
    hooks.on(
      TransformToolResult,
      ({ output }) =>
        typeof output === 'string'
          ? modify({ output: output.replace(/sk-[a-zA-Z0-9]{20,}/g, 'sk-***') })
          : proceed(),
      { id: 'my-plugin:redact-secrets', priority: 5 },
    );
    expect(await exec(hooks, 'env', () => `KEY=sk-${'a'.repeat(24)} end`)).toMatchObject({
      output: 'KEY=sk-*** end',
    });
    expect(hooks.remove('my-plugin:redact-secrets')).toBe(true);
  });

  it('bad: a matcher that meets no known tool throws at registration, with the full list of valid names', () => {
    const hooks = createHooks({ ...openclawTools });
    const register = () =>
      hooks.on(BeforeToolCall.matching(/^nonexistent_tool$/), () => proceed(), { id: 'bad' });
    expect(register).toThrow(/none of the known tools/);
    for (const name of openclawTools.knownTools) expect(register).toThrow(name);
    expect(hooks.list()).toEqual([]);
  });

  it('safety:no-rm-rf, priority 100', async () => {
    const hooks = createHooks({ ...openclawTools });
    hooks.on(
      BeforeToolCall.matching(/^exec$/),
      ({ input }) =>
        (input as { command: string }).command.includes('rm -rf')
          ? block('rm -rf is not allowed')
          : proceed(),
      { id: 'safety:no-rm-rf', priority: 100 },
    );
    let ran = 0;
    expect(await exec(hooks, 'rm -rf /', () => ran++)).toMatchObject({
      status: 'blocked',
      toolName: 'exec',
      reason: 'rm -rf is not allowed',
    });
    expect(await exec(hooks, 'rm -rf /', () => ran++, 'bash')).toMatchObject({
      status: 'blocked',
      toolName: 'exec',
    });
    expect(ran).toBe(0);
  });

  it('style:no-color', async () => {
    const hooks = createHooks();
    hooks.on(
      BeforeToolCall.matching(/^exec$/),
      ({ input }) => {
        const { command } = input as { command: string };
        return command.includes('--color')
          ? proceed()
          : modify({ input: { command: `${command} --color=never` } });
      },
      { id: 'style:no-color' },
    );
    expect(await exec(hooks, 'ls')).toMatchObject({ output: { command: 'ls --color=never' } });
    expect(await exec(hooks, 'ls --color=auto')).toMatchObject({ output: { command: 'ls --color=auto' } });
  });

  it('audit:log-tools, priority -10: runs last, after all mutations', async () => {
    const hooks = createHooks();
    const log: string[] = [];
    hooks.on(
      BeforeToolCall,
      ({ toolName, callId, input }) => {
        log.push(`[audit] tool=${toolName} callId=${callId} args=${JSON.stringify(input)}`);
        return proceed();
      },
      { id: 'audit:log-tools', priority: -10 },
    );
    hooks.on(BeforeToolCall, () => modify({ input: { command: 'changed' } }));
    await exec(hooks, 'ls');
    expect(log).toEqual(['[audit] tool=exec callId=call_1 args={"command":"changed"}']);
  });

  it('clean:strip-ansi', async () => {
    const hooks = createHooks();
    const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
    hooks.on(
      TransformToolResult,
      ({ output }) => (typeof output === 'string' ? modify({ output: output.replace(ansi, '') }) : proceed()),
      { id: 'clean:strip-ansi' },
    );
    expect(await exec(hooks, 'ls', () => '\x1b[31mred\x1b[0m')).toMatchObject({ output: 'red' });
  });

  it('enrich:fetch-metadata: asynchronous, sequential in priority order', async () => {
    const hooks = createHooks();
    const fetchMetadata = async (url: string) => ({ title: `page of ${url}` });
    hooks.on(
      TransformToolResult.matching(/^web_search$/),
      async ({ output }) => {
        const details = output as { url?: string };
        return details.url === undefined
          ? proceed()
          : modify({ output: { ...details, meta: await fetchMetadata(details.url) } });
      },
      { id: 'enrich:fetch-metadata' },
    );
    hooks.on(
      TransformToolResult.matching(/^web/),
      ({ output }) => modify({ output: JSON.stringify(output) }),
      { priority: -1 },
    );
    const outcome = await exec(hooks, '', () => ({ url: 'u' }), 'web_search');
    expect(outcome.output).toBe('{"url":"u","meta":{"title":"page of u"}}');
  });

  it('matchers: only exec, any that starts with web, read or write', () => {
    const hooks = createHooks({ ...openclawTools });
    hooks.on(BeforeToolCall.matching(/^exec$/), () => proceed(), { id: 'exec' });
    hooks.on(BeforeToolCall.matching(/^web/), () => proceed(), { id: 'web' });
    hooks.on(BeforeToolCall.matching(/^(read|write)$/), () => proceed(), { id: 'files' });
    hooks.on(BeforeToolCall.matching('group:fs'), () => proceed(), { id: 'fs' });
    const asked = (name: string) => hooks.get(BeforeToolCall, name).map(({ id }) => id);
    expect([asked('exec'), asked('web_fetch'), asked('read'), asked('edit')]).toEqual([
      ['exec'],
      ['web'],
      ['files', 'fs'],
      ['fs'],
    ]);
  });

  it('agentMatcher: prompt hooks of one agent', async () => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => modify({ prompt: 'for the coder' }), { agents: /^coder$/ });
    const session = hooks.session('s');
    expect(await hooks.dispatch(UserPromptSubmit, { session, agent: 'coder', prompt: 'x' })).toMatchObject({
      kind: 'modify',
    });
    expect(await hooks.dispatch(UserPromptSubmit, { session, agent: 'writer', prompt: 'x' })).toBe(proceed());
  });

  it('the global registry: one for the program, and reset for tests', async () => {
    const hooks = globalHooks();
    expect(globalHooks()).toBe(hooks);
    hooks.on(AfterToolCall, () => proceed());
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ session }) => void ended.push(session.id));
    await hooks.session('s').open();
    await resetGlobalHooks();
    expect(ended).toEqual(['s']);
    expect(globalHooks()).not.toBe(hooks);
    expect(globalHooks().list()).toEqual([]);
    await resetGlobalHooks();
  });
});
