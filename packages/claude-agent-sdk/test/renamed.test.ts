import {
  createSdkMcpServer,
  type HookCallback,
  type McpSdkServerConfigWithInstance,
  type Options,
  tool,
} from '@anthropic-ai/claude-agent-sdk';
import {
  AfterToolCall as AfterCall,
  type AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HookToolOptions, hookedOptions, hookServer, hookTools } from '../src/index.ts';
import { call, play, withClaude } from './fixtures.ts';

/** Where the tools are hooked besides the query. */
interface Hooking {
  /** Hooks the server. */
  readonly server?: { readonly hooks: Hooks; readonly options?: HookToolOptions };
  /** Hooks `pay` by itself. */
  readonly pay?: { readonly hooks: Hooks; readonly options?: HookToolOptions };
  /** Hooks `look` by itself. */
  readonly look?: { readonly hooks: Hooks };
}

/**
 * Plays Claude Code, which calls `look` of a server of this process in a hooked query: announces the call, then sends it to the
 * server. Gives what ran, the result, and the progress that it is told of.
 */
async function look(hooks: Hooks, { server, pay, look: looking }: Hooking = {}, options: Options = ALLOWED) {
  const ran: string[] = [];
  const [looks, pays] = ['look', 'pay'].map((name) =>
    tool(name, 'Looks or pays.', { n: z.number() }, async ({ n }, extra: unknown) => {
      ran.push(name);
      // A token that the client does not know, which it says in an error.
      const params = { progressToken: `${name} says ${n}`, progress: 1 };
      await Object(extra).sendNotification({ method: 'notifications/progress', params });
      return { content: [{ type: 'text', text: `${name} ${n}` }] };
    }),
  );
  if (looks === undefined || pays === undefined) throw new Error('Two tools.');
  const tools = [
    ...(looking === undefined ? [looks] : hookTools([looks], looking.hooks)),
    ...(pay === undefined ? [pays] : hookTools([pays], pay.hooks, pay.options)),
  ];
  const made = createSdkMcpServer({ name: 'shop', tools });
  const own = server === undefined ? made : hookServer(made, server.hooks, server.options);
  const hooked = hookedOptions({ settingSources: [], ...options, mcpServers: { shop: own } }, hooks);
  const { shop }: { readonly shop?: unknown } = Object(hooked.mcpServers);
  const { instance } = shop as McpSdkServerConfigWithInstance;
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'claude-code', version: '1.0.0' });
  await Promise.all([instance.connect(there), client.connect(here)]);
  const announced = {
    hook_event_name: 'PreToolUse',
    session_id: 's1',
    transcript_path: '',
    cwd: '',
    tool_name: 'mcp__shop__look',
    tool_use_id: 'c1',
    tool_input: { n: 1 },
    mcp_server: { source: 'sdk', name: 'shop' },
    permission_mode: options.permissionMode ?? 'default',
  } as Parameters<HookCallback>[0];
  for (const { hooks: callbacks } of hooked.hooks?.PreToolUse ?? [])
    for (const one of callbacks) await one(announced, 'c1', { signal: new AbortController().signal });
  const told: string[] = [];
  client.onerror = ({ message }) => void told.push(...(message.match(/\w+ says \d/) ?? []));
  const _meta = { 'claudecode/toolUseId': 'c1' };
  const result = await client.callTool({ name: 'look', arguments: { n: 1 }, _meta });
  const { content, isError = false } = result;
  const [{ text }] = content as [{ text: string }];
  return { ran, text, isError, told };
}

const ALLOWED: Options = { allowedTools: ['mcp__shop'] };

/** A registry that renames each call of `look`. */
function renaming(toolName = 'mcp__shop__pay'): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('mcp__shop__look'), () => modify({ toolName }), { id: 'renamer' });
  return hooks;
}

describe('a call of a tool of this process that a hook renames', () => {
  test('runs the other tool, and events say so', async () => {
    const hooks = renaming();
    const after: Partial<AfterToolCall>[] = [];
    hooks.observe(AfterCall, ({ toolName, nativeToolName, renamedTo }) => {
      after.push({ toolName, nativeToolName, ...(renamedTo !== undefined && { renamedTo }) });
    });
    expect(await look(hooks)).toEqual({
      ran: ['pay'],
      text: 'pay 1',
      isError: false,
      told: ['pay says 1'],
    });
    const name = 'mcp__shop__pay';
    expect(after).toEqual([{ toolName: name, nativeToolName: 'mcp__shop__look', renamedTo: name }]);
  });

  test.each(['pay', 'mcp__shop__pay'])(
    'and whose tool it calls %s meets the guards of that tool',
    async (name) => {
      const hooks = renaming(name);
      hooks.guard(BeforeToolCall.matching('mcp__shop__pay'), () => block('Nobody pays.'));
      expect(await look(hooks)).toMatchObject({ ran: [], text: 'Nobody pays.', isError: true });
    },
  );

  test('does not show what the tool tells while hooks have yet to decide about its result', async () => {
    const hooks = renaming();
    hooks.on(TransformToolResult.matching('mcp__shop__pay'), () => modify({ output: 'hidden' }));
    expect(await look(hooks)).toMatchObject({ ran: ['pay'], text: 'hidden', told: [] });
  });

  test('nor while a registry that hooks the called one has', async () => {
    const further = createHooks();
    further.on(TransformToolResult.matching('mcp__shop__pay'), () => modify({ output: 'hidden' }));
    const result = await look(renaming(), { look: { hooks: further } });
    expect(result).toMatchObject({ ran: ['pay'], text: 'hidden', told: [] });
  });

  const other = createHooks();
  other.on(BeforeToolCall, () => proceed());
  const allowing = () => ({ decision: 'allow' }) as const;
  test.each<[string, (hooks: Hooks) => Hooking, string]>([
    ['hooks of another registry', () => ({ pay: { hooks: other } }), 'has hooks of other registries'],
    [
      'an approver of its own',
      (hooks) => ({ pay: { hooks, options: { approval: allowing } } }),
      'is hooked with other options',
    ],
    [
      'a principal of its own',
      (hooks) => ({ pay: { hooks, options: { principal: () => ({ id: 'ann' }) } } }),
      'is hooked with other options',
    ],
  ])('does not run a tool with %s', async (_what, hooking, reason) => {
    const hooks = renaming();
    const { ran, text, isError } = await look(hooks, hooking(hooks));
    expect({ ran, isError }).toEqual({ ran: [], isError: true });
    expect(text).toContain('renamer');
    expect(text).toContain(reason);
  });

  test('runs a tool whose whole server is hooked with other options, as the called one is', async () => {
    const hooks = renaming();
    const server = { hooks, options: { principal: () => ({ id: 'ann' }) } };
    expect(await look(hooks, { server })).toMatchObject({ ran: ['pay'] });
  });

  const deny = ['mcp__shop__pay'];
  const NAMED = 'may be meant by a rule';
  const agent = (more: object) => ({ agent: 'h', agents: { h: { description: 'd', prompt: 'p', ...more } } });
  test.each<[string, Options, string]>([
    ['disallowedTools', { disallowedTools: deny }, NAMED],
    ['a pattern', { disallowedTools: ['mcp__shop__*ay'] }, NAMED],
    ['a pattern for all', { disallowedTools: ['*'] }, NAMED],
    ['a rule with contents', { disallowedTools: ['mcp__shop__pay(*)'] }, NAMED],
    ['a list in one rule', { disallowedTools: ['Bash(rm:*) mcp__shop__pay, Read'] }, NAMED],
    ['a rule for the server', { disallowedTools: ['mcp__shop'] }, NAMED],
    ['a deny rule', { settings: { permissions: { deny } } }, NAMED],
    ['an ask rule', { settings: JSON.stringify({ permissions: { ask: deny } }) }, NAMED],
    ['a managed rule', { managedSettings: { permissions: { deny } } }, NAMED],
    ['an argument', { extraArgs: { 'disallowed-tools': 'mcp__shop__pay' } }, NAMED],
    ['a rule of an unknown kind', { disallowedTools: ['/pay/'] }, NAMED],
    ['an agent without it', agent({ tools: ['mcp__shop__look'] }), 'the tools of the agent h'],
    [
      'an agent with a list of tools',
      agent({ tools: ['mcp__shop__look', 'mcp__shop__pay'] }),
      'the tools of the agent h',
    ],
    ['an agent that may not', agent({ disallowedTools: deny }), NAMED],
    ['the mode plan', { permissionMode: 'plan' }, 'the mode "plan"'],
    ['a permission', { allowedTools: ['mcp__shop__look'] }, 'list "mcp__shop__pay" in allowedTools'],
    [
      'managed permissions',
      { managedSettings: { allowManagedPermissionRulesOnly: true } },
      'in allowedTools',
    ],
  ])('does not run a tool for which Claude Code has %s', async (_what, options, reason) => {
    const { ran, text } = await look(renaming(), {}, { ...ALLOWED, ...options });
    expect(ran).toEqual([]);
    expect(text).toContain(`"mcp__shop__pay" `);
    expect(text).toContain(reason);
  });

  test.each<[string, Options]>([
    ['rules name built-in tools', { disallowedTools: ['WebFetch', 'Bash(rm:*)'] }],
    ['its server is allowed by a pattern', { allowedTools: ['mcp__shop__*'] }],
    ['it is allowed itself', { allowedTools: ['mcp__shop__look', 'mcp__shop__pay'] }],
    ['its agent has all tools', agent({ disallowedTools: ['Bash'] })],
  ])('runs where %s', async (_what, options) => {
    expect(await look(renaming(), {}, { ...ALLOWED, ...options })).toMatchObject({ ran: ['pay'] });
  });

  test('runs where the user has Claude Code ask for nothing', async () => {
    expect(await look(renaming(), {}, { permissionMode: 'bypassPermissions' })).toMatchObject({
      ran: ['pay'],
    });
  });
});

const ASKS_NOTHING: Options = { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true };
const BARE_NAMES = { env: { CLAUDE_AGENT_SDK_MCP_NO_PREFIX: '1' } };
withClaude.concurrent.for<[string, Options, ('always_ask' | 'always_deny')?]>([
  ['a pattern', { disallowedTools: ['mcp__shop__p*'] }],
  ['a deny rule', { settings: { permissions: { deny: ['mcp__shop__pay'] } } }],
  ['an ask rule', { settings: { permissions: { ask: ['mcp__shop__pay'] } } }],
  ['bare names', { ...BARE_NAMES, disallowedTools: ['mcp__shop__pay'] }],
  ['the mode plan', { permissionMode: 'plan', allowDangerouslySkipPermissions: false, ...ALLOWED }],
  ['a policy', {}, 'always_deny'],
])(
  'a tool that Claude Code keeps from the model does not run in place of another: %s',
  async ([_what, options, policy]) => {
    const prefix = options.env === undefined ? 'mcp__shop__' : '';
    const ran: string[] = [];
    const run = async (called: readonly string[], hooks: Hooks) => {
      const tools = ['look', 'pay'].map((name) =>
        tool(
          name,
          'Looks or pays.',
          {},
          async () => {
            ran.push(name);
            return { content: [] };
          },
          { annotations: { readOnlyHint: name === 'look' } },
        ),
      );
      const made = createSdkMcpServer({ name: 'shop', tools });
      const shop = policy ? { ...made, tools: [{ name: 'pay', permission_policy: policy }] } : made;
      await play([...called.map((name) => [call(`${prefix}${name}`)]), 'done'], hooks, {
        options: { ...ASKS_NOTHING, ...options, mcpServers: { shop } },
      });
    };
    const watching = createHooks();
    watching.on(BeforeToolCall, () => proceed());
    await run(['pay', 'look'], watching);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: `${prefix}pay` }));
    await run(['look'], hooks);
    expect(ran).toEqual(['look']);
  },
);
