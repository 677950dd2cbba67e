import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Query,
  query,
  type SDKResultMessage,
  type SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  TurnEnd,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { blockReason, hookedOptions, hookedQuery } from '../src/index.ts';
import { bash, optionsFor, promptsOf, type Script, startModel, withClaude } from './fixtures.ts';

/*
 * Prompts that are sent while a run goes on. A refused one ends that run, and no other prompt is lost.
 */

function said(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}

/** Refuses bad prompts, and notes all of them with the runs that they belong to. */
function watching(): Hooks & { readonly prompts: (readonly [string, string | undefined])[]; runs: string[] } {
  const hooks = createHooks();
  const prompts: (readonly [string, string | undefined])[] = [];
  const runs: string[] = [];
  hooks.guard(UserPromptSubmit, ({ prompt, delivery, run = '' }) => {
    prompts.push([prompt, delivery]);
    runs.push(run);
    return prompt === 'Bad.' ? block('no') : proceed();
  });
  return Object.assign(hooks, { prompts, runs });
}

/** The first answer of the model is a command that goes on until `go` is called. */
const waits = [bash('until [ -e go ]; do sleep 0.05; done', 'toolu_1')];

interface Sent {
  readonly requests: readonly string[];
  readonly results: readonly SDKResultMessage[];
}

/**
 * Sends prompts while the command of the first one runs, and lets it end once Claude Code has read them.
 *
 * @param expected how many results there are
 */
async function steer(
  hooks: Hooks,
  how: 'stream' | 'streamInput' | 'bare',
  prompts: readonly string[],
  expected: number,
  script: Script = [waits, 'one', 'two', 'three'],
): Promise<Sent> {
  await using model = await startModel(script);
  const running = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  hooks.observe(BeforeToolCall, () => running.resolve());
  const options = optionsFor(model.url);
  let sent: Query;
  async function* later(): AsyncGenerator<SDKUserMessage> {
    await running.promise;
    yield* prompts.map(said);
    // Claude Code answers this after it has read them.
    void sent.setPermissionMode('bypassPermissions').then(() => {
      writeFileSync(join(String(options.cwd), 'go'), '');
    });
    await over.promise;
  }
  async function* all(): AsyncGenerator<SDKUserMessage> {
    yield said('First.');
    yield* later();
  }
  if (how === 'bare') sent = query({ prompt: all(), options: hookedOptions(options, hooks) });
  else sent = hookedQuery({ prompt: how === 'stream' ? all() : 'First.', options }, hooks);
  if (how === 'streamInput') void sent.streamInput(later());
  const results: SDKResultMessage[] = [];
  for await (const message of sent) {
    if (message.type !== 'result') continue;
    results.push(message);
    if (results.length === expected) over.resolve();
  }
  return { requests: model.requests.map((request) => JSON.stringify(request.messages)), results };
}

withClaude.concurrent.for(['stream', 'streamInput'] as const)(
  'a refused prompt ends the run that it was sent into, and the next one is answered: %s',
  async (how) => {
    const hooks = watching();
    const { requests, results } = await steer(hooks, how, ['Bad.', 'Third.', 'Fourth.'], 2);
    expect(results.map(blockReason)).toEqual(['no', undefined]);
    expect(results[1]).toMatchObject({ result: 'one' });
    expect(hooks.prompts).toEqual([
      ['First.', undefined],
      ['Bad.', 'steering'],
      ['Third.', undefined],
      ['Fourth.', 'steering'],
    ]);
    const [first, bad, third, fourth] = hooks.runs;
    expect([bad, fourth]).toEqual([first, third]);
    expect(third).not.toBe(first);
    expect(requests).toHaveLength(2);
    expect(requests[1]).toContain('Third.\\nFourth.');
    expect(requests[1]).not.toMatch(/Bad|refused/);
  },
);

withClaude.concurrent('a prompt before a refused one is answered in a run of its own', async () => {
  const hooks = watching();
  const { requests, results } = await steer(hooks, 'stream', ['Good.', 'Bad.'], 2);
  expect(results.map(blockReason)).toEqual(['no', undefined]);
  expect(requests).toHaveLength(2);
  expect(requests[1]).toContain('Good.');
  expect(requests[1]).not.toMatch(/Bad|refused/);
});

withClaude.concurrent('in a bare query, a prompt behind a refused one is answered', async () => {
  const hooks = watching();
  const { requests, results } = await steer(hooks, 'bare', ['Bad.', 'Third.'], 1);
  expect(results).toMatchObject([{ result: 'one' }]);
  expect(hooks.prompts).toEqual([
    ['First.', undefined],
    ['Bad.', 'steering'],
    ['Third.', undefined],
  ]);
  expect(hooks.runs[2]).not.toBe(hooks.runs[0]);
  expect(requests[1]).toContain('Third.');
  expect(requests[1]).not.toContain('Bad.');
});

withClaude.concurrent.for(['stream', 'bare'] as const)(
  'a prompt that is sent into a run which a hook has stopped is answered: %s',
  async (how) => {
    const hooks = watching();
    hooks.guard(AfterToolCall, ({ callId }) =>
      callId === 'toolu_1' ? block('enough', { stop: true }) : proceed(),
    );
    const reasons: string[] = [];
    hooks.observe(TurnEnd, ({ reason }) => void reasons.push(reason));
    const { requests, results } = await steer(hooks, how, ['Second.'], 2);
    if (how === 'stream') expect(results.map(blockReason)).toEqual(['enough', undefined]);
    expect(results[1]).toMatchObject({ result: 'one' });
    expect(requests[1]).toContain('Second.');
    expect(reasons).toEqual(['hook_blocked', 'normal']);
  },
);

withClaude.concurrent(
  'a prompt after a run that a hook has stopped is answered in a bare query',
  async () => {
    const hooks = watching();
    hooks.guard(BeforeToolCall, () => block('enough', { stop: true }));
    await using model = await startModel([[bash('true')], 'one']);
    let answered = Promise.withResolvers<void>();
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield said('First.');
      await answered.promise;
      answered = Promise.withResolvers();
      yield said('Second.');
      await answered.promise;
    }
    const results: SDKResultMessage[] = [];
    for await (const message of query({
      prompt: prompts(),
      options: hookedOptions(optionsFor(model.url), hooks),
    })) {
      if (message.type !== 'result') continue;
      results.push(message);
      answered.resolve();
    }
    expect(results[1]).toMatchObject({ result: 'one' });
    expect(hooks.prompts).toEqual([
      ['First.', undefined],
      ['Second.', undefined],
    ]);
  },
);

withClaude.concurrent.for<[readonly string[], (string | undefined)[], readonly string[]]>([
  // The first prompt's run ends before Claude Code has read it.
  [['First.', 'Bad.', 'Third.'], ['no'], ['Third.']],
  [['Bad.', 'Second.'], ['no'], ['Second.']],
  [['Bad.', 'Bad.', 'Third.'], ['no'], ['Third.']],
])('prompts that are sent at once: %s', async ([prompts, reasons, answered]) => {
  const hooks = watching();
  await using model = await startModel(['one', 'two', 'three']);
  const over = Promise.withResolvers<void>();
  let sent: Query;
  async function* all(): AsyncGenerator<SDKUserMessage> {
    yield* prompts.map(said);
    await over.promise;
  }
  sent = hookedQuery({ prompt: all(), options: optionsFor(model.url) }, hooks);
  const results: SDKResultMessage[] = [];
  for await (const message of sent) {
    if (message.type !== 'result') continue;
    results.push(message);
    if (message.subtype === 'success' && message.result === 'one') over.resolve();
  }
  expect(results.map(blockReason).filter((reason) => reason !== undefined)).toEqual(
    expect.arrayContaining(reasons),
  );
  expect(results.at(-1)).toMatchObject({ result: 'one' });
  const read = model.requests.flatMap(promptsOf).join('\n');
  for (const prompt of answered) expect(read).toContain(prompt);
  expect(read).not.toContain('Bad.');
});

withClaude.concurrent(
  'a prompt that Claude Code reads in the session behind /clear is submitted once',
  async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(UserPromptSubmit, ({ prompt }) => {
      seen.push(prompt);
      return prompt.includes('Last.') ? modify({ prompt: `${prompt} Signed.` }) : proceed();
    });
    await using model = await startModel(['one', 'two']);
    const over = Promise.withResolvers<void>();
    async function* all(): AsyncGenerator<SDKUserMessage> {
      yield* ['First.', '/clear', 'Last.'].map(said);
      await over.promise;
    }
    for await (const message of hookedQuery({ prompt: all(), options: optionsFor(model.url) }, hooks))
      if (message.type === 'result' && model.requests.length === 2) over.resolve();
    expect(seen).toEqual(['First.', '/clear', 'Last.']);
    expect(promptsOf(model.requests.at(-1)!)).toContain('Last. Signed.');
  },
);
