import {
  AfterToolCall,
  BeforeExecute,
  BeforeToolCall,
  createHooks,
  grantApproval,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  ToolApprovalDecision,
} from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { RequestStates } from '../src/approval/request-state.ts';
import { type AnyClient, connect, KINDS, type Person, textOf } from './connect.ts';

const yes: Person = () => ({ action: 'accept', content: { allow: true } });

function asking() {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('echo|ask'), () => requireApproval('It speaks to others.'));
  const told: string[] = [];
  hooks.observe(ToolApprovalDecision, ({ approval, source }) => told.push(`${approval} ${source}`));
  return { hooks, told };
}

describe.each(KINDS)('a call of a %s client that needs approval', (kind) => {
  test('runs after a person at the client has seen and allowed it', async () => {
    const { hooks, told } = asking();
    hooks.on(BeforeToolCall.matching('echo'), () => modify({ input: { q: 'rewritten\u202e' } }));
    const asked: string[] = [];
    const { call } = await connect({
      kind,
      hooks,
      person: (message) => (asked.push(message), { action: 'accept', content: { allow: true } }),
    });
    expect(textOf(await call('echo', { q: 'x' }))).toBe('said rewritten\u202e');
    expect(asked).toEqual(['It speaks to others.\n\necho {\n  "q": "rewritten\\u{202e}"\n}']);
    expect(told).toEqual(['allow user_approved']);
    // An approval covers one call.
    await call('echo', { q: 'x' });
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['accept', { allow: false }],
    ['accept', { allow: 'true' }],
    ['accept', undefined],
    ['decline', undefined],
    ['cancel', undefined],
  ])('is denied after %s with %j', async (action, content) => {
    const { hooks } = asking();
    const ran: boolean[] = [];
    hooks.observe(AfterToolCall, (after) => ran.push(after.ran));
    const person = () => ({ action, ...(content && { content }) });
    const { call } = await connect({ kind, hooks, person });
    const result = await call('echo', { q: 'x' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/approv/);
    expect(ran).toEqual([false]);
  });

  test('is denied with instructions if nobody can be asked', async () => {
    const { call } = await connect({ kind, hooks: asking().hooks });
    expect(textOf(await call('echo', { q: 'x' }))).toBe(
      "error: Approval is required (It speaks to others.), but this client cannot show forms (MCP elicitation). Use a client that can, or set an approver: the proxy's `approval` option, or `hooks mcp --store`.",
    );
  });

  test('goes to the approver if the client cannot ask', async () => {
    const requests: string[] = [];
    const { call } = await connect({
      kind,
      hooks: asking().hooks,
      approval: ({ toolName, reason }) => {
        requests.push(`${toolName}: ${reason}`);
        return { decision: 'allow' };
      },
    });
    expect(textOf(await call('echo', { q: 'x' }))).toBe('said x');
    expect(requests).toEqual(['echo: It speaks to others.']);
  });

  test('runs without a question if a hook grants it', async () => {
    const { hooks } = asking();
    hooks.on(PermissionRequest, () => grantApproval('one of us'));
    const { call } = await connect({ kind, hooks });
    expect(textOf(await call('echo', { q: 'x' }))).toBe('said x');
  });

  test('is asked about once, even if the server asks a question as well', async () => {
    const asked: string[] = [];
    const { call } = await connect({
      kind,
      hooks: asking().hooks,
      person(message) {
        asked.push(message.split('\n')[0] ?? '');
        return { action: 'accept', content: message === 'Your name?' ? { name: 'Ada' } : { allow: true } };
      },
    });
    expect(textOf(await call('ask'))).toBe('hello Ada');
    expect(asked).toEqual(['It speaks to others.', 'Your name?']);
  });

  test('does not run if it is canceled while a person decides', async () => {
    const { hooks } = asking();
    const over: string[] = [];
    hooks.observe(AfterToolCall, ({ status, ran }) => over.push(`${status} ${ran}`));
    const abort = new AbortController();
    const person = () => (abort.abort(), { action: 'accept', content: { allow: true } });
    const { call } = await connect({ kind, hooks, person });
    await expect(call('echo', { q: 'x' }, { signal: abort.signal })).rejects.toThrow();
    if (kind !== 'modern') await expect.poll(() => over).toEqual(['denied false']);
    else expect(over).toEqual([]);
  });
});

test('a question of the server passes if no approval is needed', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed());
  for (const kind of KINDS) {
    const person = () => ({ action: 'accept', content: { name: 'Ada' } });
    const { call } = await connect({ kind, hooks, person });
    expect(textOf(await call('ask'))).toBe('hello Ada');
  }
});

test('a call that the server answers with a question ends for hooks, and the next one is a new call', async () => {
  const hooks = createHooks();
  const told: unknown[] = [];
  const executions: (string | undefined)[][] = [[], []];
  hooks.guard(BeforeExecute, ({ executionId }) => {
    executions[0]?.push(executionId);
    return proceed();
  });
  // What hooks do about failures does not concern it: the server is not called again.
  hooks.on(AfterToolCall, ({ status }) => (status === 'ok' ? proceed() : retry('Again.')));
  hooks.observe(AfterToolCall, ({ status, ran, executionId }) => {
    told.push([status, ran]);
    executions[1]?.push(executionId);
  });
  const person = () => ({ action: 'accept', content: { name: 'Ada' } });
  const { call } = await connect({ kind: 'modern', hooks, person });
  expect(textOf(await call('ask'))).toBe('hello Ada');
  expect(told).toEqual([
    ['blocked', false],
    ['ok', true],
  ]);
  expect(executions[1]).toEqual(executions[0]);
});

/** A call in the modern protocol, without an SDK. */
async function modernCall(person: Person = yes) {
  const { client, ...rest } = await connect({ kind: 'modern', hooks: asking().hooks, person });
  const raw = (params: object, about: object = {}): Promise<AnyClient> =>
    new Promise((resolve, reject) => {
      const id = `by-hand-${Math.random()}`;
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
        ...about,
      };
      const read = (chunk: Buffer) => {
        const answer = JSON.parse(String(chunk));
        if (answer.id !== id) return;
        rest.output.off('data', read);
        if (answer.error) reject(new Error(answer.error.message));
        else resolve(answer.result);
      };
      rest.output.on('data', read);
      rest.input.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { ...params, _meta: meta } })}\n`,
      );
    });
  return { raw };
}

test('the state of an approval is valid once, for this call only, and only unchanged', async () => {
  const { raw } = await modernCall();
  const echo = (q: string) => ({ name: 'echo', arguments: { q } });
  const asked = await raw(echo('x'));
  expect(asked.resultType).toBe('input_required');
  const [key = ''] = Object.keys(asked.inputRequests);
  const agreed = (state: string) => ({
    requestState: state,
    inputResponses: { [key]: { action: 'accept', content: { allow: true } } },
  });
  const { requestState } = asked;
  // Another call, a changed state, and a state without the answer.
  expect((await raw({ ...echo('y'), ...agreed(requestState) })).resultType).toBe('input_required');
  for (const more of ['x', '.x', '.'])
    expect((await raw({ ...echo('x'), ...agreed(requestState + more) })).resultType).toBe('input_required');
  const [id, body = '', mac] = requestState.split('.');
  const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace('ask', 'approved'));
  const forgedState = [id, forged.toString('base64url'), mac].join('.');
  expect((await raw({ ...echo('x'), ...agreed(forgedState) })).resultType).toBe('input_required');

  expect(textOf(await raw({ ...echo('x'), ...agreed(requestState) }))).toBe('said x');
  expect((await raw({ ...echo('x'), ...agreed(requestState) })).resultType).toBe('input_required');
});

test.each(['vscode.conversationId', 'threadId'])(
  'the state of an approval is valid only in the conversation that asked, as %s names it',
  async (name) => {
    const { raw } = await modernCall();
    const echo = { name: 'echo', arguments: { q: 'x' } };
    const { requestState, inputRequests } = await raw(echo, { [name]: 'one' });
    const [key = ''] = Object.keys(inputRequests);
    const agreed = {
      ...{ ...echo, requestState },
      inputResponses: { [key]: { action: 'accept', content: { allow: true } } },
    };
    expect((await raw(agreed, { [name]: 'two' })).resultType).toBe('input_required');
    expect((await raw(agreed)).resultType).toBe('input_required');
    expect(textOf(await raw(agreed, { [name]: 'one' }))).toBe('said x');
  },
);

test('a state without an answer is a denial', async () => {
  const { raw } = await modernCall();
  const echo = { name: 'echo', arguments: { q: 'x' } };
  const { requestState } = await raw(echo);
  expect((await raw({ ...echo, requestState })).isError).toBe(true);
});

test('a state expires and is valid for one proxy only', () => {
  let now = 0;
  const states = new RequestStates(() => now);
  const state = { call: 'c', callId: 'i', hash: 'h', stage: 'ask', server: {} } as const;
  const [first, second] = [states.seal(state), states.seal(state)];
  now = 10 * 60_000;
  expect(states.open(first, 'c')).toMatchObject(state);
  now++;
  expect(states.open(second, 'c')).toBeUndefined();
  const other = new RequestStates(() => now);
  expect(other.isOurs(first)).toBe(false);
  expect(other.open(first, 'c')).toBeUndefined();
});
