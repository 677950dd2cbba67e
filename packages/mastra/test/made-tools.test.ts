import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  grantApproval,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  ToolApprovalDecision,
  TransformToolResult,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { LocalFilesystem, LocalSandbox, Workspace } from '@mastra/core/workspace';
import { describe, expect, test } from 'vitest';
import { type HookedOptions, hookedAgent } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

const here = import.meta.dirname;
const LIST = 'mastra_workspace_list_files';
const EXECUTE = 'mastra_workspace_execute_command';

function workspaceOf(requireApproval = false): Workspace {
  return new Workspace({
    filesystem: new LocalFilesystem({ basePath: here }),
    sandbox: new LocalSandbox({ workingDirectory: here }),
    tools: { [LIST]: { requireApproval } },
  });
}

async function setUp(
  hooks: Hooks,
  script: ReturnType<typeof callThenText>,
  more: Partial<AgentConfig>,
  options: HookedOptions = {},
) {
  const server = await serve(script);
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), ...more };
  const agent = quiet(hookedAgent(config, hooks, options));
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  return { server, agent };
}

describe.each([false, true])('a tool that Mastra makes itself (streamed: %s)', (streaming) => {
  test('its output is replaced, a text too; the user’s native hooks see what is left of it', async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, ({ output }) => modify({ output: `${typeof output}, redacted` }));
    const seen: unknown[] = [];
    const native = { afterToolCall: async ({ output }: { output?: unknown }) => void seen.push(output) };
    const script = callThenText(LIST, { path: '.' });
    const { server, agent } = await setUp(hooks, script, { workspace: workspaceOf() });
    await using _ = server;
    await runAgent(agent, 'Go', streaming, { hooks: native });
    expect([seen, readByModel(server)]).toEqual([['string, redacted'], { c1: 'string, redacted' }]);
  });

  test('where two registries replace its output, the outer one has the last word', async () => {
    const [inner, outer] = [createHooks(), createHooks()];
    inner.on(AfterToolCall, () => modify({ output: 'inner' }));
    outer.on(AfterToolCall, ({ output }) => modify({ output: `${output}, outer` }));
    await using server = await serve(callThenText(LIST, { path: '.' }));
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), workspace: workspaceOf() };
    await runAgent(hookedAgent(quiet(hookedAgent(config, inner)), outer), 'Go', streaming);
    expect(readByModel(server)).toEqual({ c1: 'inner, outer' });
  });

  test('that asks for approval by itself fires PermissionRequest; a grant lifts the pause', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(PermissionRequest, ({ toolName }) => {
      asked.push(toolName);
      return grantApproval('Only a list.');
    });
    const script = callThenText(LIST, { path: '.' });
    const { server, agent } = await setUp(hooks, script, { workspace: workspaceOf(true) });
    await using _ = server;
    const { finishReason } = await runAgent(agent, 'Go', streaming);
    expect([finishReason, asked]).toEqual(['stop', [LIST]]);
    expect(readByModel(server)['c1']).toContain('made-tools.test.ts');
  });

  test('that asks for approval by itself pauses where nobody grants it, and hooks hear of the yes', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(BeforeToolCall, ({ toolName }) => {
      seen.push(`before ${toolName}`);
      return proceed();
    });
    hooks.observe(ToolApprovalDecision, ({ approval, callId }) => void seen.push(`${approval} ${callId}`));
    const script = callThenText(LIST, { path: '.' });
    const { server, agent } = await setUp(hooks, script, { workspace: workspaceOf(true) });
    await using _ = server;
    const { finishReason, runId } = await runAgent(agent, 'Go', streaming);
    expect(finishReason).toBe('suspended');
    const answer = { runId, toolCallId: 'c1' };
    if (streaming) await (await agent.approveToolCall(answer)).getFullOutput();
    else await agent.approveToolCallGenerate(answer);
    expect(seen).toEqual([`before ${LIST}`, 'allow c1']);
    expect(readByModel(server)['c1']).toContain('made-tools.test.ts');
  });
});

describe('what it writes to the stream', () => {
  const written = async (hooks: Hooks, options: HookedOptions = {}): Promise<readonly string[]> => {
    const script = callThenText(EXECUTE, { command: 'echo SECRET' });
    const { server, agent } = await setUp(hooks, script, { workspace: workspaceOf() }, options);
    await using _ = server;
    const chunks: string[] = [];
    for await (const chunk of (await agent.stream('Go')).fullStream)
      if (chunk.type.startsWith('data-') && JSON.stringify(chunk).includes('SECRET\\n'))
        chunks.push(chunk.type);
    return chunks;
  };

  test('is withheld where hooks decide about its result, and passes where they only look', async () => {
    const replacing = createHooks();
    replacing.on(TransformToolResult, () => modify({ output: 'redacted' }));
    expect(await written(replacing)).toEqual([]);
    expect(await written(replacing, { holdStream: false })).toEqual(['data-sandbox-stdout']);
    const accepting = createHooks();
    accepting.on(AfterToolCall, () => proceed());
    expect(await written(accepting)).toEqual([]);
    const looking = createHooks();
    looking.observe(AfterToolCall, () => {});
    expect(await written(looking)).toEqual(['data-sandbox-stdout']);
  });

  test.each([true, false])('of a sub-agent, too (its answer is replaced: %s)', async (replaced) => {
    const hooks = createHooks();
    hooks.on(TransformToolResult.matching('agent-sub'), ({ output }) =>
      replaced ? modify({ output: { ...Object(output), text: 'redacted' } }) : proceed(),
    );
    await using server = await serve(({ tools, turn }) => {
      if (tools.length === 0) return { text: 'SECRET' };
      if (turn > 0) return { text: 'Done.' };
      return { toolCalls: [{ id: 'c1', name: 'agent-sub', arguments: { prompt: 'Say it.' } }] };
    });
    const define = (name: string) => ({
      id: name,
      name,
      description: name,
      instructions: '',
      model: modelOf(server),
    });
    const sub = quiet(new Agent(define('sub')));
    const agent = quiet(hookedAgent({ ...define('a'), agents: { sub } }, hooks));
    let told = false;
    for await (const chunk of (await agent.stream('Go')).fullStream)
      if (JSON.stringify(chunk).includes('SECRET')) told = true;
    expect(told).toBe(!replaced);
  });
});

test('in a run that Mastra starts itself, hooks hear of its end and replace its output', async () => {
  const hooks = createHooks();
  hooks.on(AfterToolCall, ({ status }) => modify({ output: `${status}, redacted` }));
  await using server = await serve(callThenText(LIST, { path: '.' }));
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), workspace: workspaceOf() };
  const agent = quiet(hookedAgent(new Agent({ ...config, durable: true }), hooks));
  const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const output = await mastra.getAgent('agent').stream('Go');
  for await (const _chunk of output.fullStream);
  expect(readByModel(server)).toEqual({ c1: 'ok, redacted' });
});
