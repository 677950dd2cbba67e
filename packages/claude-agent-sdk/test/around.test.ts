import {
  createSdkMcpServer,
  type McpSdkServerConfigWithInstance,
  type Options,
  query,
  type SDKUserMessage,
  tool,
} from '@anthropic-ai/claude-agent-sdk';
import {
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { hookedOptions } from '../src/index.ts';
import { bash, call, type Played, play, promptsOf, withClaude } from './fixtures.ts';

/** A prompt in streaming input. */
function message(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}

withClaude.concurrent.for<[string, unknown]>([
  ['a text', 'echo SAFE'],
  ['null', null],
  ['a list', ['echo SAFE']],
])('a rewritten input that is %s refuses the call of a built-in tool', async ([, input]) => {
  const hooks = createHooks({ onError: () => {} });
  hooks.on(BeforeToolCall, () => modify({ input }));
  const { model } = await play([[bash('echo ORIGINAL')], 'done'], hooks);
  expect(model.read()).toEqual([expect.stringContaining('is an object')]);
});

withClaude.concurrent('an input that canUseTool changes in place is decided on again', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ input }) =>
    JSON.stringify(input).includes('CHANGED') ? block('not that') : proceed(),
  );
  const { model } = await play([[bash('touch a')], 'done'], hooks, {
    options: {
      permissionMode: 'default',
      allowDangerouslySkipPermissions: false,
      canUseTool: async (_, input) => {
        input['command'] = 'echo CHANGED';
        return { behavior: 'allow', updatedInput: input };
      },
    },
  });
  expect(model.read()).toEqual(['!not that']);
});

withClaude.concurrent('prompts of streamInput are submitted to hooks', async () => {
  const hooks = createHooks();
  hooks.guard(UserPromptSubmit, ({ prompt }) => (prompt === 'bad' ? block('no') : proceed()));
  const over = Promise.withResolvers<void>();
  async function* first(): AsyncGenerator<SDKUserMessage> {
    yield message('good');
    await over.promise;
  }
  async function* second(): AsyncGenerator<SDKUserMessage> {
    yield message('bad');
  }
  let results = 0;
  const { model } = await play(['done', 'done'], hooks, {
    prompt: first(),
    onMessage: ({ type }, running) => {
      if (type !== 'result') return;
      results += 1;
      if (results === 1) void running.streamInput(second());
      else over.resolve();
    },
  });
  expect(model.requests.map(promptsOf)).toEqual([['good']]);
});

withClaude.concurrent('a server that was added to a bare query without hooks runs nothing', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('no'));
  let paid = 0;
  const pay = tool('pay', 'Pays.', {}, async () => {
    paid += 1;
    return { content: [{ type: 'text', text: 'paid' }] };
  });
  const t: McpSdkServerConfigWithInstance = createSdkMcpServer({ name: 't', alwaysLoad: true, tools: [pay] });
  const added = Promise.withResolvers<void>();
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    await added.promise;
    yield message('Go.');
  }
  const { model } = await play([[call('mcp__t__pay')], 'done'], hooks, {
    prompt: prompts(),
    start: ({ prompt, options }) => {
      const bare = query({ prompt, options: hookedOptions(options, hooks) });
      void bare.setMcpServers({ t }).then(() => added.resolve());
      return bare;
    },
  });
  expect(model.read()).toEqual([expect.stringContaining('was added to the query without hooks')]);
  expect(paid).toBe(0);
});

withClaude.concurrent(
  'an error that a hook could not replace is not read by the model with a later prompt either',
  async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ errorMessage: 'hidden' }));
    const script = [[bash('echo SECRET; exit 1')], 'done'];
    const over = Promise.withResolvers<void>();
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield message('one');
      await over.promise;
      yield message('two');
    }
    const first = await play(script, hooks, {
      prompt: prompts(),
      onMessage: ({ type }) => void (type === 'result' && over.resolve()),
    });
    const resumed = await resume(first, script, hooks);
    const forked = await resume(first, script, hooks, { forkSession: true });
    const forkedAgain = await resume(forked, script, hooks);
    expect([first, resumed, forked, forkedAgain].flatMap(({ model }) => model.read())).toEqual([]);
  },
);

/** Goes on with a played session. */
function resume(
  { result, options }: Played,
  script: Parameters<typeof play>[0],
  hooks: Parameters<typeof play>[1],
  more: Options = {},
): Promise<Played> {
  const { cwd, env } = options;
  const home = { HOME: env?.['HOME'], TMPDIR: env?.['TMPDIR'] };
  return play(script, hooks, {
    prompt: 'three',
    options: { ...more, resume: result?.session_id ?? '', ...(cwd !== undefined && { cwd }), env: home },
  });
}
