import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Options, query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import {
  AgentError,
  addContext,
  BeforeCompaction,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  retry,
  Stop,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect } from 'vitest';
import { blockReason, hookedOptions } from '../src/index.ts';
import { bash, call, type Play, play, promptsOf, withClaude } from './fixtures.ts';

/*
 * What the page of limits says and no other test shows.
 */

function bare(hooks: Hooks): Pick<Play, 'start'> {
  return { start: ({ prompt, options }) => query({ prompt, options: hookedOptions(options, hooks) }) };
}

function said(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}

/** Sends each prompt when the one before has its result. */
function oneByOne(...texts: readonly string[]): Pick<Play, 'prompt' | 'onMessage'> {
  let answered = Promise.withResolvers<void>();
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    for (const text of texts) {
      answered = Promise.withResolvers();
      yield said(text);
      await answered.promise;
    }
  }
  return { prompt: prompts(), onMessage: ({ type }) => void (type === 'result' && answered.resolve()) };
}

withClaude.concurrent('a bare query refuses the prompt for which a hook chooses a model', async () => {
  const hooks = createHooks();
  hooks.on(BeforeRun, () => modify({ model: 'claude-haiku-4-5' }));
  const { model, result } = await play(['done'], hooks, bare(hooks));
  expect(model.requests).toEqual([]);
  expect(JSON.stringify(result)).toContain('use hookedQuery in place of query');
});

withClaude.concurrent(
  'an input that does not fit a built-in tool reaches no hook and runs nothing',
  async () => {
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ toolName }) => {
      asked.push(toolName);
      return proceed();
    });
    const { model } = await play([[call('Read', { file_path: 7 })], 'done'], hooks);
    expect(model.read()).toEqual([expect.stringMatching(/^!/)]);
    expect(asked).toEqual([]);
  },
);

withClaude.concurrent('a prompt that no user sent is refused where a hook rewrites it', async () => {
  const hooks = createHooks();
  hooks.on(UserPromptSubmit, ({ delivery }) =>
    delivery === 'notification' ? modify({ prompt: 'REWRITTEN' }) : proceed(),
  );
  const helper = { description: 'Helps.', prompt: 'You help.', initialPrompt: 'ORIGINAL' };
  const { model } = await play(['done', 'done'], hooks, {
    options: { agent: 'helper', agents: { helper } },
  });
  expect(model.requests.map(promptsOf)).toEqual([['Go.']]);
});

withClaude.concurrent('a message that starts no turn is dropped without a prompt behind it', async () => {
  const prompts: string[] = [];
  const hooks = createHooks();
  hooks.guard(UserPromptSubmit, ({ prompt }) => {
    prompts.push(prompt);
    return proceed();
  });
  async function* messages(): AsyncGenerator<SDKUserMessage> {
    yield said('Go.');
    yield { ...said('A note.'), shouldQuery: false };
  }
  const { model } = await play(['done'], hooks, { prompt: messages() });
  expect(prompts).toEqual(['Go.']);
  expect(JSON.stringify(model.requests)).not.toContain('A note.');
});

withClaude.concurrent('Stop hooks continue a run by reminders, at most eight times in a row', async () => {
  const hooks = createHooks();
  hooks.on(Stop, () => retry('AND MORE'));
  const { model } = await play(() => 'done', hooks, { settings: { maxContinuations: 20 } });
  expect(model.requests).toHaveLength(9);
  expect(promptsOf(model.requests[1]!)).toEqual(['Go.']);
  expect(JSON.stringify(model.requests[1])).toContain('AND MORE');
});

withClaude.concurrent.for([
  ['sets the summary', () => modify({ summary: 'OURS' })],
  ['adds guidance', () => addContext('OURS')],
] as const)('a hook on a compaction that %s has failed', async ([, decide]) => {
  const errors: string[] = [];
  const hooks = createHooks({ onError: (error) => void errors.push(String(error)) });
  hooks.on(BeforeCompaction, decide);
  const { model } = await play(() => 'done', hooks, oneByOne('Go.', '/compact'));
  expect(errors.join()).toContain('Claude Code makes the summary itself');
  expect(JSON.stringify(model.requests)).not.toContain('OURS');
});

withClaude.concurrent('a bare query shows a structured answer that a Stop hook refuses', async () => {
  const hooks = createHooks();
  hooks.on(Stop, () => block('not good'));
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const { result } = await play([[call('StructuredOutput', { a: 'SHOWN' })], 'done'], hooks, {
    ...bare(hooks),
    options: { outputFormat: { type: 'json_schema', schema } },
  });
  expect(result).toMatchObject({ structured_output: { a: 'SHOWN' } });
  expect(blockReason(result)).toBeUndefined();
});

withClaude.concurrent('a replaced result that the transcript keeps is warned about', async () => {
  const warnings: string[] = [];
  const hooks = createHooks({ onWarning: (warning) => void warnings.push(String(warning)) });
  hooks.on(TransformToolResult, () => modify({ output: 'REPLACED' }));
  const args = [fileURLToPath(new URL('mcp-server.ts', import.meta.url))];
  const outside = { command: process.execPath, args, alwaysLoad: true };
  await play([[call('mcp__outside__structured')], 'done'], hooks, {
    options: { mcpServers: { outside } },
  });
  expect(warnings.join()).toContain('structuredContent');
});

withClaude.concurrent('a rule keeps the agent from writing its own transcripts in plain sight', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed());
  const cwd = temporaryFolder();
  const file = join(cwd, '.claude', 'projects', 'x.jsonl');
  const calls = [call('Write', { file_path: file, content: 'x' }), bash(`echo x > ${file}`)];
  const { model } = await play([calls, 'done'], hooks, {
    options: {
      cwd,
      env: { HOME: cwd },
      tools: ['Bash', 'Write'],
      settings: { permissions: { deny: ['Edit(~/.claude/projects/**)'] } },
    },
  });
  expect(model.read()).toEqual([expect.stringMatching(/^!/), expect.stringMatching(/^!/)]);
  expect(existsSync(file)).toBe(false);
});

/** A launcher of the user's that switches callbacks off. */
const switchedOff: Options = {
  spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }) =>
    spawn(command, [...args, '--bare'], { cwd, env, signal, stdio: ['pipe', 'pipe', 'ignore'] }),
};

withClaude.concurrent('a query closes that managed rules alone would keep from denying tools', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('no'));
  const { error } = await play([[bash('touch ran')], 'done'], hooks, {
    options: { ...switchedOff, managedSettings: { allowManagedPermissionRulesOnly: true } },
  });
  expect(error).toMatchObject({ code: 'INVALID_INPUT' });
});

withClaude.concurrent('a bare query does not notice that callbacks are switched off', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('no'));
  const { error, options } = await play([[bash('touch ran')], 'done'], hooks, {
    ...bare(hooks),
    options: switchedOff,
  });
  expect(error).toBeUndefined();
  expect(readdirSync(String(options.cwd))).toContain('ran');
});

withClaude.concurrent('what the stream of prompts throws, the query throws', async () => {
  const hooks = createHooks();
  const errors: unknown[] = [];
  hooks.observe(AgentError, ({ error }) => void errors.push(error));
  const gone = new Error('the source is gone');
  async function* messages(): AsyncGenerator<SDKUserMessage> {
    yield said('Go.');
    throw gone;
  }
  const { error } = await play(['done'], hooks, { prompt: messages() });
  expect(error).toBe(gone);
  expect(errors).toEqual([gone]);
});
