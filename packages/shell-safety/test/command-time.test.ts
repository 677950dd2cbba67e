import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Machine } from '../src/command-safety/machine.ts';
import { checkCommand } from '../src/index.ts';
import { proportion } from './proportion.ts';

/*
 * Commands of over 16 kB are judged by a pass over their words (command-evasions.test.ts measures that); here is what is
 * parsed, with code for interpreters in it.
 */

/** Many runs, on a machine that may be busy. */
const SLOW = { timeout: 120_000 };
const LENGTHS = { short: 2_000, long: 14_000 };
/** Time in proportion to the length gives 7, quadratic time 49. */
const LIMIT = 14;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const input =
  (program: string) =>
  (text: string): string =>
    `${program} <<'EOF'\n${text}\nEOF`;

/** Ways to hand a text to something that reads it as a program. */
const CARRIERS: Readonly<Record<string, (text: string) => string>> = {
  python: (code) => `python3 -c ${quoted(code)}`,
  'python in a here-document': input('python3 -'),
  node: (code) => `node -e ${quoted(code)}`,
  perl: (code) => `perl -e ${quoted(code)}`,
  ruby: (code) => `ruby -e ${quoted(code)}`,
  php: (code) => `php -r ${quoted(code)}`,
  julia: (code) => `julia -e ${quoted(code)}`,
  tcl: input('tclsh'),
  awk: (code) => `awk ${quoted(code)}`,
  sed: (code) => `sed ${quoted(code)} f`,
  make: input('make -f -'),
  sqlite: input('sqlite3 a.db'),
  sftp: input('sftp host'),
  rpm: (code) => `rpm -E ${quoted(code)}`,
  bash: (code) => `bash -c ${quoted(code)}`,
  'what is printed': (code) => `x=$(node -p ${quoted(code)}); $x`,
  'a hook': (code) => `echo ${quoted(code)} > .git/hooks/pre-commit`,
  'the shell': (code) => code,
};

/** For a text in a carrier: how it begins, what it goes on with, and how it ends. */
function time(carrier: string, begin: string, repeated: string, end = ''): number {
  const carry = CARRIERS[carrier];
  if (!carry) throw new Error(`no such carrier: ${carrier}`);
  const shape = (length: number): string =>
    carry((begin + repeated.repeat(Math.ceil(length / repeated.length))).slice(0, length) + end);
  return proportion(shape, checkCommand, LENGTHS);
}

test('what is no valid shell is left to the fallback once, not again with each part of it', () => {
  const machine = new Machine();
  machine.start(`f;${'fi;[[${|'.repeat(50)}`);
  expect(machine.unread).toHaveLength(1);
});

describe('time grows with the length of what is parsed, not faster', () => {
  test.each<[string, string, string, string?]>([
    ['python', 'call', ' ', '!'],
    ['python', 'while', ' ', '!'],
    ['python', 'exec', ' ', '!'],
    ['python', 'import', ' ', '!'],
    ['python', 'get', ' ', '!'],
    ['python', 'system', ' ', '!'],
    ['python', 'fork', ' ', '!'],
    ['python', '"a".rglob(', ' ', '!'],
    ['python', 'unlink', 'a', '!'],
    ['python', '', 'remove.', '!'],
    ['python', 'unlink -', 'a', '!'],
    ['python', 'exec("', 'a(', '")'],
    ['python', 'exec("\\n', '\\n', '")'],
    ['python', `a="${'x'.repeat(150)}";`, '(a),'],
    ['python', 'from os import system as a;', 'a('],
    ['python in a here-document', 'while True: fork()\n', '\\"'],
    ['python in a here-document', 'system(x)', '\n', '!'],
    ['node', '', '"\\'],
    ['node', '', 'function f('],
    ['julia', 'open', ' ', '!'],
    ['awk', 'while', ' ', '!'],
    ['awk', '"', '\\"'],
    ['awk', '', 'a="b";', 'system("c")'],
    ['sed', '', '\n', '!'],
    ['make', '', ':\n'],
    ['sqlite', '', '\n', '!'],
    ['sftp', '', '\n', '!'],
    ['rpm', '', '%('],
    ['what is printed', 'print', ' ', '!'],
    ['a hook', '', ' ', '!'],
    ['a hook', '', '#;#;#;#;', '\nx'],
    ['the shell', 'rm {', ','],
    ['the shell', 'rm ', '%x '],
    ['the shell', 'mv ', 'a/b '],
    ['the shell', '', 'x> '],
    ['the shell', 'scp ', 'a', ' host:'],
    ['the shell', 'chmod ', 'u', ' f'],
    ['the shell', 'del /s c:', '/', 'x'],
    ['the shell', 'git config alias.x "', 'commit ', '"'],
    ['the shell', 'x=$(aws ', 's3 cp s3://', ')'],
    ['the shell', 'x=$(hg ', 'cat ', ')'],
    ['the shell', 'docker run -v ', '/', 'x:/y z'],
  ])('%s: %j and %j again and again', SLOW, (carrier, begin, repeated, end) => {
    expect(time(carrier, begin, repeated, end)).toBeLessThanOrEqual(LIMIT);
  });

  test('whatever the code begins and goes on with', SLOW, () => {
    const word = fc.constantFrom(
      ...`while for fork loop function def system popen exec spawn eval run call open read remove rm unlink delete rename
        import require include from get fetch print puts walk find in chmod path.join Path base64 socket http a 1`.split(
        /\s+/,
      ),
    );
    const sign = fc.constantFrom(...` \n\t"'\`()[]{}<>;:,.+-*/=\\|&$#!%@`, '\\n', '\\"', '', '');
    const begin = fc.array(fc.oneof(word, sign), { maxLength: 4 });
    const repeated = fc.array(fc.oneof(sign, word), { minLength: 1, maxLength: 3 });
    const code = fc.constantFrom(...Object.keys(CARRIERS).filter((name) => name !== 'the shell'));
    fc.assert(
      fc.property(code, begin, repeated, fc.constantFrom('', '!', '\n', '"'), (carrier, first, then, end) => {
        const more = then.join('') || ' ';
        expect(time(carrier, first.join(''), more, end)).toBeLessThanOrEqual(LIMIT);
      }),
      { numRuns: 150 },
    );
  });
});
