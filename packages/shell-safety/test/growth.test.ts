import { stepsOf } from '@hooks/testing/matcher-steps';
import { drawn } from '@hooks/testing/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AnalyzeOptions, analyzeCommand } from '../src/index.ts';
import { load } from './labelled.ts';

/*
 * Regular expressions take no steps of the budget, so their steps are counted here: those of the same text at two lengths.
 * Where the longer one takes more than its length says, an expression reads the text again from each character.
 */

const SHORT = 500;
const LONG = 4 * SHORT;
/** Between the four times of linear work and the sixteen of quadratic work. */
const MOST = 8;

interface Repeated {
  readonly before: string;
  readonly part: string;
  readonly after: string;
  readonly shell?: AnalyzeOptions['shell'];
}

function textOf({ before, part, after }: Repeated, length: number): string {
  return before + part.repeat(Math.ceil(length / part.length)).slice(0, length) + after;
}

/** What the expressions take, without those that take next to nothing whatever their text. */
function growthOf(repeated: Repeated): number {
  const { shell = 'posix' } = repeated;
  const steps = (length: number): number =>
    stepsOf(() => analyzeCommand(textOf(repeated, length), { shell })) + 200 * length;
  return steps(LONG) / steps(SHORT);
}

describe('the steps of regular expressions grow with the length of a text', () => {
  test.each<Repeated>([
    { before: '', part: 'a', after: '/*', shell: 'powershell' },
    { before: '', part: 'a', after: '/*', shell: 'cmd' },
    { before: 'pwsh -c "', part: 'a', after: '/*"' },
    { before: 'cat ', part: '*', after: 'x' },
    { before: 'cat /tmp/', part: 'ab', after: '/?' },
    { before: 'read -u', part: '0', after: 'x' },
    { before: 'crontab ', part: '-sA ', after: 'x' },
    { before: 'git rm', part: ' a/b.log', after: '! x' },
    { before: 'git checkout x', part: '/R', after: '\n' },
    { before: 'env | grep ', part: 'ENV_DIR', after: '!' },
    { before: 'kubectl delete x e', part: '-ci-l', after: ' y' },
    { before: 'docker ', part: 'run ', after: 'x' },
    { before: 'docker run --mount=d', part: ',src=i', after: ' x' },
    { before: 'systemctl stop ', part: '*', after: '!' },
    { before: 'apt ', part: '-e ', after: 'x' },
    { before: 'tar ', part: 'xO', after: '!' },
    { before: 'ssh ', part: '-RR', after: ' x' },
    { before: 'sudo ', part: '-S -', after: ' x' },
    { before: 'gh api graphql ', part: 'mutation', after: ' x' },
  ])('%j', (repeated) => {
    expect(growthOf(repeated)).toBeLessThanOrEqual(MOST);
  });

  test('whatever words of a labelled command are repeated', () => {
    const commands = load('commands.made-from')
      .map(({ command }) => command)
      .filter((command) => command.length < 200);
    const repeated = fc
      .record({
        command: fc.constantFrom(...commands),
        from: fc.nat({ max: 199 }),
        length: fc.integer({ min: 1, max: 12 }),
        after: fc.constantFrom('', '!', ' x', '\n', '/', '"', "'"),
        shell: fc.constantFrom('posix' as const, 'powershell' as const, 'cmd' as const),
      })
      .map(({ command, from, length, after, shell }): Repeated => {
        const start = from % command.length;
        const part = command.slice(start, start + length);
        return { before: command.slice(0, start), part, after: after + command.slice(start + length), shell };
      });
    fc.assert(
      fc.property(repeated, (text) => {
        expect(growthOf(text), JSON.stringify(text)).toBeLessThanOrEqual(MOST);
      }),
      { numRuns: drawn(100), seed: 20261128 },
    );
  });

  const repeat = (part: string, length: number): string =>
    part.repeat(Math.ceil(length / part.length)).slice(0, length);

  // Each of many words with a long one, or with each of many others.
  test.each<[title: string, textOf: (length: number) => string]>([
    ['files to a long folder', (n) => `cp ${repeat('b/c ', n / 2)}${repeat('a/', n / 2)}`],
    ['archives in a long folder', (n) => `tar x -C ${repeat('a/', n / 2)} ${repeat('b/c ', n / 2)}`],
    ['names in many folders', (n) => `find ${repeat('a ', n / 2)}${repeat('-name b ', n / 2)}-exec rm {} +`],
    ['files in a long folder', (n) => `cd ${repeat('a/', n / 2)}; rm ${repeat('b ', n / 2)}`],
    ['copies from another machine', (n) => `cp ${repeat('hh:a ', n / 2)}hh:${repeat('a', n / 2)}`],
  ])('or with the budget: %s', (_, textOf) => {
    const text = textOf(1500);
    expect(stepsOf(() => analyzeCommand(text))).toBeLessThan(100 * (300_000 + 11 * 16_000));
  });
});
