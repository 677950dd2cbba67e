/** What the guards do where model calls are not seen: Claude Code calls the model in its own process. */
import { createHooks, type HookProvider, type Hooks } from '@hooks/core';
import { memoryStore } from '@hooks/store';
import { describe, expect, test } from 'vitest';
import {
  concurrency,
  injection,
  limits,
  pii,
  rateLimit,
  redactSecrets,
  requirePrincipal,
  validHistory,
} from '../src/index.ts';

const { hookedOptions }: { readonly hookedOptions: (options: object, hooks: Hooks) => object } = await import(
  new URL('../../claude-agent-sdk/src/index.ts', import.meta.url).href
);

/** Hooks a query, without running it. Returns what the developer is warned of. */
function warningsOf(provider: HookProvider): readonly string[] {
  const warnings: string[] = [];
  const hooks = createHooks({ onWarning: (warning) => void warnings.push(warning) });
  hooks.use(provider);
  expect(hookedOptions({ settingSources: [] }, hooks)).toHaveProperty('hooks');
  return warnings;
}

/** The ids of the hooks that were left out, which the developer is warned of. */
function leftOut(provider: HookProvider): readonly string[] {
  return warningsOf(provider).flatMap(
    (message) => / leaves out hook "builtin:([^"]+)"/.exec(message)?.slice(1) ?? [],
  );
}

describe('with the Claude Agent SDK', () => {
  const answers = { answers: true } as const;
  const usage = { prices: { '*': { input: 1, output: 1 } } };
  test.each<[string, HookProvider]>([
    ['a limit of model calls', limits({ perRun: { modelCalls: 1 } })],
    ['a limit of tokens', limits({ perSession: { tokens: 1 } })],
    ['a limit of money', limits({ perKey: { cost: 1 }, ...usage })],
    ['a last answer at a limit of model calls', limits({ perRun: { modelCalls: 1 }, atLimit: 'answer' })],
    ['a rate of tokens', rateLimit({ tokens: 1, windowMs: 1000 })],
    ['personal data in answers', pii(answers)],
    ['a kind that no answer may have', pii({ ...answers, kinds: { email: 'block' } })],
    ['secrets in answers', redactSecrets(answers)],
  ])('%s is refused, with the hook and the reason', (_, provider) => {
    expect(() => leftOut(provider)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_EVENT',
        message: expect.stringMatching(
          /cannot honor hook "builtin:.*Claude Code calls the model in its own process/,
        ),
      }),
    );
  });

  test.each<[string, HookProvider, readonly string[]]>([
    ['a warning in time', limits({ perRun: { toolCalls: 5 }, warnAt: 3 }), ['limits/land']],
    [
      'a last answer at a limit of time',
      limits({ perRun: { timeMs: 5 }, atLimit: 'answer' }),
      ['limits/land'],
    ],
    ['a valid history', validHistory(), ['valid-history/read', 'valid-history/check']],
    ['personal data in messages to the model', pii({ kinds: { email: 'block' } }), ['pii/refuse-messages']],
    ['secrets in messages to the model', redactSecrets(), ['redact-secrets/messages']],
    ['the flag of a history', injection(), ['injection/history']],
    ['a model call of nobody', requirePrincipal(), ['require-principal/model-call']],
  ])('%s is left out, with a warning, and the rest holds', (_, provider, ids) => {
    expect(leftOut(provider)).toEqual(expect.arrayContaining([...ids]));
  });

  test.each<[string, HookProvider]>([
    ['a limit of tool calls', limits({ perRun: { toolCalls: 1 } })],
    ['a limit of time', limits({ perRun: { timeMs: 1 } })],
    ['a cost of tools', limits({ perRun: { cost: 1 }, toolCost: () => 1 })],
    ['a rate of tool calls', rateLimit({ toolCalls: 1, windowMs: 1000 })],
    ['a placeholder that one tool may read', redactSecrets({ reveal: { send_mail: ['to'] } })],
    ['a withheld result', injection({ found: 'block' })],
  ])('%s holds', (_, provider) => {
    expect(() => leftOut(provider)).not.toThrow();
  });

  test.each<[string, HookProvider]>([
    ['a limit of tool calls', limits({ perRun: { toolCalls: 1 }, perKey: { toolCalls: 9 } })],
    ['a limit of tool calls in a store', limits({ perRun: { toolCalls: 1 }, store: memoryStore() })],
    ['concurrency in a store', concurrency({ toolCalls: 1, store: memoryStore() })],
    ['a limit of one tool', limits({ perTool: { Bash: { perRun: { toolCalls: 1 } } } })],
    ['a cost of one tool', limits({ perTool: { Bash: { perSession: { cost: 1 } } }, toolCost: () => 1 })],
    ['a rate of tool calls', rateLimit({ toolCalls: 1, windowMs: 1000 })],
  ])('%s needs no model call, so nothing is warned of', (_, provider) => {
    expect(warningsOf(provider)).toEqual([]);
  });
});
