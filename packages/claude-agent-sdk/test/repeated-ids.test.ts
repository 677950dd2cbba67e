import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options, SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';
import { BeforeToolCall, createHooks, type Hooks, proceed, requireApproval, TurnEnd } from '@hooks/core';
import { expect } from 'vitest';
import { type ApprovalResponse, hookedQuery, pendingApprovals } from '../src/index.ts';
import { bash, optionsFor, startModel, withClaude } from './fixtures.ts';

/*
 * A model, or whoever answers for it, may give the id of a call again: to another call, or in another session.
 */

/** Requires approval of payments. */
function paying(): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, ({ input }) =>
    JSON.stringify(input).includes('pay') ? requireApproval('it costs money') : proceed(),
  );
  return hooks;
}

async function resultOf(hooks: Hooks, prompt: string, options: Options, answers: readonly ApprovalResponse[] = []) {
  let result: SDKResultMessage | undefined;
  for await (const message of hookedQuery({ prompt, options }, hooks, { approval: 'native', answers }))
    if (message.type === 'result') result = message;
  return result;
}

async function yesTo(result: SDKResultMessage | undefined): Promise<readonly ApprovalResponse[]> {
  return (await pendingApprovals(result)).map((one) => ({ ...one, decision: 'allow' }));
}

function linesOf({ cwd = '' }: Options, name: string): number {
  const file = join(cwd, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

withClaude.concurrent.for([1, 2, 3])('the next call with the id of an approved one runs its own input (%i)', async () => {
  await using model = await startModel([
    [bash('echo pay >> paid', 'toolu_1')],
    [bash('echo other >> others', 'toolu_1')],
    'done',
  ]);
  const options = optionsFor(model.url);
  const paused = await resultOf(paying(), 'Go.', options);
  const resumed = { ...options, resume: paused?.session_id ?? '' };
  await resultOf(paying(), '', resumed, await yesTo(paused));
  expect([linesOf(options, 'paid'), linesOf(options, 'others')]).toEqual([1, 1]);
});

withClaude.concurrent('runs of two sessions wait side by side for calls with the same id', async () => {
  const hooks = paying();
  const began: unknown[] = [];
  const ended: unknown[] = [];
  hooks.observe(BeforeToolCall, ({ run }) => void began.push(run));
  hooks.observe(TurnEnd, ({ run }) => void ended.push(run));
  await using model = await startModel(({ messages }) =>
    JSON.stringify(messages.at(-1)).includes('tool_result') ? 'done' : [bash('echo pay >> paid', 'toolu_1')],
  );
  const options = optionsFor(model.url);
  const one = await resultOf(hooks, 'One.', options);
  const two = await resultOf(hooks, 'Two.', options);
  for (const paused of [one, two])
    await resultOf(hooks, '', { ...options, resume: paused?.session_id ?? '' }, await yesTo(paused));
  expect(linesOf(options, 'paid')).toBe(2);
  // Each run goes on, and no other one begins.
  expect(new Set(ended)).toEqual(new Set(began));
});
