import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import {
  AfterCompaction,
  AfterToolCall,
  AgentError,
  addContext,
  BeforeCompaction,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  MaxIterations,
  modify,
  proceed,
  retry,
  SessionEnd,
  SessionStart,
  Stop,
  SubagentStart,
  SubagentStop,
  TurnEnd,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { blockReason } from '../src/index.ts';
import { bash, call, play, promptsOf, type Request, withClaude } from './fixtures.ts';

/** The types of the events of a registry, from now on. */
function typesOf(hooks: Hooks): string[] {
  const types: string[] = [];
  hooks.observe(HookEvent, ({ type }) => void types.push(type));
  return types;
}

/** A client that sends the next prompt when the answer to the one before is there. */
function client(...prompts: readonly string[]) {
  let answered = Promise.withResolvers<void>();
  async function* messages(): AsyncGenerator<SDKUserMessage> {
    for (const content of prompts) {
      yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
      await answered.promise;
      answered = Promise.withResolvers();
    }
  }
  return {
    prompt: messages(),
    onMessage: ({ type }: { readonly type: string }) => void (type === 'result' && answered.resolve()),
  };
}

withClaude.concurrent('a run has its events in order, and its session ends with the query', async () => {
  const hooks = createHooks();
  const types = typesOf(hooks);
  await play([[bash('echo A')], 'done'], hooks);
  expect(types).toEqual([
    'session_start',
    'user_prompt_submit',
    'before_run',
    'turn_start',
    'before_tool_call',
    'before_execute',
    'transform_tool_result',
    'after_tool_call',
    'turn_end',
    'turn_start',
    'stop',
    'turn_end',
    'session_end',
  ]);
});

withClaude.concurrent('each prompt of a stream is a run of one session', async () => {
  const hooks = createHooks();
  const starts: string[] = [];
  const prompts: [string, string | undefined][] = [];
  hooks.observe(SessionStart, ({ source }) => void starts.push(source));
  hooks.observe(UserPromptSubmit, ({ prompt, run }) => void prompts.push([prompt, run]));
  const { model } = await play(['one', 'two'], hooks, client('First.', 'Second.'));
  expect(starts).toEqual(['startup']);
  expect(prompts.map(([prompt]) => prompt)).toEqual(['First.', 'Second.']);
  expect(new Set(prompts.map(([, run]) => run)).size).toBe(2);
  expect(promptsOf(model.requests[1]!)).toEqual(['First.', 'Second.']);
});

withClaude.concurrent('/clear ends the session and begins another', async () => {
  const hooks = createHooks();
  const sessions: string[] = [];
  hooks.observe(SessionStart, ({ session }) => void sessions.push(`start ${session.id}`));
  hooks.observe(SessionEnd, ({ session }) => void sessions.push(`end ${session.id}`));
  await play(['one', 'two'], hooks, client('First.', '/clear', 'Second.'));
  const ids = new Set(sessions.map((one) => one.split(' ')[1]));
  expect(ids.size).toBe(2);
  const [first, second] = [...ids];
  expect(sessions).toEqual([`start ${first}`, `end ${first}`, `start ${second}`, `end ${second}`]);
});

withClaude.concurrent('a refused prompt ends its run only, and the next one is decided on', async () => {
  const hooks = createHooks();
  hooks.guard(UserPromptSubmit, ({ prompt }) => (prompt === 'Bad.' ? block('no') : proceed()));
  const { model, messages } = await play(['one'], hooks, client('Bad.', 'Good.'));
  const results = messages.filter(({ type }) => type === 'result');
  expect(results.map(blockReason)).toEqual(['no', undefined]);
  expect(model.requests.flatMap(promptsOf).join()).not.toContain('Bad.');
});

withClaude.concurrent('a Stop hook makes the agent continue, and may refuse the answer', async () => {
  const hooks = createHooks();
  hooks.on(Stop, ({ continuations }) => (continuations === 0 ? retry('Really?') : block('not good')));
  const { model, result } = await play(['first', 'second'], hooks);
  expect(model.requests).toHaveLength(2);
  expect(JSON.stringify(model.requests[1])).toContain('Really?');
  expect(blockReason(result)).toBe('not good');
});

withClaude.concurrent(
  'a Block on Stop leaves the answer in the result, and throws with refused: throw',
  async () => {
    const hooks = createHooks();
    hooks.guard(Stop, () => block('not good'));
    const { result } = await play(['the answer'], hooks);
    expect([result?.subtype === 'success' && result.result, blockReason(result)]).toEqual([
      'the answer',
      'not good',
    ]);
    const { error, messages } = await play(['the answer'], hooks, { settings: { refused: 'throw' } });
    expect(error).toMatchObject({ name: 'BlockedError', message: expect.stringContaining('not good') });
    expect(JSON.stringify(messages)).toContain('the answer');
  },
);

withClaude.concurrent.for([
  ['refuses', 'not good', () => block('not good')],
  // Claude Code asks the model no more.
  ['wants another of', 'try again', () => retry('try again')],
] as const)('a structured answer that a Stop hook %s is not in the result', async ([, reason, decide]) => {
  const hooks = createHooks();
  hooks.on(Stop, ({ response }) => (response.includes('REFUSED') ? decide() : proceed()));
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const { result } = await play([[call('StructuredOutput', { a: 'REFUSED' })], 'done'], hooks, {
    options: { outputFormat: { type: 'json_schema', schema } },
  });
  expect(result).toMatchObject({ subtype: 'success', result: reason });
  expect(JSON.stringify(result)).not.toContain('REFUSED');
  expect(blockReason(result)).toBe(reason);
});

withClaude.concurrent.for([
  ['good', [['Note: good.', 'Go on.'], ['Third.']]],
  ['bad', [['Third.']]],
] as const)('a message that starts no turn is part of the next prompt: %s', async ([kind, expected]) => {
  const hooks = createHooks();
  const prompts: string[] = [];
  hooks.guard(UserPromptSubmit, ({ prompt }) => {
    prompts.push(prompt);
    return prompt.includes('bad') ? block('no') : proceed();
  });
  const answered = Promise.withResolvers<void>();
  async function* messages(): AsyncGenerator<SDKUserMessage> {
    const said = (content: string): SDKUserMessage => ({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
    });
    yield { ...said(`Note: ${kind}.`), shouldQuery: false };
    yield said('Go on.');
    await answered.promise;
    yield said('Third.');
  }
  const { model, error } = await play(['done', 'done'], hooks, {
    prompt: messages(),
    onMessage: ({ type }) => void (type === 'result' && answered.resolve()),
  });
  expect(error).toBeUndefined();
  expect(prompts).toEqual([`Note: ${kind}.\nGo on.`, 'Third.']);
  const before = new Set<string>();
  const fresh = model.requests.map((request) =>
    promptsOf(request).filter((text) => !before.has(text) && before.add(text)),
  );
  expect(fresh).toEqual(expected);
});

withClaude.concurrent('a hook chooses the model of a run', async () => {
  const hooks = createHooks();
  hooks.on(BeforeRun, ({ message }) =>
    message === 'First.' ? modify({ model: 'claude-haiku-4-5' }) : proceed(),
  );
  const { model } = await play(['one', 'two'], hooks, client('First.', 'Second.'));
  expect(model.requests.map((request) => request.model)).toEqual(['claude-haiku-4-5', 'claude-sonnet-4-5']);
});

withClaude.concurrent('context of a prompt and of a tool call reaches the model', async () => {
  const hooks = createHooks();
  hooks.on(UserPromptSubmit, () => addContext('FROM THE PROMPT'));
  hooks.on(BeforeToolCall, () => addContext('FROM THE CALL'));
  const { model } = await play([[bash('echo A')], 'done'], hooks);
  expect(JSON.stringify(model.requests[0])).toContain('FROM THE PROMPT');
  expect(JSON.stringify(model.requests[1])).toContain('FROM THE CALL');
});

withClaude.concurrent('the limit of turns and an error of the model are told, and still thrown', async () => {
  const limited = createHooks();
  const limits: number[] = [];
  limited.observe(MaxIterations, ({ maxIterations }) => void limits.push(maxIterations));
  const one = await play([[bash('true')], [bash('true')]], limited, { options: { maxTurns: 1 } });
  expect([limits, String(one.error)]).toEqual([[1], expect.stringContaining('maximum number of turns')]);
  const failing = createHooks();
  const errors: string[] = [];
  const reasons: string[] = [];
  failing.observe(AgentError, ({ message }) => void errors.push(message));
  failing.observe(TurnEnd, ({ reason }) => void reasons.push(reason));
  const other = await play(() => ({ status: 400 }), failing);
  expect(other.error).toBeInstanceOf(Error);
  expect(errors).toHaveLength(1);
  expect(reasons).toEqual(['error']);
});

const helper = { description: 'Helps.', prompt: 'HELPER', tools: ['Bash'] };

/** The main agent calls a helper once; the helper runs a command. */
function withHelper(background: boolean) {
  return (request: Request) => {
    const last = JSON.stringify(request.messages.at(-1)?.content);
    if (JSON.stringify(request.system).includes('HELPER'))
      return last.includes('tool_result') ? 'the helper is done' : [bash('echo IN', 'toolu_in')];
    if (JSON.stringify(request.messages).includes('toolu_agent')) return 'done';
    return [
      call(
        'Agent',
        { description: 'd', prompt: 'Help.', subagent_type: 'helper', run_in_background: background },
        'toolu_agent',
      ),
    ];
  };
}

withClaude.concurrent.for([false, true])(
  'a sub-agent has a run of its own, in the background: %s',
  async (background) => {
    const hooks = createHooks();
    const told: string[] = [];
    const prompts: string[] = [];
    hooks.observe(SubagentStart, ({ subagent }) => void told.push(`start ${subagent}`));
    hooks.observe(SubagentStop, ({ subagent, response }) => void told.push(`stop ${subagent}: ${response}`));
    hooks.observe(UserPromptSubmit, ({ prompt, delivery }) => {
      if (delivery !== 'notification') prompts.push(prompt);
    });
    hooks.observe(
      AfterToolCall,
      ({ toolName, agent, session }) =>
        void told.push(`${toolName} ${agent ?? ''} ${session.parent === undefined ? 'main' : 'child'}`),
    );
    hooks.guard(BeforeToolCall, ({ toolName, agent }) =>
      toolName === 'Bash' && agent === 'helper' ? block('not in a sub-agent') : proceed(),
    );
    const { model } = await play(withHelper(background), hooks, {
      options: { agents: { helper }, env: background ? {} : { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' } },
    });
    expect(told).toEqual(
      expect.arrayContaining([
        'start helper',
        'Bash helper child',
        'stop helper: the helper is done',
        expect.stringMatching(/^Agent .*main$/),
      ]),
    );
    // What ends a background task is no user's prompt.
    expect(prompts).toEqual(['Go.']);
    const inside = model.requests.filter(({ system }) => JSON.stringify(system).includes('HELPER'));
    expect(JSON.stringify(inside.at(-1))).toContain('not in a sub-agent');
  },
);

withClaude.concurrent('an abort calls the model no further, and the run is canceled', async () => {
  const hooks = createHooks();
  const reasons: string[] = [];
  const abortController = new AbortController();
  hooks.observe(TurnEnd, ({ reason }) => void reasons.push(reason));
  hooks.on(BeforeToolCall, () => {
    abortController.abort(new Error('enough'));
    return proceed();
  });
  const { model } = await play([[bash('tail -f /dev/null')], 'done'], hooks, {
    options: { abortController },
  });
  expect(model.requests).toHaveLength(1);
  expect(reasons).toEqual(['canceled']);
});

withClaude.concurrent('a hook vetoes a compaction, and hears of one', async () => {
  const vetoing = createHooks();
  vetoing.guard(BeforeCompaction, () => block('keep everything'));
  const kept = await play(['one', 'two'], vetoing, client('First.', '/compact', 'Second.'));
  expect(promptsOf(kept.model.requests.at(-1)!)).toContain('First.');
  const hooks = createHooks();
  const summaries: string[] = [];
  hooks.observe(AfterCompaction, ({ summary }) => void summaries.push(summary));
  await play(['one', 'SUMMARY', 'two'], hooks, client('First.', '/compact', 'Second.'));
  expect(summaries).toHaveLength(1);
});
