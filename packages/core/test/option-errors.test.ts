import { BeforeToolCall, createHooks } from '@hooks/core';
import { checkOptions, optionKinds } from '@hooks/core/options';
import { testAgent } from '@hooks/core/testing';
import { describe, expect, test } from 'vitest';

const check = (options: unknown) => () =>
  checkOptions<object>('hooked', options as object, { holdStream: optionKinds.flag });

describe('the error about an option', () => {
  const secret = 'sk-live-not-to-be-shown';

  test.each([
    ['a value', { holdStream: secret }],
    ['the options', secret],
  ])('does not show %s, which may be a secret', (_, options) => {
    expect(check(options)).toThrow(/expected/);
    expect(check(options)).not.toThrow(secret);
  });

  test('shows a name on one line and not at any length', () => {
    expect(check({ 'a\nb\u001b[31m': 1 })).not.toThrow(/[^ -~]/);
    expect(check({ ['x'.repeat(100_000)]: 1 })).not.toThrow(/x{1000}/);
  });

  test('names one that a class has as an accessor', () => {
    class Options {
      get holdStraem() {
        return true;
      }
    }
    expect(check(new Options())).toThrow(/holdStraem is unknown/);
  });
});

test.each<[string, () => unknown]>([
  [
    'hooks.session: prinicpal is unknown; did you mean principal?',
    () => createHooks().session('s', { prinicpal: {} } as object),
  ],
  [
    'hooks.session: source is "startup2"; did you mean startup?',
    () => createHooks().session('s', { source: 'startup2' as never }),
  ],
  [
    'hooks.get: agents is unknown; did you mean agent?',
    () => createHooks().get(BeforeToolCall, 'pay', { agents: 'Clerk' } as object),
  ],
  ['testAgent: session is unknown; did you mean sessionId?', () => testAgent([], { session: 's' } as object)],
  ['testAgent: approval is "alow"; did you mean allow?', () => testAgent([], { approval: 'alow' as never })],
])('a misspelled option is refused: %s', (message, call) => {
  expect(call).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message }));
});

test('a misspelled option of a call of the test agent is refused', async () => {
  const call = testAgent([]).callTool('pay', {}, { aproval: 'allow' } as object);
  await expect(call).rejects.toThrow('agent.callTool: aproval is unknown; did you mean approval?');
});
