import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { type Options, query } from '@anthropic-ai/claude-agent-sdk';
import {
  AfterCompaction,
  AfterModelCall,
  addContext,
  BeforeCompaction,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  type HookDecision,
  modify,
  proceed,
  retry,
} from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { blockReason, hookedOptions, hookedQuery, proxySupports, supports } from '../src/index.ts';
import {
  bash,
  call,
  optionsFor,
  type Play,
  play,
  promptsOf,
  type Request,
  type Script,
  startModel,
  stored,
  texts,
  withClaude,
} from './fixtures.ts';
import { during, playProxied, watched } from './proxy.ts';

const models = 'proxy';

describe('with models: proxy', () => {
  withClaude.concurrent(
    'each call of a model fires BeforeModelCall and AfterModelCall of its turn',
    async ({ expect }) => {
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.observe(BeforeModelCall, ({ iteration, model, provider, tools, messages, instructions }) => {
        const last = messages.at(-1);
        seen.push([
          'before',
          iteration,
          provider,
          model,
          tools.map(({ name }) => name),
          last?.role,
          last?.toolName,
          instructions?.includes('Be brief.'),
        ]);
      });
      hooks.observe(AfterModelCall, ({ iteration, response, attempt }) => {
        seen.push([
          'after',
          iteration,
          attempt,
          response.text,
          response.toolCalls.map(({ toolName }) => toolName),
          response.usage,
        ]);
      });
      hooks.observe(BeforeToolCall, ({ toolName }) => void seen.push(['tool', toolName]));
      const { result } = await playProxied([[bash('echo hi', 'toolu_1')], 'done'], hooks);
      expect(result).toMatchObject({ subtype: 'success', result: 'done' });
      const names = ['Agent', 'Bash', 'Read'];
      const usage = { inputTokens: 1, outputTokens: 1 };
      expect(seen).toEqual([
        ['before', 1, 'anthropic', 'claude-sonnet-4-5', names, 'user', undefined, true],
        ['after', 1, 1, '', ['Bash'], usage],
        ['tool', 'Bash'],
        ['before', 2, 'anthropic', 'claude-sonnet-4-5', names, 'tool', 'Bash', true],
        ['after', 2, 1, 'done', [], usage],
      ]);
    },
  );

  withClaude.concurrent('a hook rewrites what the model reads', async ({ expect }) => {
    const hooks = createHooks();
    hooks.on(BeforeModelCall, ({ messages, instructions = '', tools }) =>
      modify({
        instructions: instructions.replace('Be brief.', 'Be verbose.'),
        messages: messages.map((message) => ({
          ...message,
          text: message.text.replaceAll('4711', '[number]'),
        })),
        tools: tools.filter(({ name }) => name !== 'Read'),
        settings: { maxTokens: 2000 },
      }),
    );
    const played = await playProxied([[bash('echo 4711')], 'done'], hooks, { prompt: 'My number is 4711.' });
    const { model } = played;
    expect(promptsOf(model.requests[0] as never)).toEqual(['My number is [number].']);
    expect(model.read()).toEqual(['[number]']);
    expect(
      JSON.stringify(model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user'))),
    ).not.toContain('4711');
    expect(JSON.stringify(model.requests[0]?.system)).toContain('Be verbose.');
    expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ['Agent', 'Bash'],
      ['Agent', 'Bash'],
    ]);
    expect(model.requests[0]).toMatchObject({ max_tokens: 2000, thinking: { budget_tokens: 1999 } });
    // Cache marks stay.
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('cache_control');
  });

  withClaude.concurrent(
    'context is in the next call of the model only, and in no history',
    async ({ expect }) => {
      const hooks = createHooks();
      hooks.on(BeforeModelCall, ({ iteration }) =>
        iteration === 1 ? addContext('FOR ONE CALL') : proceed(),
      );
      hooks.on(BeforeToolCall, () => addContext('FROM A CALL'));
      const played = await playProxied([[bash('echo 1')], [bash('echo 2')], 'done'], hooks);
      const has = (text: string) =>
        played.model.requests.map((request) => JSON.stringify(request).includes(text));
      expect(has('FOR ONE CALL')).toEqual([true, false, false]);
      expect(has('FROM A CALL')).toEqual([false, true, true]);
      expect(stored(played)).not.toContain('FOR ONE CALL');
      expect(stored(played)).not.toContain('FROM A CALL');
    },
  );

  withClaude.concurrent(
    'a hook that blocks a request ends the run, and no model is called',
    async ({ expect }) => {
      const hooks = createHooks();
      hooks.guard(BeforeModelCall, ({ iteration }) =>
        iteration === 2 ? block('The budget is spent.') : proceed(),
      );
      const { model, result } = await playProxied([[bash('echo 1')], 'done'], hooks);
      expect(model.requests).toHaveLength(1);
      expect(blockReason(result)).toBe('The budget is spent.');
      expect(result).toMatchObject({ result: 'The budget is spent.' });
    },
  );

  for (const includePartialMessages of [false, true])
    withClaude.concurrent(
      `a refused answer is in no message and no file (partial messages: ${includePartialMessages})`,
      async ({ expect }) => {
        const hooks = createHooks();
        hooks.guard(AfterModelCall, ({ response }) =>
          response.text.includes('SECRET') ? block('Not that.') : proceed(),
        );
        const played = await playProxied(['the SECRET word'], hooks, { options: { includePartialMessages } });
        expect(JSON.stringify(played.messages)).not.toContain('SECRET');
        expect(stored(played)).not.toContain('SECRET');
        expect(blockReason(played.result)).toBe('Not that.');
      },
    );

  withClaude.concurrent('what runs of an answer is what a hook left of it', async ({ expect }) => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) =>
      modify({
        response: {
          ...response,
          text: response.text.replace('SECRET', '[gone]'),
          toolCalls: response.toolCalls
            .filter(({ callId }) => callId !== 'toolu_b')
            .map((one) =>
              one.callId === 'toolu_a'
                ? { ...one, input: { command: 'echo changed', description: 'd' } }
                : one,
            ),
        },
      }),
    );
    const said = { type: 'text', text: 'a SECRET' } as const;
    const played = await playProxied(
      [[said, bash('echo a', 'toolu_a'), bash('echo b', 'toolu_b'), bash('echo c', 'toolu_c')], 'SECRET'],
      hooks,
    );
    // Commands that only read run at once.
    expect(played.model.read().toSorted()).toEqual(['c', 'changed']);
    expect(played.result).toMatchObject({ result: '[gone]' });
    expect(stored(played)).not.toContain('SECRET');
  });

  withClaude.concurrent('a retried answer is not used, and its usage is counted', async ({ expect }) => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) => (response.text === 'TANGELO' ? retry('again') : proceed()));
    const { model, result, messages } = await playProxied(['TANGELO', 'good'], hooks);
    expect(model.requests).toHaveLength(2);
    expect(result).toMatchObject({ result: 'good', usage: { input_tokens: 2, output_tokens: 2 } });
    expect(JSON.stringify(messages)).not.toContain('TANGELO');
  });

  withClaude.concurrent(
    'a sub-agent has calls of its own, and Claude Code’s own requests have no turn',
    async ({ expect }) => {
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.observe(
        BeforeModelCall,
        ({ agent, iteration, turn, session }) =>
          void seen.push([agent, iteration, turn === undefined, session.parent !== undefined]),
      );
      const script = (request: {
        readonly system?: unknown;
        readonly tools?: readonly { readonly name: string }[];
        readonly messages: unknown;
      }) => {
        if (JSON.stringify(request.system).includes('HELPER')) return 'sub answer';
        if (request.tools?.some(({ name }) => name === 'web_search')) return 'found';
        const read = JSON.stringify(request.messages);
        if (read.includes('toolu_w')) return 'done';
        return read.includes('toolu_s')
          ? [call('WebSearch', { query: 'cats' }, 'toolu_w')]
          : [
              call(
                'Agent',
                { description: 'x', prompt: 'do it', subagent_type: 'helper', run_in_background: false },
                'toolu_s',
              ),
            ];
      };
      await playProxied(script as never, hooks, {
        options: {
          tools: ['Agent', 'WebSearch'],
          agents: { helper: { description: 'h', prompt: 'HELPER', tools: [] } },
        },
      });
      expect(seen).toEqual([
        [undefined, 1, false, false],
        ['helper', 1, false, true],
        [undefined, 2, false, false],
        [undefined, 0, true, false],
        [undefined, 3, false, false],
      ]);
    },
  );

  withClaude.concurrent(
    'an error of the API is passed on as it is, and hooks decide again on a request that is repeated after it',
    async ({ expect }) => {
      const hooks = createHooks();
      let decided = 0;
      hooks.on(BeforeModelCall, () => addContext(`CONTEXT ${++decided}`));
      hooks.on(AfterModelCall, () => proceed());
      const { model, result, error } = await playProxied(() => ({ status: 400 }), hooks);
      expect(result).toMatchObject({ is_error: true, result: 'API Error: 400 scripted' });
      expect(error).toBeDefined();
      // Claude Code leaves out features of the API that may have been the reason.
      expect(model.requests.length).toBeGreaterThan(1);
      const contexts = model.requests.map((request) => JSON.stringify(request).match(/CONTEXT \d+/g));
      expect(contexts).toEqual(model.requests.map((_, at) => [`CONTEXT ${at + 1}`]));
      expect(decided).toBe(model.requests.length);
    },
  );
});

/** Plays a query, and returns the base URL of its proxy. */
async function proxied(script: Script, more: Play = {}) {
  const hooks = createHooks();
  hooks.on(BeforeModelCall, () => proceed());
  let base = '';
  const played = await playProxied(script, hooks, {
    ...more,
    options: { ...more.options, ...watched((env) => (base = env['ANTHROPIC_BASE_URL'] ?? '')) },
  });
  return { ...played, base };
}

describe('with holdStream: false', () => {
  withClaude.concurrent(
    'the text of an answer is shown, and a call that hooks refuse does not run',
    async ({ expect }) => {
      const hooks = createHooks();
      hooks.guard(AfterModelCall, ({ response }) =>
        response.toolCalls.length > 0 ? block('No calls.') : proceed(),
      );
      const said = { type: 'text', text: 'I run it.' } as const;
      const { model, messages, result, options } = await playProxied(
        [[said, bash('touch ran')], 'done'],
        hooks,
        {
          settings: { holdStream: false },
          options: { includePartialMessages: true },
        },
      );
      expect(JSON.stringify(messages)).toContain('I run it.');
      expect(readdirSync(String(options.cwd))).not.toContain('ran');
      expect(model.requests).toHaveLength(1);
      expect(blockReason(result)).toBe('No calls.');
    },
  );

  withClaude.concurrent('a call that hooks change runs as they left it', async ({ expect }) => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) => {
      const toolCalls = response.toolCalls.map((one) => ({
        ...one,
        input: { command: 'echo other', description: 'd' },
      }));
      return modify({ response: { ...response, toolCalls } });
    });
    const said = { type: 'text', text: 'I run it.' } as const;
    const { model, result } = await playProxied([[said, bash('echo it')], 'done'], hooks, {
      settings: { holdStream: false },
      options: { includePartialMessages: true },
    });
    expect(model.read()).toEqual(['other']);
    expect(result).toMatchObject({ result: 'done' });
  });
});

describe('what Claude Code asks for itself', () => {
  withClaude.concurrent('a summary is that of a hook, or is made with its guidance', async ({ expect }) => {
    const summaries: string[] = [];
    const compacted = async (decision: HookDecision & { readonly kind: 'modify' }) => {
      const hooks = createHooks();
      hooks.on(BeforeCompaction, () => decision as never);
      hooks.observe(AfterCompaction, ({ summary }) => void summaries.push(summary));
      const script = ({ messages }: Request) =>
        JSON.stringify(messages).includes('detailed summary') ? '<summary>THEIRS</summary>' : 'ok';
      const { model } = await playProxied(script, hooks, { prompt: texts('one', '/compact', 'two') });
      return model.requests.map((request) => JSON.stringify(request));
    };
    const own = await compacted(modify({ summary: 'OURS' }) as never);
    expect(own).toHaveLength(2);
    expect(own[1]).toContain('OURS');
    const guided = await compacted(modify({ context: ['KEEP THE NAMES'] }) as never);
    expect(guided.map((request) => request.includes('KEEP THE NAMES'))).toEqual([false, true, false]);
    expect(summaries.map((summary) => /OURS|THEIRS/.exec(summary)?.[0])).toEqual(['OURS', 'THEIRS']);
  });

  withClaude.concurrent('a hook that refuses such a request does not end the run', async ({ expect }) => {
    const hooks = createHooks();
    hooks.guard(BeforeModelCall, ({ turn }) => (turn === undefined ? block('Not now.') : proceed()));
    const script = ({ messages }: Request) =>
      JSON.stringify(messages).includes('toolu_w')
        ? 'done'
        : [call('WebSearch', { query: 'cats' }, 'toolu_w')];
    const { model, result } = await playProxied(script, hooks, { options: { tools: ['WebSearch'] } });
    expect(model.requests).toHaveLength(2);
    expect(model.read()[0]).toContain('Not now.');
    expect(result).toMatchObject({ result: 'done' });
  });

  withClaude.concurrent(
    'hooks do not see a request that only checks that a model exists',
    async ({ expect }) => {
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.on(BeforeRun, () => modify({ model: 'claude-opus-4-5', settings: { temperature: 1 } }));
      hooks.observe(
        BeforeModelCall,
        ({ model, iteration, settings }) => void seen.push([model, iteration, settings?.temperature]),
      );
      await playProxied(['one'], hooks);
      expect(seen).toEqual([['claude-opus-4-5', 1, 1]]);
    },
  );
});

describe('the server of the proxy', () => {
  withClaude.concurrent(
    'lets hooks decide on an answer in one piece, and on one after which the API fails',
    async ({ expect }) => {
      const hooks = createHooks();
      hooks.on(AfterModelCall, ({ response, attempt }) =>
        response.text === 'bad'
          ? retry('again')
          : modify({ response: { ...response, text: `${response.text} ${attempt}` } }),
      );
      const whole = async (base: string, stream: boolean) => {
        const body = { stream, tools: [{ name: 'x' }], messages: [{ role: 'user', content: 'Aside.' }] };
        const answer = await fetch(`${base}/v1/messages`, { method: 'POST', body: JSON.stringify(body) });
        return [answer.status, await answer.text()] as const;
      };
      const script = ['bad', 'good', { status: 529 }, 'bad', { status: 529 }];
      const next = ({ messages }: Request) =>
        JSON.stringify(messages).includes('Aside.') ? (script.shift() ?? '') : 'one';
      const { done = [] } = await during(next, hooks, async (base) => [
        await whole(base, false),
        await whole(base, false),
        await whole(base, true),
      ]);
      const [first, failed, late] = done;
      expect(first?.[0]).toBe(200);
      expect(JSON.parse(first?.[1] ?? '')).toMatchObject({
        content: [{ type: 'text', text: 'good 2' }],
        usage: { input_tokens: 2, output_tokens: 2 },
      });
      expect([failed?.[0], failed?.[1]]).toEqual([529, expect.stringContaining('scripted')]);
      expect(late?.[1]).toMatch(/^event: error\ndata: .*scripted/);
      expect(late?.[1]).not.toContain('bad');
    },
  );

  withClaude.concurrent(
    'passes on a count of tokens where no hook decides on requests',
    async ({ expect }) => {
      const hooks = createHooks();
      hooks.observe(BeforeModelCall, () => {});
      const { done } = await during(['one'], hooks, async (base) =>
        (await fetch(`${base}/v1/messages/count_tokens`, { method: 'POST', body: '{}' })).json(),
      );
      expect(done).toEqual({ input_tokens: 10 });
    },
  );

  const isGone = (base: string) =>
    fetch(`${base}/v1/models`).then(
      () => false,
      () => true,
    );

  withClaude.concurrent('ends with the query', async ({ expect }) => {
    const { base, result } = await proxied(['one']);
    expect(result).toMatchObject({ result: 'one' });
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\da-f]{64}$/);
    expect(await isGone(base)).toBe(true);
  });

  withClaude.concurrent('ends when the query is left, closed, aborted or throws', async ({ expect }) => {
    const hooks = createHooks();
    hooks.on(BeforeModelCall, () => proceed());
    await using model = await startModel(['one']);
    const bases: string[] = [];
    const start = (more: Options = {}) =>
      hookedQuery(
        {
          prompt: 'Go.',
          options: optionsFor(model.url, {
            ...watched((env) => bases.push(env['ANTHROPIC_BASE_URL'] ?? '')),
            ...more,
          }),
        },
        hooks,
        { models },
      );
    for await (const _ of start()) break;
    await start().return();
    const closed = start();
    closed.close();
    for await (const _ of closed);
    const abortController = new AbortController();
    const aborted = start({ abortController });
    await expect(
      (async () => {
        for await (const { type } of aborted) if (type === 'system') abortController.abort();
      })(),
    ).rejects.toThrow();
    const failing = createHooks();
    failing.guard(BeforeModelCall, () => block('no'));
    const thrown = hookedQuery(
      {
        prompt: 'Go.',
        options: optionsFor(
          model.url,
          watched((env) => bases.push(env['ANTHROPIC_BASE_URL'] ?? '')),
        ),
      },
      failing,
      { models, refused: 'throw' },
    );
    await expect(
      (async () => {
        for await (const _ of thrown);
      })(),
    ).rejects.toThrow('no');
    // One was left before it began.
    expect(bases).toHaveLength(4);
    expect(await Promise.all(bases.map(isGone))).toEqual(bases.map(() => true));
  });

  withClaude.concurrent(
    'answers nobody without the token, no browser and no other request',
    async ({ expect }) => {
      const hooks = createHooks();
      hooks.on(BeforeModelCall, () => proceed());
      const ask = async (url: string, init: RequestInit = {}) => {
        const answer = await fetch(url, { method: 'POST', body: '{"messages":[]}', ...init });
        return [answer.status, (await answer.text()).includes('error')];
      };
      const { model, done } = await during(['one'], hooks, async (base) => {
        const { origin } = new URL(base);
        return [
          await ask(`${origin}/v1/messages`),
          await ask(`${origin}/${'0'.repeat(64)}/v1/messages`),
          await ask(`${base}/v1/messages`, { headers: { origin: 'https://example.com' } }),
          await ask(`${base}/v1/messages/batches`),
          await ask(`${base}/v1/../v1/files`),
          await ask(`${base}/v1/messages`, { method: 'PUT' }),
          await ask(`${base}/v1/messages/count_tokens`),
          await ask(`${base}/v1/messages`, { body: '{"messages":"no"}' }),
        ];
      });
      expect(done).toEqual([403, 403, 403, 404, 404, 404, 404, 502].map((status) => [status, true]));
      expect(model.requests).toHaveLength(1);
    },
  );
});

describe('where hooks would not see calls of models', () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed());
  const options: Options = { settingSources: [] };
  test.each([
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_USE_FOUNDRY',
    'ANTHROPIC_UNIX_SOCKET',
  ])('%s is refused by name', (name) => {
    const start = (more: Options) => () =>
      hookedQuery({ prompt: 'Go.', options: { ...options, ...more } }, hooks, { models });
    const refused = expect.objectContaining({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`refuses the option ${name}:`),
    });
    expect(start({ env: { [name]: '1' } })).toThrow(refused);
    expect(start({ settings: { env: { [name]: '1' } } })).toThrow(refused);
    expect(start({ managedSettings: { env: { [name]: '1' } } })).toThrow(refused);
  });

  test('a hook that may refuse a call of a model needs the proxy', () => {
    const own = createHooks();
    own.guard(BeforeModelCall, () => block('no'));
    expect(() => hookedQuery({ prompt: 'Go.', options }, own)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_EVENT',
        message: expect.stringContaining("models: 'proxy'"),
      }),
    );
    expect(supports.events['before_model_call']?.fires.level).toBe('none');
    expect(proxySupports.events['before_model_call']?.fires.level).toBe('emulated');
  });

  withClaude.concurrent('a bare query refuses each prompt', async ({ expect }) => {
    const own = createHooks();
    own.guard(BeforeModelCall, () => proceed());
    const { model, result } = await play(['one'], own, {
      start: ({ prompt, options: given }) =>
        query({ prompt, options: hookedOptions(given, own, { models }) }),
    });
    expect(model.requests).toEqual([]);
    expect(JSON.stringify(result)).toContain('hookedQuery');
  });

  withClaude.concurrent('a query whose program asks past the proxy is closed', async ({ expect }) => {
    const own = createHooks();
    own.guard(BeforeModelCall, () => proceed());
    const { error } = await playProxied(['one'], own, {
      start: ({ prompt, options: given }) =>
        hookedQuery(
          {
            prompt,
            options: {
              ...given,
              spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }) => {
                const [proxy = '-', past = ''] = [env, given.env].map((one) => one?.['ANTHROPIC_BASE_URL']);
                const child = spawn(command, args, {
                  cwd,
                  env: { ...env, ANTHROPIC_BASE_URL: past },
                  signal,
                  stdio: ['pipe', 'pipe', 'ignore'],
                });
                // Its settings arrive there.
                const input = new PassThrough();
                const { stdin } = child;
                input.on('data', (data) => stdin.write(String(data).replaceAll(proxy, past)));
                input.on('end', () => stdin.end());
                return Object.defineProperty(child, 'stdin', { value: input }) as typeof child;
              },
            },
          },
          own,
          { models },
        ),
    });
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('past the proxy'),
    });
  });

  withClaude.concurrent('a proxy of the environment does not get the requests', async ({ expect }) => {
    const { result } = await proxied(['one'], {
      options: { env: { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' } },
    });
    expect(result).toMatchObject({ result: 'one' });
  });
});
