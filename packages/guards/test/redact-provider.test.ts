import { inspect } from 'node:util';
import { BeforeModelCall, BeforeToolCall, createHooks, type Hooks, UserPromptSubmit } from '@hooks/core';
import { callTool, TransformServerMessage } from '@hooks/core/tool-call';
import { expect, test } from 'vitest';
import { redactSecrets } from '../src/index.ts';
import { fill, randomFrom } from './secret-samples.ts';

const secret = fill('ghp_<alnum:36>', 'benign', randomFrom(7)).text;
const placeholderKey = 'a key of the test';
// The digest of `secret` in a session with the id `s`.
const gone = '[REDACTED:github-token#3079d549]';

function hooked(options?: Parameters<typeof redactSecrets>[0]): Hooks {
  const hooks = createHooks();
  hooks.use(redactSecrets({ placeholderKey, ...options }));
  return hooks;
}

test('a tool result is redacted, even inside objects', async () => {
  const hooks = hooked();
  const session = hooks.session('s');
  const outcome = await callTool(hooks, { session, toolName: 'read', input: {} }, () => ({
    lines: [`export GH_TOKEN=${secret}`],
  }));
  expect(outcome.output).toEqual({ lines: [`export GH_TOKEN=${gone}`] });
});

test('the message of a thrown error is redacted', async () => {
  const hooks = hooked();
  const outcome = await callTool(hooks, { session: hooks.session('s'), toolName: 'read', input: {} }, () => {
    throw new Error(`no access with ${secret}`);
  });
  expect(outcome.status).toBe('error');
  expect(outcome.error).toMatchObject({ message: `no access with ${gone}` });
  expect(`${outcome.error instanceof Error && outcome.error.stack}`).not.toContain(secret);
});

test('an error loses its stack, cause and fields only if they hold secrets', async () => {
  const hooks = hooked();
  const session = hooks.session('s');
  const failing = (error: Error): Promise<unknown> =>
    callTool(hooks, { session, toolName: 'fetch', input: {} }, () => {
      throw error;
    }).then((outcome) => outcome.error);
  const caused = new TypeError('fetch failed', { cause: { headers: { authorization: `Bearer ${secret}` } } });
  const shown = inspect(await failing(caused));
  expect(shown).toMatch(/TypeError.*: fetch failed/);
  expect(shown).not.toContain(secret);
  const named = inspect(await failing(Object.defineProperty(new Error('x'), 'name', { value: secret })));
  expect(named).not.toContain(secret);
  const plain = Object.assign(new Error('not found'), { status: 404 });
  expect(await failing(plain)).toBe(plain);
});

test('prompts, messages and instructions are redacted, with the same placeholders within a session', async () => {
  const hooks = hooked();
  const session = hooks.session('s');
  const prompt = await hooks.dispatch(UserPromptSubmit, { session, prompt: `my token: ${secret}` });
  expect(prompt).toMatchObject({ patch: { prompt: `my token: ${gone}` } });
  const call = await hooks.dispatch(BeforeModelCall, {
    session,
    iteration: 1,
    instructions: `Use ${secret}.`,
    messages: [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: `again ${secret}` },
    ],
    tools: [],
  });
  expect(call).toMatchObject({
    patch: { instructions: `Use ${gone}.`, messages: [{ text: 'Be brief.' }, { text: `again ${gone}` }] },
  });
});

test('values without secrets are not changed', async () => {
  const hooks = hooked();
  const session = hooks.session('s');
  const output = { ok: true };
  const outcome = await callTool(hooks, { session, toolName: 'read', input: {} }, () => output);
  expect(outcome.output).toBe(output);
  expect(await hooks.dispatch(UserPromptSubmit, { session, prompt: 'hello' })).toMatchObject({
    kind: 'proceed',
  });
});

test('tool input is redacted only with toolInput', async () => {
  const ran = async (hooks: Hooks): Promise<unknown> => {
    let seen: unknown;
    const call = { session: hooks.session('s'), toolName: 'shell', input: { command: `echo ${secret}` } };
    await callTool(hooks, call, (input) => {
      seen = input;
      return 'ok';
    });
    return seen;
  };
  expect(await ran(hooked())).toEqual({ command: `echo ${secret}` });
  expect(await ran(hooked({ toolInput: true }))).toEqual({ command: `echo ${gone}` });
});

test('a tool result is redacted before other hooks can shorten it', () => {
  const hooks = hooked({ toolInput: true });
  expect(hooks.list().map(({ id, priority }) => [id, priority])).toEqual([
    ['builtin:redact-secrets/tool-result', 100],
    ['builtin:redact-secrets/prompt', 100],
    ['builtin:redact-secrets/messages', 100],
    ['builtin:redact-secrets/server-message', 100],
    ['builtin:redact-secrets/tool-input', 100],
  ]);
  expect(hooks.get(BeforeToolCall, 'any')).toHaveLength(1);
});

test('what an MCP server says is redacted in every text and key', async () => {
  const hooks = hooked();
  const session = hooks.session('s');
  const say = (content: Record<string, unknown>) =>
    hooks.dispatch(TransformServerMessage, { session, method: 'initialize', kind: 'result', content });
  expect(await say({ instructions: 'Be kind.' })).toMatchObject({ kind: 'proceed' });
  const said = await say({ instructions: `Use ${secret}.`, _meta: { [secret]: [secret] } });
  expect(said.kind).toBe('modify');
  expect(JSON.stringify(said)).not.toContain(secret);
});

test('a placeholder belongs to a secret and a session, in every process with the same key', async () => {
  const read = async (id: string, text: string, options?: Parameters<typeof redactSecrets>[0]) => {
    const hooks = hooked(options);
    const call = { session: hooks.session(id), toolName: 'read', input: {} };
    return (await callTool(hooks, call, () => text)).output;
  };
  const other = fill('ghp_<alnum:36>', 'benign', randomFrom(8)).text;
  const first = await read('s', secret);
  expect(await read('s', secret)).toBe(first);
  expect(await read('s', other)).not.toBe(first);
  expect(await read('another session', secret)).not.toBe(first);
  expect(await read('s', secret, { placeholderKey: 'another key' })).not.toBe(first);
});

test('a journal cannot tell the key of the placeholders from the version of the guard', () => {
  expect(redactSecrets({ placeholderKey: 'one' }).version).toBe(
    redactSecrets({ placeholderKey: 'two' }).version,
  );
});
