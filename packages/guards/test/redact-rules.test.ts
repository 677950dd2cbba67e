import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findSecrets } from '../src/redact/find.ts';
import { RULES } from '../src/redact/rules/index.ts';
import { fill, randomFrom } from './secret-samples.ts';

interface Examples {
  readonly rule: string;
  /** Templates. `{{…}}` marks the secret, if it is only a part. */
  readonly finds: readonly string[];
  readonly ignores: readonly string[];
}

const examples = readFileSync(new URL('data/secrets.rules.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Examples => JSON.parse(line));

test('every rule has an example and a near miss', () => {
  expect(examples.map(({ rule }) => rule).sort()).toEqual([...new Set(RULES.map(({ id }) => id))].sort());
  for (const { finds, ignores } of examples) {
    expect(finds.length).toBeGreaterThan(0);
    expect(ignores.length).toBeGreaterThan(0);
  }
});

test('there are more than a hundred rules', () => {
  expect(RULES.length).toBeGreaterThan(150);
});

describe.each(examples)('$rule', ({ rule, finds, ignores }) => {
  test.each(finds)('finds %s', (template) => {
    for (const seed of [1, 2, 3]) {
      const marked = template.includes('{{') ? template : `{{${template}}}`;
      const { text, secrets } = fill(`got ${marked}\n\nnext`, 'secret', randomFrom(seed));
      const found = findSecrets(text);
      expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(secrets);
      expect(found[0]?.rule).toBe(rule);
    }
  });

  test.each(ignores)('ignores %s', (template) => {
    const { text } = fill(`got ${template} next`, 'benign', randomFrom(1));
    expect(findSecrets(text)).toEqual([]);
  });
});

describe('a word that marks a sample', () => {
  const words = ['YOuR', 'your', 'toDo', 'TODO', 'dummy', 'FixMe', 'xxxx', 'XXXX', '____', '_my_', '-the-'];

  test.each(words)('a token that contains %s by chance is still a secret', (word) => {
    for (const seed of [1, 2, 3]) {
      for (const form of [`sk-proj-<alnum:16>${word}<alnum:28>`, `glpat-<alnum:6>${word}<alnum:16>`]) {
        const { text, secrets } = fill(`got {{${form}}} next`, 'secret', randomFrom(seed));
        expect(findSecrets(text).map(({ start, end }) => text.slice(start, end))).toEqual(secrets);
      }
    }
  });

  test.each(['sk-proj-your-api-key-goes-here-and-nowhere-else-please-1', 'glpat-xxxxYourTokenxxxx'])(
    'makes %s a sample',
    (text) => {
      expect(findSecrets(text)).toEqual([]);
    },
  );
});
