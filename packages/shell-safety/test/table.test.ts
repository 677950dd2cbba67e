import { readdirSync, readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { specsFile } from '../scripts/syntax.ts';
import { TABLE } from '../src/programs/index.ts';
import { beginWith } from '../src/programs/phrases.ts';
import type { CallPattern, Program } from '../src/programs/program.ts';
import { syntaxOf } from '../src/programs/syntax/syntax.ts';

const names = TABLE.flatMap(([row]) => row.split(' '));
const source = new URL('../src/', import.meta.url);

/** The sources but for the table, and but for the words that its fields are made of. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith('programs/table/') && file !== 'programs/program.ts',
);

/** Programs that are part of the shell's own language, or whose name is an ordinary word. */
const SHELL: ReadonlySet<string> = new Set(
  `: . [ [[ alias builtin cd command declare echo env eval exec exit export false find head history local mapfile popd printf
  print pushd pwd read readarray readonly return set shift source test trap true typeset unalias unset which`.split(
    /\s+/,
  ),
);

describe('a program stands in one place', () => {
  test('in one row of the table', () => {
    const twice = names.filter((name, i) => names.indexOf(name) !== i);
    expect(twice).toEqual([]);
  });

  test('and in no list of programs elsewhere', () => {
    const known = new Set(names.filter((name) => name.length > 1 && !SHELL.has(name)));
    const lists = files.flatMap((file) => {
      const code = readFileSync(new URL(file, source), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
      const texts = [...code.matchAll(/'([a-z][\w.+ -]*)'/g)].map(([, text = '']) => text.split(' '));
      return texts
        .filter((words) => words.length > 2 && words.every((word) => known.has(word)))
        .map((words) => `${file}: ${words.join(' ')}`);
    });
    expect(lists).toEqual([]);
  });

  test('and in no expression that says which names a word may be', () => {
    const known = new Set(names.filter((name) => name.length > 1 && !SHELL.has(name)));
    const lists = files.flatMap((file) => {
      const code = readFileSync(new URL(file, source), 'utf8');
      // `/^(?:sudo|su|python3?)$/`: whole names, at the end of an expression; behind a dot they end a file's name.
      const groups = [...code.matchAll(/\/.*(?<!\\\.)\((?:\?:)?([^()]+)\)\$\/i?/g)].map(
        ([, group = '']) => group,
      );
      return groups
        .map((group) => group.split('|').map((word) => word.replace(/\[[^\]]*\][?*+]?|\w\?/g, '')))
        .map((words) => words.filter((word) => known.has(word)))
        .filter((words, i) => words.length > 2 && 2 * words.length > (groups[i]?.split('|').length ?? 0))
        .map((words) => `${file}: ${words.join(' ')}`);
    });
    expect(lists).toEqual([]);
  });

  test('and its name is asked for by the rules that its row names, nowhere else', () => {
    const known = new Set(names.filter((name) => name.length > 1 && !SHELL.has(name)));
    const compared = files.flatMap((file) => {
      if (file.startsWith('rules/')) return [];
      const code = readFileSync(new URL(file, source), 'utf8');
      const words = [...code.matchAll(/\bname [!=]== '([^']+)'/g)].flatMap(([, name = '']) => name);
      return words.filter((name) => known.has(name)).map((name) => `${file}: ${name}`);
    });
    expect(compared).toEqual([]);
  });
});

/** Texts that repeat a word of an expression, and do not match in the end. */
function* repeated(source: string): Generator<string> {
  const words = [...new Set(source.match(/[a-z][\w]+/gi) ?? [])];
  for (const first of ['', ...words.slice(0, 3).map((word) => `${word} `)])
    for (const word of [
      'a',
      '-a',
      '--a',
      ...words,
      ...words.map((name) => `${name}-a`),
      ...words.map((name) => `${name}=`),
    ])
      yield `${first}${`${word} `.repeat(64)}\0`;
}

/** Each kind of call that the table says something of. */
function patternsOf({ dangers = [], variables, removes, listsAll, remote, prints }: Program): CallPattern[] {
  const kinds = [
    removes?.when,
    listsAll,
    remote,
    variables,
    ...(Array.isArray(prints) ? prints.map(([when]) => when) : []),
  ];
  return [...dangers, ...kinds.flat().filter((kind): kind is CallPattern => typeof kind === 'object')];
}

test('no expression takes exponential time', () => {
  const expressions = TABLE.flatMap(([, program]) => patternsOf(program)).flatMap((pattern) =>
    Object.values(pattern).filter((condition) => condition instanceof RegExp),
  );
  // An expression that can read a word in two ways tries them all, and does not come to an end.
  const context = createContext({});
  const run = new Script('for (const text of texts) expression.test(text)');
  for (const expression of new Set(expressions)) {
    Object.assign(context, { expression, texts: [...repeated(expression.source)] });
    const test = (): unknown => run.runInContext(context, { timeout: 20_000 });
    expect(test, expression.source).not.toThrow();
  }
});

test('every phrase of the table can be read', () => {
  const phrases = TABLE.flatMap(([, program]) => patternsOf(program)).flatMap(({ words, not }) =>
    [words, not].filter((phrase) => typeof phrase === 'string'),
  );
  expect(phrases.length).toBeGreaterThan(500);
  const broken = phrases.filter((phrase) => {
    beginWith(['a', 'b'], phrase);
    // Braces in pairs, and one blank between words.
    let rest = phrase.replaceAll(/\\./g, 'x');
    while (/\{[^{}]*\}/.test(rest)) rest = rest.replaceAll(/\{[^{}]*\}/g, 'x');
    return /[{}]| {2}/.test(rest);
  });
  expect(broken).toEqual([]);
});

test('every program that a row has the syntax of is known', () => {
  const programs = TABLE.flatMap(([, { syntax }]) => syntax ?? []);
  expect(programs.filter((program) => syntaxOf(program) === undefined)).toEqual([]);
});

test('the specs are what `pnpm generate` writes', async () => {
  const file = new URL('programs/syntax/specs.ts', source);
  expect(readFileSync(file, 'utf8')).toBe(await specsFile());
});

test('no row is empty', () => {
  expect(TABLE.filter(([, program]) => Object.keys(program).length === 0)).toEqual([]);
});
