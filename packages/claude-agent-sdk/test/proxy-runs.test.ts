/** What the model proxy keeps of runs, and of requests beside them. */
import { createSdkMcpServer, type SDKMessage, tool } from '@anthropic-ai/claude-agent-sdk';
import {
  BeforeCompaction,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  type Session,
  sessionKey,
  TransformToolResult,
} from '@hooks/core';
import { z } from 'zod';
import { bash, call, type Script, stream, texts, withClaude } from './fixtures.ts';
import { ask, playProxied, startApi, watched } from './proxy.ts';

/** Plays a query, and asks its proxy in the same session once the result has arrived. */
async function playThen<T>(
  script: Script,
  hooks: Hooks,
  work: (ask: (text: string) => Promise<string>) => Promise<T>,
) {
  let base = '';
  let done: T | undefined;
  const over = Promise.withResolvers<string>();
  async function* prompts() {
    yield* texts('Go.');
    const session = await over.promise;
    done = await work(async (text) => {
      const body = JSON.stringify({
        model: 'm',
        tools: [{ name: 'x' }],
        messages: [{ role: 'user', content: text }],
      });
      const headers = { 'x-claude-code-session-id': session };
      return (await fetch(`${base}/v1/messages`, { method: 'POST', headers, body })).text();
    });
  }
  const played = await playProxied(script, hooks, {
    prompt: prompts(),
    options: watched((env) => (base = env['ANTHROPIC_BASE_URL'] ?? '')),
    onMessage: (message: SDKMessage) => message.type === 'result' && over.resolve(message.session_id),
  });
  return { ...played, done };
}

withClaude.concurrent(
  'a history that has what hooks replaced is not sent again, whatever Claude Code asks for',
  async ({ expect }) => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ errorMessage: 'hidden' }));
    const { model, done } = await playThen(
      [[call('Read', { file_path: '/nowhere/SECRET' })], 'done'],
      hooks,
      (ask) => ask('Sum up.'),
    );
    expect(model.requests).toHaveLength(1);
    expect(done).toContain('replaced the error of Read');
  },
);

withClaude.concurrent(
  'what hooks keep for a request that Claude Code makes for itself is forgotten',
  async ({ expect }) => {
    const KEY = sessionKey<string>('kept');
    const runs: { readonly session: Session; readonly id: string }[] = [];
    const hooks = createHooks();
    hooks.on(BeforeModelCall, ({ session, run: id = '', turn }) => {
      if (turn === undefined) {
        session.run(id).set(KEY, 'kept');
        runs.push({ session, id });
      }
      return proceed();
    });
    // The values of the last hundred stay for a while.
    const { error } = await playThen(
      () => 'ok',
      hooks,
      async (ask) => {
        for (let nth = 0; nth < 101; nth++) await ask('Aside.');
      },
    );
    expect(error).toBeUndefined();
    expect(new Set(runs.map(({ id }) => id)).size).toBe(101);
    const kept = ({ session, id }: (typeof runs)[number]) => session.run(id).get(KEY);
    expect(runs.slice(0, 1).map(kept)).toEqual([undefined]);
    expect(runs.slice(-1).map(kept)).toEqual(['kept']);
  },
);

withClaude.concurrent(
  'a call is not renamed to a tool that a hook has taken out of the request',
  async ({ expect }) => {
    const ran: string[] = [];
    const tools = ['look', 'pay'].map((name) =>
      tool(name, name, { n: z.number() }, async () => {
        ran.push(name);
        return { content: [{ type: 'text' as const, text: name }] };
      }),
    );
    const play = async (hides: boolean) => {
      const hooks = createHooks();
      hooks.on(BeforeModelCall, ({ tools: offered }) =>
        hides ? modify({ tools: offered.filter(({ name }) => name !== 'mcp__t__pay') }) : proceed(),
      );
      hooks.on(BeforeToolCall.matching('mcp__t__look'), () => modify({ toolName: 'mcp__t__pay' }));
      const { model } = await playProxied([[call('mcp__t__look', { n: 1 })], 'done'], hooks, {
        options: { mcpServers: { t: createSdkMcpServer({ name: 't', alwaysLoad: true, tools }) } },
      });
      return model.read();
    };
    expect(await play(false)).toEqual(['pay']);
    expect((await play(true))[0]).toContain('was not offered');
    expect(ran).toEqual(['pay']);
  },
);

withClaude.concurrent('a model call behind a refused compaction is one of its turn', async ({ expect }) => {
  const used = { input_tokens: 90_000, output_tokens: 1 };
  await using api = await startApi((response, request, nth) =>
    stream(response, request, nth === 0 ? [bash('echo 1')] : [{ type: 'text', text: 'end' }], used),
  );
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(BeforeCompaction, () => (seen.push('compaction'), block('No.')));
  hooks.observe(BeforeModelCall, ({ iteration, turn }) => void seen.push([iteration, turn !== undefined]));
  await ask(api.url, hooks, { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' } });
  expect(seen).toEqual([[1, true], 'compaction', [2, true]]);
});
