import { drawn } from '@hooks/testing/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  type EventPayload,
  HookEvent,
  proceed,
  TurnStart,
  UserPromptSubmit,
} from '../src/index.ts';
import { compilePattern } from '../src/pattern.ts';
import { call } from './support/call.ts';

/** A flag that the compiler's target does not know as a literal. */
const SETS: string = 'v';

/** Whether a guard for a pattern is asked about a tool of that name. */
function meets(pattern: string | RegExp, name: string): boolean {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall.matching(pattern), () => block('asked'), { id: 'guard' });
  return hooks.get(BeforeToolCall, name).length === 1;
}

describe('a matcher', () => {
  it('is refused for an event without a tool, where it would never match', () => {
    const hooks = createHooks();
    const Offer = defineEvent<EventPayload>()({ type: 'acme_offer', permits: ['block'], extends: HookEvent });
    for (const event of [UserPromptSubmit, BeforeModelCall, Offer]) {
      // JavaScript programs reach the method that the types leave out.
      const { matching, for: forTool } = event as unknown as typeof BeforeToolCall;
      for (const point of [matching('shell'), forTool({ name: 'shell' })])
        expect(() => hooks.guard(point, () => block('no'))).toThrow('only an event that extends ToolEvent');
    }
  });

  it.each([
    [
      'shell|edit_.*|mcp__.*',
      ['shell', 'edit_', 'edit_file', 'mcp__a__b'],
      ['shells', 'my_shell', 'Shell', 'edit', ''],
    ],
    ['(?!read_).*', ['write', 'pread_'], ['read_', 'read_file']],
    ['.*(?<!_dry)_run', ['x_run', '_run'], ['x_dry_run', 'x_run_']],
    ['a{2,3}(b|c)?', ['aa', 'aaab', 'aac'], ['a', 'aaaa', 'aabb']],
    ['a{2}b{1,}', ['aab', 'aabbb'], ['ab', 'aa', 'aaab']],
    ['\\w+\\.\\d{1,2}', ['a.1', 'ab_1.23'], ['a1', 'a.123', '.1']],
    ['x{', ['x{'], ['x', 'x{{']],
    ['[^\\]|]+', ['ab'], ['a]', 'a|', '']],
    ['\\x61\\u0062\\cA\\0', ['ab\u0001\0'], ['ab']],
    [/^edit/, ['edit', 'edit_x'], ['_edit', 'Edit']],
    [/file$/i, ['file', 'readFILE'], ['files']],
    [/\bcat\b/g, ['cat', 'a cat', 'cat-x'], ['cats', 'a_cat']],
    [/o\Bo/, ['foo'], ['o o']],
    [/b/y, ['b', 'bc'], ['ab']],
    [/^b$/m, ['b', 'a\nb\nc'], ['ab', 'a\nbc']],
    [/a.b/, ['axb'], ['a\nb']],
    [/a.b/s, ['a\nb'], ['ab']],
    [/^.$/u, ['😀', 'a'], ['ab', '😀😀']],
    [/^..$/, ['😀'], ['a']],
    [/^\u{1f600}\p{L}\ud83d\ude00$/u, ['😀é😀'], ['😀1😀']],
    [/(?<tool>a)(?:b)(?=c)/, ['abc'], ['ab', 'abd']],
    [/(?=a(?!b(?<=ab)c)).b/, ['abd', 'xab'], ['abc']],
  ] as readonly (readonly [string | RegExp, readonly string[], readonly string[]])[])(
    '%s has its meaning in the language',
    (pattern, matching, others) => {
      const native = pattern instanceof RegExp ? pattern : new RegExp(`^(?:${pattern})$`, 's');
      for (const name of [...matching, ...others])
        expect([name, meets(pattern, name)]).toEqual([name, name.search(native) >= 0]);
      expect(matching.filter((name) => !meets(pattern, name))).toEqual([]);
      expect(others.filter((name) => meets(pattern, name))).toEqual([]);
    },
  );

  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '^', '$', '\\b', '\\B', '');
  const { expression } = fc.letrec<{ readonly expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      atom,
      fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => one + other),
      fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{1,2}', '{0,}'))
        .map(([one, times]) => `(${one})${times}`),
      fc
        .tuple(fc.constantFrom('?=', '?!', '?<=', '?<!'), tie('expression'))
        .map(([around, one]) => `(${around}${one})`),
    ),
  }));
  const name = fc
    .array(fc.constantFrom('a', 'b', 'c', '_', '\n', ' '), { maxLength: 7 })
    .map((all) => all.join(''));

  it('of any expression matches what the language matches', () => {
    fc.assert(
      fc.property(
        expression,
        fc.constantFrom('', 'i', 'm', 's', 'y', 'u', 'gimsu'),
        fc.array(name),
        (source, flags, names) => {
          const native = new RegExp(source, flags);
          const matches = compilePattern(native);
          for (const one of names) expect([one, matches(one)]).toEqual([one, one.search(native) >= 0]);
        },
      ),
      { numRuns: drawn(500) },
    );
  });

  it.each([
    '(a+)+b',
    '(a|a)*b',
    '(a|aa)+b',
    '(?:a*)*b',
    '(.*a){12}b',
    '.*a.*a.*a.*a.*b',
    '(?:(?!.*b).)*b',
    '(?:(?<=a*).)*b',
    '(?=(a+)+b).*',
    '(a{1,30}){1,30}b',
    '([a-z]+)*_([a-z]+)*_b',
  ])('%s is done with a name of 10,000 characters in a moment', (pattern) => {
    const started = performance.now();
    expect(meets(pattern, 'a'.repeat(10_000))).toBe(false);
    expect(meets(new RegExp(pattern), 'a'.repeat(10_000))).toBe(false);
    // The engine of the language needs more than a lifetime for the first of them.
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('looks at each character of a name a number of times that does not grow with the name', () => {
    const steps = (length: number): number => {
      let read = 0;
      const test = RegExp.prototype.test;
      RegExp.prototype.test = function counted(text) {
        read++;
        return test.call(this, text);
      };
      try {
        compilePattern(/^(?:(a+)+(?!.*b)|(?:a|a)*)*b$/)('a'.repeat(length));
      } finally {
        RegExp.prototype.test = test;
      }
      return read;
    };
    expect(steps(2000) / steps(1000)).toBeLessThan(2.1);
  });

  it('looks at the name of an agent once, however often its hooks run in turn', async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.guard(BeforeToolCall, () => (asked++, proceed()), { agents: /w[^x]*r/ });
    const test = RegExp.prototype.test;
    let read = 0;
    RegExp.prototype.test = function counted(text) {
      if (this.source.includes('[^x]')) read++;
      return test.call(this, text);
    };
    try {
      for (let nth = 0; nth < 20; nth++) await call(hooks, { agent: 'writer' });
      await call(hooks, { agent: 'reader' });
      await call(hooks);
      await call(hooks, { agent: 'writer' });
    } finally {
      RegExp.prototype.test = test;
    }
    expect(asked).toBe(21);
    expect(read).toBeLessThan(3 * 'writer'.length);
  });

  it.each([
    ['(a)\\1', '"\\1"'],
    ['(?<x>a)\\k<x>', '"\\k"'],
    [/(?<x>a)\k<x>/u, '"\\k"'],
    [new RegExp('[a--b]', SETS), 'the flag v'],
    ['((a{100}){100}){100}', 'more than 1000 counted repetitions'],
    ['', 'matches no tool'],
  ] as const)('%s is refused at registration', (pattern, what) => {
    const hooks = createHooks();
    expect(() => hooks.guard(BeforeToolCall.matching(pattern), () => proceed())).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(what) }),
    );
    expect(() => hooks.observe(TurnStart, () => {}, { agents: pattern })).toThrow(/linear time|no tool/);
  });

  it('keeps nothing of ten thousand names that are sent once', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('shell'), () => block('no'));
    for (let nth = 0; nth < 2500; nth++)
      expect((await call(hooks, { toolName: `tool-${nth}` })).ran).toBe(true);
    expect((await call(hooks, { toolName: 'shell' })).ran).toBe(false);
  });
});
