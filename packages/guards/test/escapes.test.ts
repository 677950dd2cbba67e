import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { drawn } from '@hooks/testing/random';
import { expect, test } from 'vitest';
import { createSecretRedactor, pii } from '../src/index.ts';
import { fill, randomFrom } from './secret-samples.ts';

/** What must not be left, wherever it stands and however it is written. */
const values = (random: () => number, part: string) => ({
  api_key: fill('AKIA<b32:16>', 'benign', random).text,
  password: `${part}"7\\&${part}`,
  note: 'write to ann.smith@acme.dev today',
  card: '4242 4242 4242 4242',
  iban: 'DE89 3704 0044 0532 0130 00',
  phone: 'call +41 44 668 18 00',
});
const HIDDEN = [
  'ann.smith@acme.dev',
  '4242 4242 4242 4242',
  'DE89 3704 0044 0532 0130 00',
  '+41 44 668 18 00',
];

/** JSON in JSON, in which any sign of a text may be written as an escape. No encoder escapes the letters of an escape. */
function written(value: unknown, depth: number, random: () => number, escaped: RegExp = /^.$/u): string {
  const share = random();
  const json = JSON.stringify(value).replaceAll(
    /"((?:[^"\\]|\\.)*)"/g,
    (_, raw: string) =>
      `"${raw.replaceAll(/\\.|[^\\]/g, (sign) =>
        escaped.test(sign) && random() < share
          ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
          : sign,
      )}"`,
  );
  return depth === 0 ? json : written({ id: 7, body: json, end: '' }, depth - 1, random, /^[^\w\\"]$/);
}

/** The innermost value, and all texts around it. */
function read(json: string): unknown {
  const value = JSON.parse(json) as { readonly body?: string };
  return typeof value.body === 'string' ? read(value.body) : value;
}

test('what is written with escapes, in JSON at any depth, is found, and the rest stays JSON', async () => {
  const random = randomFrom(42);
  const hooks = createHooks();
  hooks.use(pii());
  for (let left = drawn(400); left > 0; left--) {
    const part = fill('<alnum:8>', 'benign', random).text;
    const value = values(random, part);
    const json = written(value, Math.floor(random() * 3), random);
    const call = { session: hooks.session('s'), toolName: 'fetch', input: {} };
    const { output } = await callTool(hooks, call, () => json);
    const redacted = createSecretRedactor().text(String(output));
    const inner = JSON.stringify(read(redacted));
    for (const hidden of [value.api_key, part, ...HIDDEN]) expect(inner, json).not.toContain(hidden);
    expect(Object.keys(read(redacted) as object)).toEqual(Object.keys(value));
  }
});
