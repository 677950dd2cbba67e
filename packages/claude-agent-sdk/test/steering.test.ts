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
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  Stop,
  SubagentStop,
  TurnEnd,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { blockReason, hookedOptions, hookedQuery, pendingApprovals } from '../src/index.ts';
import { bash, call, optionsFor, promptsOf, type Script, startModel, withClaude } from './fixtures.ts';

/*
 * Prompts that are sent while a run goes on. A refused one ends that run, and no other prompt is lost.
 */

function said(content: SDKUserMessage['message']['content']): SDKUserMessage {
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

withClaude.concurrent.for<[readonly string[], (string | undefined)[]]>([
  [
    ['/cost', 'Bad answer.'],
    [undefined, 'bad'],
  ],
  [
    ['/help', 'Bad answer.'],
    [undefined, 'bad'],
  ],
  [
    ['First.', '/compact', 'Bad answer.'],
    [undefined, undefined, 'bad'],
  ],
  [
    ['/compact', 'Bad answer.'],
    [undefined, 'bad'],
  ],
  [
    ['Bad answer.', '/clear', 'Last.'],
    ['bad', undefined, undefined],
  ],
])('each result tells of its own prompt, also to a slow reader: %s', async ([prompts, reasons]) => {
  const hooks = createHooks();
  hooks.guard(Stop, ({ response }) => (response.includes('bad') ? block('bad') : proceed()));
  const asked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const last = prompts.findLast((prompt) => !prompt.startsWith('/'))!;
  await using model = await startModel((request) => {
    const prompt = promptsOf(request).at(-1) ?? '';
    if (prompt.includes(last)) asked.resolve();
    return prompt.includes('Bad answer.') ? 'bad' : 'fine';
  });
  async function* all(): AsyncGenerator<SDKUserMessage> {
    yield* prompts.map(said);
    await over.promise;
  }
  const results: SDKResultMessage[] = [];
  for await (const message of hookedQuery({ prompt: all(), options: optionsFor(model.url) }, hooks)) {
    // Claude Code has gone on to the last prompt.
    await asked.promise;
    if (message.type === 'result') results.push(message);
    if (results.length === reasons.length) over.resolve();
  }
  expect(results.map(blockReason)).toEqual(reasons);
});

withClaude.concurrent(
  'prompts that Claude Code joins are submitted once, whatever their content is',
  async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(UserPromptSubmit, ({ prompt }) => {
      seen.push(prompt);
      return modify({ prompt: `${prompt} Signed.` });
    });
    const sent = Promise.withResolvers<void>();
    const running = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    await using model = await startModel([waits, 'one', 'two']);
    const options = optionsFor(model.url);
    const source = { type: 'base64', media_type: 'image/png', data: DOT } as const;
    const image = { type: 'image', source } as const;
    const text = (words: string) => ({ type: 'text', text: words }) as const;
    const second = '11111111-1111-4111-8111-111111111111';
    async function* all(): AsyncGenerator<SDKUserMessage> {
      yield said([text(' First.'), text('\n Now. ')]);
      await running.promise;
      // They wait until the run is over.
      const later: SDKUserMessage[] = [
        { ...said('Second.'), uuid: second },
        { ...said('Second again.'), uuid: second },
        said([text('Third.'), image, text('Fourth.')]),
        said([image]),
        said('\nFifth.\n'),
        said([text('  Sixth. '), text('\tSeventh. ')]),
        said([text(' Eighth.')]),
      ];
      yield* later.map((message) => ({ ...message, priority: 'later' }) as const);
      sent.resolve();
      await over.promise;
    }
    hooks.observe(BeforeToolCall, () => running.resolve());
    const query = hookedQuery({ prompt: all(), options }, hooks);
    void sent.promise
      .then(() => query.setPermissionMode('bypassPermissions'))
      .then(() => writeFileSync(join(String(options.cwd), 'go'), ''));
    const results: SDKResultMessage[] = [];
    for await (const message of query) {
      if (message.type === 'result') results.push(message);
      if (results.length === 2) over.resolve();
    }
    expect(results).toMatchObject([{ result: 'one' }, { result: 'two' }]);
    // Claude Code drops a message whose id it has read.
    const joined = ['Second.', 'Third.\nFourth.', '', '\nFifth.\n', '  Sixth. \n\tSeventh. ', ' Eighth.'];
    expect(seen).toEqual([' First.\n\n Now. ', ...joined]);
    const read = JSON.stringify(model.requests.at(-1));
    for (const prompt of ['Second. Signed.', 'Fourth. Signed.', 'Fifth.\\n Signed.'])
      expect(read).toContain(prompt);
  },
);

const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

withClaude.concurrent(
  'a prompt that is refused after the run it was sent into gets a result of its own',
  async () => {
    const hooks = createHooks();
    const judging = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const running = Promise.withResolvers<void>();
    hooks.guard(UserPromptSubmit, async ({ prompt }) => {
      if (prompt !== 'Bad.') return proceed();
      judging.resolve();
      await answered.promise;
      return block('no');
    });
    hooks.observe(BeforeToolCall, () => running.resolve());
    await using model = await startModel([waits, 'one']);
    const options = optionsFor(model.url);
    const over = Promise.withResolvers<void>();
    async function* all(): AsyncGenerator<SDKUserMessage> {
      yield said('First.');
      await running.promise;
      void judging.promise.then(() => writeFileSync(join(String(options.cwd), 'go'), ''));
      yield said('Bad.');
      await over.promise;
    }
    const results: SDKResultMessage[] = [];
    for await (const message of hookedQuery({ prompt: all(), options }, hooks)) {
      if (message.type !== 'result') continue;
      results.push(message);
      if (results.length === 1) answered.resolve();
      else over.resolve();
    }
    expect(results.map(blockReason)).toEqual([undefined, 'no']);
    expect(results[0]).toMatchObject({ result: 'one' });
  },
);

withClaude.concurrent.for([
  ['claude-haiku-4-5', undefined],
  ['claude-opus-4-1', 'A hook chose another model'],
])(
  'a prompt that is read after the run it was sent into runs with the model that hooks chose, or not at all: %s',
  async ([second, refusal]) => {
    const hooks = createHooks();
    const models = ['claude-haiku-4-5', String(second)];
    hooks.on(BeforeRun, () => modify({ model: models.shift()! }));
    const running = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    hooks.observe(BeforeToolCall, () => running.resolve());
    await using model = await startModel([waits, 'one', 'two']);
    const options = optionsFor(model.url);
    const over = Promise.withResolvers<void>();
    async function* all(): AsyncGenerator<SDKUserMessage> {
      yield said('First.');
      await running.promise;
      yield { ...said('Second.'), priority: 'later' };
      sent.resolve();
      await over.promise;
    }
    const query = hookedQuery({ prompt: all(), options }, hooks);
    void sent.promise
      .then(() => query.setPermissionMode('bypassPermissions'))
      .then(() => writeFileSync(join(String(options.cwd), 'go'), ''));
    const results: SDKResultMessage[] = [];
    for await (const message of query) {
      if (message.type !== 'result') continue;
      results.push(message);
      if (results.length === 2) over.resolve();
    }
    const reason = results[1] && blockReason(results[1]);
    expect(reason?.slice(0, refusal?.length)).toBe(refusal);
    expect(new Set(model.requests.map(({ model: used }) => used))).toEqual(new Set(['claude-haiku-4-5']));
  },
);

withClaude.concurrent('a sub-agent in the background goes on in its own run behind /clear', async () => {
  const hooks = createHooks();
  const calls: (readonly (string | undefined)[])[] = [];
  const running = Promise.withResolvers<void>();
  const cleared = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  hooks.guard(BeforeToolCall, ({ toolName, agent, run }) => {
    if (toolName === 'Bash') calls.push([agent, run]);
    running.resolve();
    return proceed();
  });
  const ended: string[] = [];
  hooks.observe(SubagentStop, ({ response }) => void ended.push(response));
  const later = [...waits, bash('true')];
  await using model = await startModel((request) => {
    const prompts = promptsOf(request);
    if (prompts.includes('Task.')) {
      const next = later.shift();
      return next === undefined ? 'done' : [next];
    }
    const isFirst = prompts.at(-1) === 'First.' && !JSON.stringify(request.messages).includes('tool_result');
    return isFirst
      ? [call('Agent', { subagent_type: 'general-purpose', description: 'd', prompt: 'Task.' })]
      : 'fine';
  });
  const options = optionsFor(model.url);
  async function* all(): AsyncGenerator<SDKUserMessage> {
    yield said('First.');
    await running.promise;
    yield said('/clear');
    await cleared.promise;
    writeFileSync(join(String(options.cwd), 'go'), '');
    await over.promise;
  }
  const results: SDKResultMessage[] = [];
  for await (const message of hookedQuery({ prompt: all(), options }, hooks)) {
    if (message.type !== 'result') continue;
    results.push(message);
    if (message.subtype === 'success' && message.result === '') cleared.resolve();
    if (ended.length > 0) over.resolve();
  }
  expect(results.map(blockReason)).toEqual(results.map(() => undefined));
  expect(calls).toEqual([
    ['general-purpose', expect.any(String)],
    ['general-purpose', calls[0]?.[1]],
  ]);
  expect(ended).toEqual(['done']);
});

withClaude.concurrent(
  'a prompt that is refused while hooks decide on a call ends the run, and the call does not wait',
  async () => {
    const hooks = watching();
    const running = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    hooks.guard(BeforeToolCall, async () => {
      running.resolve();
      await refused.promise;
      return requireApproval('ask');
    });
    await using model = await startModel([[bash('true')], [bash('true', 'toolu_third')]]);
    async function* all(): AsyncGenerator<SDKUserMessage> {
      yield said('First.');
      await running.promise;
      yield said('Bad.');
      yield said('Third.');
      refused.resolve();
      await over.promise;
    }
    const results: SDKResultMessage[] = [];
    const messages: string[] = [];
    for await (const message of hookedQuery({ prompt: all(), options: optionsFor(model.url) }, hooks, {
      approval: 'native',
    })) {
      messages.push(message.type);
      if (message.type !== 'result') continue;
      results.push(message);
      if (results.length === 2) over.resolve();
    }
    expect(results.map(blockReason)).toEqual(['no', undefined]);
    expect(await pendingApprovals(results[0])).toEqual([]);
    expect(await pendingApprovals(results[1])).toMatchObject([{ callId: 'toolu_third' }]);
    // Those are about messages with an id, and the user gave none.
    expect(messages).not.toContain('command_lifecycle');
  },
);
