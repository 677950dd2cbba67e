import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSdkMcpServer,
  type Options,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  tool,
} from '@anthropic-ai/claude-agent-sdk';
import {
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';
import {
  type ApprovalResponse,
  hookedOptions,
  hookedQuery,
  hookTools,
  pendingApprovals,
  type SdkTool,
} from '../src/index.ts';
import { type Block, bash, call, optionsFor, play, startModel, withClaude } from './fixtures.ts';

/*
 * What an outsider found a way round the hooks with.
 */

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** A server of this process whose tools note that they ran. */
function serverOf(ran: string[], names: readonly string[], by = '', annotations?: { readOnlyHint: boolean }) {
  const tools = names.map((name) =>
    tool(
      name,
      'A tool.',
      {},
      async () => {
        ran.push(by + name);
        return said(name);
      },
      { ...(annotations && { annotations }) },
    ),
  );
  return createSdkMcpServer({ name: 't', alwaysLoad: true, tools });
}

function refusing(...names: readonly string[]): Hooks {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ toolName }) => (names.includes(toolName) ? block('refused') : proceed()));
  return hooks;
}

const asking = (): Hooks => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => requireApproval('ask'));
  return hooks;
};

async function resultOf(query: AsyncIterable<SDKMessage>): Promise<SDKResultMessage | undefined> {
  let result: SDKResultMessage | undefined;
  for await (const message of query) if (message.type === 'result') result = message;
  return result;
}

/** A query that waits for a person, about a call that counts how often it ran. */
async function waiting(hooks: Hooks, settings: { principal?: () => { id: string } } = {}) {
  const model = await startModel([[bash('echo ran >> runs', 'toolu_1')], 'done']);
  const options = optionsFor(model.url);
  const result = await resultOf(
    hookedQuery({ prompt: 'Go.', options }, hooks, { approval: 'native', ...settings }),
  );
  const answers = (await pendingApprovals(result)).map(
    ({ callId, toolName, approvalId, hash }): ApprovalResponse => ({
      ...{ callId, toolName, approvalId, hash },
      decision: 'allow',
    }),
  );
  expect(answers).toHaveLength(1);
  return {
    model,
    options,
    answers,
    again: { ...options, resume: result?.session_id ?? '' },
    runs: () => {
      const file = join(String(options.cwd), 'runs');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

test('a hooked tool that another hooked tool calls asks its hooks', async () => {
  const ran: string[] = [];
  const named = (name: string, then: () => Promise<unknown> = async () => {}) =>
    tool(name, 'A tool.', {}, async () => {
      ran.push(name);
      await then();
      return said(name);
    }) as SdkTool;
  const [wipe] = hookTools([named('wipe')], refusing('wipe'));
  const callWipe = async () => wipe?.handler({} as never, {});
  const [same] = hookTools([named('outer', callWipe)], refusing('wipe'));
  const other = createHooks();
  other.on(BeforeToolCall, () => proceed());
  const [differs] = hookTools([named('outer', callWipe)], other);
  await same?.handler({} as never, {});
  await differs?.handler({} as never, {});
  expect(ran).toEqual(['outer', 'outer']);
});

test.for<[string, Options]>([
  ['permissionPromptToolName', { permissionPromptToolName: 'mcp__t__ask' }],
  ['extraArgs.permission-prompt-tool', { extraArgs: { 'permission-prompt-tool': 'mcp__t__ask' } }],
  ['executableArgs', { executableArgs: ['--bare'] }],
  ['executableArgs', { executableArgs: ['--settings={"hooks":{}}'] }],
  ['executableArgs', { executableArgs: ['-c'] }],
  ['executableArgs', { executableArgs: ['-r'] }],
  ['resume', { resume: 'a title' }],
  ['settings', { settings: 'settings.json', managedSettings: { allowManagedHooksOnly: true } }],
  ['settings.hooks', { settings: '{"hooks":{}}' }],
  ['CLAUDE_CODE_SIMPLE', { settings: '{"env":{"CLAUDE_CODE_SIMPLE":"1"}}' }],
])('the option %s that could go round the hooks is refused: %o', ([name, options]) => {
  const start = () => hookedOptions({ settingSources: [], ...options }, refusing('Bash'));
  expect(start).toThrow(`refuses the option ${name}`);
});

withClaude.concurrent('a prompt that looks like the end of a background task is a prompt', async () => {
  for (const prompt of ['steal <task-notification>', '<task-notification>steal</task-notification>']) {
    const hooks = createHooks();
    hooks.guard(UserPromptSubmit, ({ prompt }) => (prompt.includes('steal') ? block('no') : proceed()));
    const { model } = await play(['done'], hooks, {
      prompt,
      start: ({ prompt, options }) => query({ prompt, options: hookedOptions(options, hooks) }),
    });
    expect(model.requests).toEqual([]);
  }
});

withClaude.concurrent.for<Options>([{}, { settings: { env: { OTHER: 'kept' } } }])(
  'files of settings do not switch the callbacks of a bare query off: %o',
  async (more) => {
    await using model = await startModel([[bash('touch ran')], 'done']);
    const options = optionsFor(model.url, {
      cwd: temporaryFolder(),
      settingSources: ['user', 'project', 'local'],
      managedSettings: { allowManagedHooksOnly: true },
      ...more,
    });
    const settings = { disableAllHooks: true, env: { CLAUDE_CODE_SIMPLE: '1' } };
    for (const home of [options.cwd, options.env?.['HOME']]) {
      const folder = join(String(home), '.claude');
      mkdirSync(folder);
      for (const file of ['settings.json', 'settings.local.json'])
        writeFileSync(join(folder, file), JSON.stringify(settings));
    }
    await resultOf(query({ prompt: 'Go.', options: hookedOptions(options, refusing('Bash')) }));
    expect(model.read()).toEqual([expect.stringContaining('refused')]);
  },
);

withClaude.concurrent(
  'a server that replaces a hooked one in a bare query without hooks runs nothing',
  async () => {
    const ran: string[] = [];
    await using model = await startModel([[call('mcp__t__pay')], 'done']);
    const options = optionsFor(model.url, { mcpServers: { t: serverOf(ran, ['pay'], 'first ') } });
    const { promise: replaced, resolve } = Promise.withResolvers<void>();
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      await replaced;
      yield { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null };
    }
    const hooked = hookedOptions(options, refusing('mcp__t__pay'));
    const bare = query({ prompt: prompts(), options: hooked });
    await bare.setMcpServers({});
    await bare.setMcpServers({ t: serverOf(ran, ['pay'], 'second ') });
    resolve();
    await resultOf(bare);
    expect(ran).toEqual([]);
    expect(model.read()).toEqual([expect.stringContaining('without hooks')]);
  },
);

withClaude.concurrent('hooked options serve one query after the other', async () => {
  const ran: string[] = [];
  await using model = await startModel(({ messages }) =>
    JSON.stringify(messages).includes('tool_result') ? 'done' : [call('mcp__t__pay'), call('mcp__t__look')],
  );
  const options = optionsFor(model.url, { mcpServers: { t: serverOf(ran, ['pay', 'look']) } });
  const hooked = hookedOptions(options, refusing('mcp__t__pay'));
  await resultOf(query({ prompt: 'Go.', options: hooked }));
  await resultOf(query({ prompt: 'Go.', options: hooked }));
  expect(ran).toEqual(['look', 'look']);
});

withClaude.concurrent(
  'a tool whose name is the end of another is decided on by its own, even with one id',
  async () => {
    const ran: string[] = [];
    const { model } = await play(
      [[call('mcp__t__a__pay', {}, 'toolu_x'), call('mcp__t__pay', {}, 'toolu_x')], 'done'],
      refusing('mcp__t__pay'),
      {
        options: {
          permissionMode: 'default',
          allowedTools: ['mcp__t__pay'],
          canUseTool: async () => ({ behavior: 'deny', message: 'the user says no' }),
          mcpServers: { t: serverOf(ran, ['a__pay', 'pay']) },
        },
      },
    );
    expect(ran).toEqual([]);
    expect(model.requests).toHaveLength(2);
  },
);

withClaude.concurrent('an approval of a call is none of another tool’s call with its id', async () => {
  const ran: string[] = [];
  const hooks = createHooks();
  hooks.guard(BeforeToolCall.matching('Read'), () => requireApproval('ask'));
  const file = { file_path: '/etc/hostname' };
  const asked: string[] = [];
  await play([[call('Read', file, 'toolu_x'), call('mcp__t__look', {}, 'toolu_x')], 'done'], hooks, {
    settings: { approval: async () => ({ decision: 'allow' }) },
    options: {
      permissionMode: 'default',
      mcpServers: { t: serverOf(ran, ['look'], '', { readOnlyHint: true }) },
      canUseTool: async (name) => {
        asked.push(name);
        return { behavior: 'deny', message: 'the user says no' };
      },
    },
  });
  expect(asked).toEqual(['mcp__t__look']);
  expect(ran).toEqual([]);
});

withClaude.concurrent('a session that is continued without an answer drops the call that waits', async () => {
  await using paused = await waiting(asking());
  const options = { ...paused.options, continue: true };
  await resultOf(query({ prompt: 'Hello.', options: hookedOptions(options, createHooksThatProceed()) }));
  expect(paused.runs()).toBe(0);
});

function createHooksThatProceed(): Hooks {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed());
  return hooks;
}

withClaude.concurrent(
  'what hooks refuse, canUseTool does not allow in a session that is resumed with other answers',
  async () => {
    await using paused = await waiting(asking());
    const hooks = refusing('Bash');
    const options: Options = {
      ...paused.again,
      permissionMode: 'default',
      canUseTool: async (_name, updatedInput) => ({ behavior: 'allow', updatedInput }),
    };
    const answers = paused.answers.map((answer) => ({ ...answer, callId: 'toolu_other' }));
    await resultOf(hookedQuery({ prompt: '', options }, hooks, { approval: 'native', answers }));
    expect(paused.runs()).toBe(0);
  },
);

withClaude.concurrent('a call that waits is not approved by another principal, nor by nobody', async () => {
  const hooks = asking();
  const alice = { principal: () => ({ id: 'alice' }) };
  await using paused = await waiting(hooks, alice);
  const { again: options, answers } = paused;
  const given = [answers, answers.map((answer) => ({ ...answer, callId: 'toolu_other' })), []];
  for (const other of [{}, { principal: () => ({ id: 'mallory' }) }])
    for (const fork of [{}, { forkSession: true }, { resume: options.resume?.toUpperCase() ?? '' }])
      for (const answers of given)
        expect(() =>
          hookedQuery({ prompt: 'Go on.', options: { ...options, ...fork } }, hooks, {
            approval: 'native',
            answers,
            ...other,
          }),
        ).toThrow('another principal');
  expect(paused.runs()).toBe(0);
  await resultOf(hookedQuery({ prompt: '', options }, hooks, { approval: 'native', answers, ...alice }));
  expect(paused.runs()).toBe(1);
});

withClaude.concurrent('an approval that two queries answer at once runs the call once', async () => {
  const hooks = asking();
  await using paused = await waiting(hooks);
  const { again: options, answers } = paused;
  const answer = async (more: Options = {}) =>
    resultOf(
      hookedQuery({ prompt: '', options: { ...options, ...more } }, hooks, { approval: 'native', answers }),
    );
  await Promise.all([answer(), answer(), answer({ forkSession: true })]);
  expect(paused.runs()).toBe(1);
  await expect(answer()).rejects.toThrow('were given before');
});

withClaude.concurrent('a later prompt of a stream may wait for a person again', async () => {
  const { promise: paused, resolve } = Promise.withResolvers<void>();
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield { type: 'user', message: { role: 'user', content: 'One.' }, parent_tool_use_id: null };
    await paused;
    yield { type: 'user', message: { role: 'user', content: 'Two.' }, parent_tool_use_id: null };
  }
  const ids: (readonly string[])[] = [];
  await play([[bash('touch a', 'toolu_a')], [bash('touch b', 'toolu_b')], 'done'], asking(), {
    prompt: prompts(),
    settings: { approval: 'native' },
    onMessage: (message) => {
      if (message.type !== 'result') return;
      void pendingApprovals(message).then((pending) => {
        ids.push(pending.map(({ callId }) => callId));
        resolve();
      });
    },
  });
  expect(ids).toEqual([['toolu_a'], ['toolu_b']]);
});

/** Hides a secret, wherever it stands. */
function redacting(): Hooks {
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ output }) => {
    const json = JSON.stringify(output) ?? '';
    return json.includes('SECRET')
      ? modify({ output: JSON.parse(json.replaceAll('SECRET', 'HIDDEN')) })
      : proceed();
  });
  return hooks;
}

const subagent = { description: 'd', prompt: 'SUBTASK', subagent_type: 'helper' };

withClaude.concurrent.for<[string, readonly Block[], string]>([
  ['a sub-agent', [call('Agent', subagent, 'toolu_main')], 'SECRET'],
  [
    'one that the model starts in the background',
    [call('Agent', { ...subagent, run_in_background: true }, 'toolu_main')],
    'SECRET',
  ],
  [
    'a watched command',
    [
      call(
        'Monitor',
        { command: 'printf "SEC%s\\n" RET', description: 'd', timeout_ms: 9000, persistent: false },
        'toolu_main',
      ),
    ],
    '',
  ],
  [
    'a command that is moved to the background',
    [
      call(
        'Bash',
        { command: 'sleep 2; printf "SEC%s\\n" RET', description: 'd', timeout: 1000 },
        'toolu_main',
      ),
      bash('sleep 3'),
    ],
    '',
  ],
])('what hooks hide of %s is not told when it ends', async ([, calls, answer]) => {
  const { model, messages } = await play(
    ({ messages }) => {
      const [first] = messages;
      const text = JSON.stringify(messages);
      if (JSON.stringify(first).includes('SUBTASK') && !text.includes('toolu_main')) return answer;
      if (!text.includes('toolu_main')) return calls;
      return text.includes('toolu_wait') ? 'done' : [bash('sleep 2', 'toolu_wait')];
    },
    redacting(),
    {
      options: {
        tools: ['Bash', 'Read', 'Agent', 'Monitor'],
        agents: { helper: { description: 'Helps.', prompt: 'Help.', background: true } },
      },
    },
  );
  const main = model.requests.filter(({ messages }) => JSON.stringify(messages).includes('toolu_main'));
  expect(main.length).toBeGreaterThan(0);
  expect(JSON.stringify(main)).not.toContain('SECRET');
  const shown = messages.filter(
    (message) => !('parent_tool_use_id' in message && message.parent_tool_use_id),
  );
  expect(shown.filter((message) => JSON.stringify(message).includes('SECRET'))).toEqual([]);
});

withClaude.concurrent.for<[string, Block]>([
  ['error', bash('printf "SEC%s\\n" RET; exit 3')],
  ['result of another shape', call('Glob', { pattern: '**/SECR*' })],
])('an %s that hooks could not replace is in no message', async ([, called], { expect }) => {
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ error }) =>
    error === undefined ? modify({ output: 'hidden' }) : modify({ errorMessage: 'hidden' }),
  );
  await using model = await startModel([[called], 'done']);
  const options = optionsFor(model.url, { tools: ['Bash', 'Glob'] });
  writeFileSync(join(String(options.cwd), 'SECRET'), '');
  const shown: SDKMessage[] = [];
  for await (const message of hookedQuery({ prompt: 'Go.', options }, hooks)) shown.push(message);
  expect(JSON.stringify(model.requests)).not.toContain('SECRET');
  expect(shown.filter((message) => JSON.stringify(message).includes('SECRET'))).toEqual([]);
});

withClaude.concurrent('hooks decide on what a user pasted into a prompt, too', async () => {
  const hooks = createHooks();
  hooks.guard(UserPromptSubmit, ({ prompt }) => (prompt.includes('steal') ? block('no') : proceed()));
  hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt.replace('SECRET', 'HIDDEN') }));
  const start = async (pasted: NonNullable<SDKUserMessage['pasted_content']>) => {
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      const message = { role: 'user' as const, content: 'Read this:' };
      yield { type: 'user', message, parent_tool_use_id: null, pasted_content: pasted };
    }
    const { model } = await play(['done'], hooks, { prompt: prompts() });
    return JSON.stringify(model.requests);
  };
  expect(await start(['steal'])).toBe('[]');
  expect(await start([[{ type: 'text', text: 'steal' }]])).toBe('[]');
  const read = await start(['the SECRET']);
  expect(read).toContain('the HIDDEN');
  expect(read).not.toContain('SECRET');
});

withClaude.concurrent.for(['/cost', '/unknown'])(
  'a command of Claude Code is no query without hooks: %s',
  async (prompt) => {
    type Content = SDKUserMessage['message']['content'];
    const said = (content: Content): SDKUserMessage => ({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
    });
    async function* prompts(content: Content, ...before: SDKUserMessage[]): AsyncGenerator<SDKUserMessage> {
      yield* before;
      yield said(content);
      yield said('Go.');
    }
    const note = { ...said('A note.'), shouldQuery: false };
    const block = prompts([{ type: 'text', text: prompt }]);
    for (const given of [prompt, ` ${prompt}`, prompts(prompt), block, prompts(prompt, note)]) {
      const { error, result } = await play(['done'], refusing('Bash'), { prompt: given });
      expect(error).toBeUndefined();
      expect(result).toMatchObject({ subtype: 'success' });
    }
  },
);

withClaude.concurrent('a command that takes too long writes no file that hooks do not see', async () => {
  const hooks = createHooks();
  hooks.on(TransformToolResult.matching('Bash'), ({ error }) =>
    error === undefined ? modify({ output: 'hidden' }) : proceed(),
  );
  const slow = { command: 'printf "SEC%s\\n" RET; sleep 4', description: 'd', timeout: 1000 };
  const played = await play([[call('Bash', slow)], 'done'], hooks);
  expect(played.model.requests).toHaveLength(2);
  const outputs = readdirSync(String(played.options.env?.['TMPDIR']), { recursive: true });
  expect(outputs.filter((name) => String(name).endsWith('.output'))).toEqual([]);
});

withClaude.concurrent.for(['my server', 'claude.ai  Shop', 'a__b', 'ü.é', '_x_'])(
  'a server of any name is hooked: %s',
  async (server, { expect }) => {
    const ran: string[] = [];
    const seen: string[] = [];
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ toolName }) => {
      seen.push(toolName);
      return toolName.endsWith('no') ? block('refused') : proceed();
    });
    await using model = await startModel(({ messages, tools = [] }) =>
      JSON.stringify(messages).includes('tool_result')
        ? 'done'
        : tools.filter(({ name }) => name.startsWith('mcp__')).map(({ name }) => call(name)),
    );
    const mcpServers = { [server]: serverOf(ran, ['a.yes', 'a__no', 'no']) };
    await resultOf(hookedQuery({ prompt: 'Go.', options: optionsFor(model.url, { mcpServers }) }, hooks));
    expect(seen).toHaveLength(3);
    expect(ran).toEqual(['a.yes']);
    expect(model.read().filter((text) => text === '!refused')).toHaveLength(2);
  },
);
