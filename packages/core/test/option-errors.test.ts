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
    ['a number', { holdStream: 4711 }],
    ['a bigint', { holdStream: 4711n }],
    ['a symbol', { holdStream: Symbol(secret) }],
  ])('does not show %s, which may be a secret', (_, options) => {
    expect(check(options)).toThrow(/expected/);
    expect(check(options)).not.toThrow(/sk-live|4711/);
  });

  test('shows a number where a number is expected', () => {
    const ofTime = () => checkOptions<object>('hooked', { ms: -5 }, { ms: optionKinds.positive });
    expect(ofTime).toThrow('hooked: ms is -5; expected a number greater than 0.');
  });

  test('is a HooksError where reading an option throws, without what was thrown', () => {
    const options = {
      get holdStream(): boolean {
        throw new Error(secret);
      },
    };
    expect(check(options)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: 'hooked: holdStream cannot be read; its accessor throws.',
      }),
    );
  });

  test('says which kind of object the options are, such as a Promise that nobody awaited', () => {
    class Config {
      readonly holdStream = true;
      readonly [Symbol.toStringTag] = 'Config';
    }
    expect(check(new Config())).toThrow('hooked: the options are of type Config; expected an object.');
    expect(check(Promise.resolve({}))).toThrow(
      'hooked: the options are of type Promise; expected an object.',
    );
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

test('a method that a class of options has keeps its own properties', () => {
  class Options {
    approve() {}
  }
  Object.assign(Options.prototype.approve, { deadlineMs: 5 });
  const { approve } = checkOptions<object>('hooked', new Options(), {
    approve: optionKinds.callback,
  } as object) as Options;
  expect(Object.entries(approve)).toEqual([['deadlineMs', 5]]);
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
