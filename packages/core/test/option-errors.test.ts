import { describe, expect, test } from 'vitest';
import { checkOptions, optionKinds } from '../src/adapter/index.ts';

const check = (options: unknown) => () => checkOptions('hooked', options, { holdStream: optionKinds.flag });

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
