import { createInterface } from 'node:readline';
import { AfterToolCall, createHooks, type Hooks, modify, proceed, TransformToolResult } from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { openProxy, run } from './connect.ts';

/* What hooks see of failed calls, and what passes when they replace it. The server is `raw-server.ts`. */

async function answerTo(response: object, hooks: Hooks) {
  const { input, output } = openProxy({ hooks, upstream: run('raw-server.ts') });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const said = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...response })}\n`).toString('base64');
  const params = { name: 't', say: [said] };
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  return String((await lines.next()).value);
}

/** Replaces the message of a failure, if the secret is in it. */
function redacting() {
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ errorMessage = '' }) =>
    errorMessage.includes('SECRET')
      ? modify({ errorMessage: errorMessage.replaceAll('SECRET', '***') })
      : proceed(),
  );
  return hooks;
}

const text = { type: 'text', text: 'failed' };
const failures: Record<string, object> = {
  structuredContent: { result: { isError: true, content: [text], structuredContent: { a: ['SECRET'] } } },
  'a key of structuredContent': {
    result: { isError: true, content: [text], structuredContent: { SECRET: 1 } },
  },
  _meta: { result: { isError: true, content: [text], _meta: { a: 'SECRET' } } },
  'the _meta of a part': { result: { isError: true, content: [{ ...text, _meta: { a: 'SECRET' } }] } },
  'a part that is no text': { result: { isError: true, content: [{ type: 'image', data: 'SECRET' }] } },
  'a part with an unknown type': {
    result: { isError: true, content: [{ type: 'SECRET' }, 'SECRET', ['SECRET']] },
  },
  'content that is no list': { result: { isError: true, content: 'SECRET' } },
  'an unknown field': { result: { isError: true, content: [text], vendor: 'SECRET' } },
  __proto__: { result: JSON.parse('{"isError":true,"content":[],"__proto__":{"a":"SECRET"}}') },
  'a text': { result: { isError: true, content: [{ type: 'text', text: 'SECRET' }] } },
  'the message of an error': { error: { code: -1, message: 'SECRET' } },
  'the data of an error': { error: { code: -1, message: 'no', data: { a: 'SECRET' } } },
  'an unknown field of an error': { error: { code: -1, message: 'no', vendor: 'SECRET' } },
  'a code': { error: { code: 'SECRET', message: 'no' } },
  'a message that is no text': { error: { code: -1, message: { a: 'SECRET' } } },
  'a field beside the result': { result: { isError: true, content: [text] }, vendor: 'SECRET' },
  'a field beside the error': { error: { code: -1, message: 'no' }, vendor: 'SECRET' },
};

describe.each(Object.entries(failures))('a secret in %s of a failure', (name, response) => {
  test('is redacted by a hook that looks at the message', async () => {
    expect(await answerTo(response, redacting())).not.toContain('SECRET');
  });

  test('is in the message that hooks see', async () => {
    if (name.startsWith('a field beside')) return;
    const seen: unknown[] = [];
    const hooks = createHooks();
    hooks.observe(AfterToolCall, ({ errorMessage }) => seen.push(errorMessage));
    // A failure that nobody changes passes as it is.
    expect(JSON.parse(await answerTo(response, hooks))).toEqual({ jsonrpc: '2.0', id: 1, ...response });
    expect(seen).toEqual([expect.stringContaining('SECRET')]);
  });
});

test('the message of a failure with nothing but text is its text', async () => {
  const seen: unknown[] = [];
  const hooks = createHooks();
  hooks.observe(AfterToolCall, ({ errorMessage }) => seen.push(errorMessage));
  await answerTo({ result: { content: [text, text], isError: true, resultType: 'complete' } }, hooks);
  await answerTo({ error: { code: -1, message: 'no' } }, hooks);
  expect(seen).toEqual(['failed\nfailed', 'no']);
});

test('a secret beside the result of a call that succeeds does not pass', async () => {
  const response = { result: { content: [text] }, vendor: 'SECRET' };
  expect(await answerTo(response, redacting())).not.toContain('SECRET');
});
