import {
  type ApprovalAnswer,
  type Approver,
  BeforeExecute,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type HooksError,
  modify,
  PermissionRequest,
  proceed,
  type Resumed,
  requireApproval,
  ToolApprovalDecision,
  type ToolCallOutcome,
  type ToolDescriptor,
} from '@hooks/core';
import { callTool, hashInput } from '@hooks/core/tool-call';
import { expect, it } from 'vitest';
import {
  answerApproval,
  forgetApproval,
  inbox,
  listRememberedApprovals,
  type RememberedApprovals,
  rememberApprovals,
  waitingApprovals,
} from '../../src/approvals/index.ts';
import { createStore, memoryStore, type Store } from '../../src/index.ts';
import { sqliteStore } from '../../src/sqlite.ts';

interface Call {
  readonly session?: string;
  readonly user?: string;
  readonly run?: string;
  readonly toolName?: string;
  readonly input?: object;
  readonly parsedHash?: string;
  readonly tool?: Partial<ToolDescriptor>;
  readonly resumed?: Resumed;
}

const schema = { type: 'object', properties: { command: { type: 'string' } } };
const tool: ToolDescriptor = { kind: 'function', description: 'Runs a command.', inputSchema: () => schema };

/** One process: whoever approves answers as told, and is asked as often as `asked` says. */
function agent(store: Store, answer: ApprovalAnswer = { decision: 'allow' }) {
  const errors: HooksError[] = [];
  const sources: string[] = [];
  let asked = 0;
  const hooks = createHooks({ onError: (error) => void errors.push(error) });
  const remembered: RememberedApprovals = rememberApprovals({ store });
  hooks.use(remembered);
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'), { id: 'ask' });
  hooks.observe(ToolApprovalDecision, ({ approval, source }) => sources.push(`${approval} ${source}`));
  return {
    hooks,
    errors,
    sources,
    remembered,
    get asked() {
      return asked;
    },
    call({
      session = 's',
      user,
      run,
      toolName = 'shell',
      input = { command: 'npm run test' },
      ...more
    }: Call = {}) {
      const call = {
        session: hooks.session(session),
        toolName,
        input,
        callId: 'c1',
        tool: { ...tool, ...more.tool },
        ...(user !== undefined && { principal: { id: user } }),
        ...(run !== undefined && { run }),
        parsedHash: more.parsedHash,
        ...(more.resumed && { resumed: more.resumed }),
      };
      const approval = (): ApprovalAnswer => {
        asked++;
        return answer;
      };
      return callTool(hooks, call, () => 'ran', { approval });
    },
  };
}

/** The call that `agent` makes by default, and the one that it makes for a user. */
const pending = { sessionId: 's', callId: 'c1', toolName: 'shell', input: { command: 'npm run test' } };
const adas = { ...pending, principal: { id: 'ada' } };

const ok = expect.objectContaining<Partial<ToolCallOutcome>>({ status: 'ok', ran: true });
const always = { decision: 'allow', remember: 'always' } as const;

it('a yes for this session is asked for once in it, in whatever process, and again in the next one', async () => {
  const store = memoryStore();
  const [one, other] = [agent(store, { decision: 'allow', remember: 'session' }), agent(store)];
  expect(await one.call()).toEqual(ok);
  expect(await one.call()).toEqual(ok);
  expect(await other.call()).toEqual(ok);
  expect([one.asked, other.asked]).toEqual([1, 0]);
  expect(one.sources).toEqual(['allow user_approved_session', 'allow user_approved_session']);
  await other.call({ session: 't' });
  expect(other.asked).toBe(1);
  expect(other.sources).toEqual(['allow user_approved_session', 'allow user_approved']);
});

it("a yes for a session counts in its sub-agents' sessions", async () => {
  const store = memoryStore();
  const one = agent(store, { decision: 'allow', remember: 'session' });
  await one.call();
  one.hooks.session('child', { parent: one.hooks.session('s') });
  await one.call({ session: 'child' });
  expect(one.asked).toBe(1);
});

it('a yes for good counts in all sessions, for that tool and that user', async () => {
  const store = sqliteStore(':memory:');
  const [one, other] = [agent(store, always), agent(store)];
  await one.call({ user: 'ada' });
  await other.call({ user: 'ada', session: 't' });
  expect(other.asked).toBe(0);
  expect(other.sources).toEqual(['allow user_approved_tool']);
  await other.call({ user: 'bob', session: 't' });
  await other.call({ session: 't' });
  await other.call({ user: 'ada', toolName: 'deploy' });
  expect(other.asked).toBe(3);
  await store.close();
});

it('a yes without a pattern is to that input alone', async () => {
  const one = agent(memoryStore(), always);
  await one.call({ user: 'ada' });
  await one.call({ user: 'ada' });
  expect(one.asked).toBe(1);
  await one.call({ user: 'ada', input: { command: 'ls' } });
  expect(one.asked).toBe(2);
});

it('a yes counts for the same call, whether a process knows it as the model wrote it or as the schema has parsed it', async () => {
  const written = { command: '5' };
  const parsed = { command: 5, dir: '.' };
  const asWritten: Call = { user: 'ada', input: written, parsedHash: await hashInput(parsed) };
  const asParsed: Call = { user: 'ada', input: parsed };
  for (const given of [asWritten, asParsed]) {
    const one = agent(memoryStore(), always);
    await one.call(given);
    await one.call(asWritten);
    await one.call(asParsed);
    expect(one.asked).toBe(1);
    // What runs is another input.
    await one.call({ ...asWritten, parsedHash: await hashInput({ command: 5, dir: '/' }) });
    await one.call({ ...asParsed, parsedHash: await hashInput({ command: 5, dir: './.' }) });
    expect(one.asked).toBe(3);
    // A hook has changed what the schema parsed.
    one.hooks.on(BeforeToolCall, () => modify({ input: { command: 'rm' } }));
    await one.call(asWritten);
    expect(one.asked).toBe(4);
  }
});

it('calls without a principal share nothing: a yes for good counts in their session', async () => {
  const store = memoryStore();
  const one = agent(store, always);
  await one.call();
  await one.call();
  expect(one.asked).toBe(1);
  await one.call({ session: 't' });
  await one.call({ session: 's', user: 'ada' });
  expect(one.asked).toBe(3);
});

it('a yes belongs to the server of a tool and to its annotations', async () => {
  const one = agent(memoryStore(), always);
  const call = (more: Partial<ToolDescriptor>) => one.call({ user: 'ada', tool: more });
  await call({ server: 'files', annotations: { readOnlyHint: true } });
  await call({ server: 'files', annotations: { readOnlyHint: true } });
  expect(one.asked).toBe(1);
  await call({ server: 'other', annotations: { readOnlyHint: true } });
  await call({ server: 'files', annotations: { destructiveHint: true } });
  await call({ server: 'files' });
  expect(one.asked).toBe(4);
});

it('a yes to inputs that match a pattern is asked for where one does not', async () => {
  const store = memoryStore();
  const one = agent(store, { ...always, matching: { command: 'npm run *' } });
  await one.call();
  await one.call({ input: { command: 'npm run build:all' } });
  expect(one.asked).toBe(1);
  const other = agent(store);
  await other.call({ input: { command: 'npm install' } });
  await other.call({ input: { command: 'npm run test', cwd: '/' } });
  await other.call({ input: {} });
  await other.call({ input: { command: ['npm run test'] } });
  expect(other.asked).toBe(4);
});

it.each([
  ['npm run *', 'npm run test; ls'],
  ['npm run *', 'npm run test && ls'],
  ['npm run *', 'npm run test | ls'],
  ['npm run *', 'npm run test > file'],
  ['npm run *', 'npm run $(ls)'],
  ['npm run *', 'npm run `ls`'],
  ['npm run *', 'npm run test\nls'],
  ['npm run * --dry', 'npm run test; ls --dry'],
  ['cat * test*', 'cat a; ls testx'],
  ['npm run src/*', 'npm run src/../other'],
  ['npm run src/.*', 'npm run src/../other'],
])('a `*` does not stand for text that leads elsewhere: %s is not %j', async (command, elsewhere) => {
  const store = memoryStore();
  const approved = command.replaceAll('*', 'x');
  const one = agent(store, { ...always, matching: { command } });
  await one.call({ input: { command: approved } });
  const other = agent(store);
  await other.call({ input: { command: approved } });
  expect(other.asked).toBe(0);
  await other.call({ input: { command: elsewhere } });
  expect(other.asked).toBe(1);
});

it('an argument whose whole pattern is `*` may have any value', async () => {
  const store = memoryStore();
  const one = agent(store, { ...always, matching: { command: '*' } });
  await one.call();
  await one.call({ input: { command: 'npm run test; ls' } });
  expect(one.asked).toBe(1);
});

it('a pattern that the approved call does not match is reported, and nothing is remembered', async () => {
  const store = memoryStore();
  const one = agent(store, { ...always, matching: { command: 'cat src/*' } });
  expect(await one.call()).toEqual(ok);
  expect(one.errors).toMatchObject([
    { message: expect.stringMatching(/pattern of "command" cannot be used: it does not match/) },
  ]);
  expect(await listRememberedApprovals(store)).toEqual([]);
});

it('a tool whose description or schema has changed is asked about again', async () => {
  const store = memoryStore();
  const one = agent(store, always);
  await one.call();
  const other = agent(store);
  await other.call({ tool: { description: 'Runs a command, and tells us about it.' } });
  await other.call({ tool: { inputSchema: () => ({ ...schema, required: ['command'] }) } });
  expect(other.asked).toBe(2);
  await other.call();
  expect(other.asked).toBe(2);
});

it('a tool whose schema has no JSON form is asked about every time', async () => {
  const store = memoryStore();
  const inputSchema = (): never => {
    throw new TypeError('no JSON schema for a Date');
  };
  const one = agent(store, always);
  expect(await one.call({ tool: { inputSchema } })).toEqual(ok);
  expect(await one.call({ tool: { inputSchema } })).toEqual(ok);
  expect(one.asked).toBe(2);
  expect(one.errors).toHaveLength(2);
});

it('a Block wins over a remembered yes, and what is required of a person is asked', async () => {
  const store = memoryStore();
  await agent(store, always).call();
  const person = agent(store);
  person.hooks.on(BeforeToolCall, () => requireApproval('Every time.', { by: 'person' }), { id: 'person' });
  await person.call();
  expect(person.asked).toBe(1);
  expect(person.errors).toEqual([]);
  const blocked = agent(store);
  blocked.hooks.guard(PermissionRequest, () => block('Not today.'));
  expect(await blocked.call()).toMatchObject({ status: 'denied', reason: 'Not today.' });
  expect(blocked.asked).toBe(0);
});

it('a no is not remembered, nor is a yes to this call alone', async () => {
  const store = memoryStore();
  await agent(store, { decision: 'deny', remember: 'always' }).call();
  await agent(store).call();
  expect(await listRememberedApprovals(store)).toEqual([]);
});

it('what is remembered is listed, and forgotten in every process', async () => {
  const store = memoryStore();
  const [one, other] = [agent(store, always), agent(store)];
  await one.call({ user: 'ada' });
  await one.call({ user: 'ada', session: 't' });
  const [approval, ...rest] = await listRememberedApprovals(store);
  expect(rest).toEqual([]);
  expect(approval).toMatchObject({ toolName: 'shell', principal: { id: 'ada' } });
  expect(await forgetApproval(store, approval?.id ?? '')).toBe(true);
  expect(await forgetApproval(store, approval?.id ?? '')).toBe(false);
  await other.call({ user: 'ada' });
  expect(other.asked).toBe(1);
});

it('a yes that the answer itself cannot say is to be remembered is announced before', async () => {
  const store = memoryStore();
  const one = agent(store);
  await one.remembered.remember(pending, { remember: 'always', matching: { command: '*' } });
  await one.call();
  await one.call({ input: { command: 'ls' } });
  expect(one.asked).toBe(1);
  await expect(one.remembered.remember(pending, { remember: 'for ever' as 'always' })).rejects.toThrow(
    /remember is "for ever"; it has to be 'session' or 'always'/,
  );
  await expect(one.remembered.remember(pending, { matching: { command: '*' } })).rejects.toThrow(
    /nothing is to be remembered: set `remember`/,
  );
});

it.each<[string, Call]>([
  ['session', { session: 'other', user: 'ada' }],
  ['user', { user: 'bob' }],
  ['tool', { user: 'ada', toolName: 'deploy' }],
  ['input', { user: 'ada', input: { command: 'npm publish' } }],
])(
  'a yes that is announced for a call is not that of a call with its id and another %s',
  async (_, other) => {
    const store = memoryStore();
    const one = agent(store);
    await one.remembered.remember(adas, { remember: 'always', matching: { command: '*' } });
    await one.call(other);
    expect(await listRememberedApprovals(store)).toEqual([]);
    await one.call({ user: 'ada' });
    expect(await listRememberedApprovals(store)).toMatchObject([
      { toolName: 'shell', principal: { id: 'ada' } },
    ]);
  },
);

it('a yes that is announced for two users of a session is remembered for each of them', async () => {
  const store = memoryStore();
  const one = agent(store);
  await one.remembered.remember(adas, { remember: 'always' });
  await one.remembered.remember({ ...adas, principal: { id: 'bob' } }, { remember: 'session' });
  await one.call({ user: 'bob' });
  expect(await listRememberedApprovals(store)).toMatchObject([{ principal: { id: 'bob' }, session: 's' }]);
  await one.call({ user: 'ada' });
  expect(await listRememberedApprovals(store)).toHaveLength(2);
});

it('a yes cannot be announced for a principal that only looks like that of the call', async () => {
  const store = memoryStore();
  const one = agent(store);
  const alike = { id: { toJSON: () => 'ada' } } as never;
  await expect(
    one.remembered.remember({ ...adas, principal: alike }, { remember: 'always' }),
  ).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(/^remember: principal\.id/),
  });
  await one.call({ user: 'ada' });
  expect(await listRememberedApprovals(store)).toEqual([]);
});

it.each<[string, (one: ReturnType<typeof agent>) => unknown, ApprovalAnswer?]>([
  ['a hook has granted', ({ hooks }) => hooks.on(PermissionRequest, () => grantApproval('It is small.'))],
  ['a permission list has approved', () => {}, { decision: 'allow', source: 'team_permissions_allow' }],
  ['a person has answered in place of the tool', () => {}, { decision: 'answer', output: 'Not now.' }],
  ['a person has denied', () => {}, { decision: 'deny' }],
])('a yes that is announced for a call is not remembered where %s it', async (_, prepare, answer) => {
  const store = memoryStore();
  const one = agent(store, answer);
  prepare(one);
  await one.remembered.remember(adas, { remember: 'always' });
  await one.call({ user: 'ada' });
  expect(await listRememberedApprovals(store)).toEqual([]);
});

it('a yes that is announced without the user of the call is reported, and not remembered', async () => {
  const store = memoryStore();
  const one = agent(store);
  await one.remembered.remember(pending, { remember: 'always' });
  expect(await one.call({ user: 'ada' })).toEqual(ok);
  expect(await listRememberedApprovals(store)).toEqual([]);
  expect(one.errors).toMatchObject([{ message: expect.stringContaining('without a principal') }]);
  // It was for that decision: the yes of somebody unknown to such a call is for that call alone.
  expect(await one.call()).toEqual(ok);
  expect(await listRememberedApprovals(store)).toEqual([]);
  expect(one.errors).toHaveLength(1);
});

it.each([{ id: 'bob' }, undefined])(
  'what %o says of a call of another user, whose answer was refused, does not extend the yes of that user',
  async (principal) => {
    const store = memoryStore();
    const one = agent(store);
    await one.remembered.remember({ ...adas, principal }, { remember: 'always' });
    expect(await one.call({ user: 'ada' })).toEqual(ok);
    expect(await listRememberedApprovals(store)).toEqual([]);
  },
);

it('a person answers from the inbox, with a pattern that has to match the call', async () => {
  const store = memoryStore();
  const hooks = createHooks();
  hooks.use(rememberApprovals({ store }));
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  const call = (command: string) =>
    callTool(
      hooks,
      { session: hooks.session('s'), toolName: 'shell', input: { command }, tool },
      () => 'ran',
      {
        approval: inbox({ store, pollMs: 5 }),
      },
    );
  const first = call('npm run test');
  const waiting = async () => (await waitingApprovals(store))[0]?.id;
  await expect.poll(waiting).toBeDefined();
  const id = (await waiting()) ?? '';
  await expect(
    answerApproval(store, id, { ...always, matching: { command: 'cat src/*' } }),
  ).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('it does not match the call'),
  });
  await answerApproval(store, id, { ...always, matching: { command: 'npm run *' }, by: 'ada' });
  expect(await first).toEqual(ok);
  expect(await call('npm run build')).toEqual(ok);
});

it('a yes for so many calls covers them, in whatever process, and not one more', async () => {
  const store = memoryStore();
  const [one, other] = [agent(store), agent(store)];
  await one.remembered.remember(adas, { remember: { within: 'always', times: 2 } });
  await one.call({ user: 'ada' });
  expect(one.asked).toBe(1);
  expect(await listRememberedApprovals(store)).toMatchObject([{ times: 2, left: 2 }]);
  await Promise.all([one, other, one, other].map((each) => each.call({ user: 'ada' })));
  expect(one.asked + other.asked).toBe(3);
  expect(await listRememberedApprovals(store)).toEqual([]);
  // Whoever says yes again gives as many again.
  await one.remembered.remember(adas, { remember: { within: 'always', times: 1 } });
  await one.call({ user: 'ada' });
  await other.call({ user: 'ada' });
  await other.call({ user: 'ada' });
  expect(one.asked + other.asked).toBe(5);
});

it('a yes for so many calls is not used up by one that another hook grants', async () => {
  const store = memoryStore();
  const one = agent(store);
  await one.remembered.remember(pending, { remember: { within: 'session', times: 2 } });
  await one.call();
  one.hooks.on(PermissionRequest, () => grantApproval('It is read-only.'), { priority: 1 });
  expect(await one.call()).toEqual(ok);
  expect(await listRememberedApprovals(store)).toMatchObject([{ times: 2, left: 2 }]);
});

it.each(['in an interceptor', 'in a guard', 'before it runs'])(
  'a yes for so many calls is not used up by one that is blocked later, %s',
  async (where) => {
    const store = memoryStore();
    const one = agent(store);
    await one.remembered.remember(adas, { remember: { within: 'always', times: 1 } });
    await one.call({ user: 'ada' });
    let isBlocked = true;
    const refuse = () => (isBlocked ? block('Not now.') : proceed());
    if (where === 'in an interceptor') one.hooks.on(PermissionRequest, refuse, { priority: -1 });
    else if (where === 'in a guard') one.hooks.guard(PermissionRequest, refuse);
    else one.hooks.guard(BeforeExecute, refuse);
    for (let nth = 0; nth < 3; nth++) {
      expect(await one.call({ user: 'ada' })).toMatchObject({ ran: false, reason: 'Not now.' });
      await one.hooks.settled();
    }
    expect(await listRememberedApprovals(store)).toMatchObject([{ times: 1, left: 1 }]);
    isBlocked = false;
    expect(await one.call({ user: 'ada' })).toEqual(ok);
    await one.hooks.settled();
    expect(one.asked).toBe(1);
    expect(await listRememberedApprovals(store)).toEqual([]);
    await one.call({ user: 'ada' });
    expect(one.asked).toBe(2);
  },
);

it.each(['is blocked', 'was denied by a person'])(
  'what a call of a bounded yes has used is not given back by one of its id that %s',
  async (how) => {
    const store = memoryStore();
    const one = agent(store);
    await one.remembered.remember(adas, { remember: { within: 'always', times: 1 } });
    await one.call({ user: 'ada' });
    const running = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    one.hooks.on(BeforeExecute, async () => {
      running.resolve();
      await end.promise;
      return proceed();
    });
    let blocks = false;
    one.hooks.on(BeforeToolCall, () => (blocks ? block('No.') : proceed()), { priority: 1 });
    const first = one.call({ user: 'ada' });
    await running.promise;
    blocks = how === 'is blocked';
    const resumed = { decision: 'deny', hash: '' } as const;
    const another = blocks ? one.call({ user: 'ada' }) : one.call({ user: 'ada', resumed });
    expect(await another).toMatchObject({ ran: false });
    await one.hooks.settled();
    blocks = false;
    end.resolve();
    expect(await first).toEqual(ok);
    await one.call({ user: 'ada' });
    expect(one.asked).toBe(2);
  },
);

it('a yes for some time is forgotten after it', async () => {
  const store = memoryStore();
  const one = agent(store);
  await one.remembered.remember(pending, { remember: { within: 'session', for: '0.3 s' } });
  await one.call();
  await one.call();
  expect(one.asked).toBe(1);
  await expect.poll(() => listRememberedApprovals(store)).toEqual([]);
  await one.call();
  expect(one.asked).toBe(2);
});

it('a yes for a run counts in that run alone, and a call outside of a run cannot have one', async () => {
  const store = memoryStore();
  const one = agent(store);
  await one.remembered.remember(pending, { remember: { within: 'run' } });
  await one.call({ run: 'r1' });
  await one.call({ run: 'r1' });
  expect(one.asked).toBe(1);
  await one.call({ run: 'r2' });
  expect(one.asked).toBe(2);
  await one.remembered.remember(pending, { remember: { within: 'run' } });
  await one.call();
  expect(one.errors).toMatchObject([{ message: expect.stringContaining('belongs to no run') }]);
});

it.each([
  { within: 'week' },
  { within: 'session', times: 0 },
  { within: 'session', times: 1.5 },
  { within: 'session', for: '30' },
  { within: 'session', for: '-1 min' },
  { within: 'session', for: '0 min' },
  { within: 'session', for: 'forever' },
  { within: 'session', until: 'tomorrow' },
  { times: 3 },
  'run',
  null,
])('bounds such as %o are refused where the answer is given', async (remember) => {
  const store = memoryStore();
  const one = agent(store);
  const given = remember as 'session';
  if (given !== null)
    await expect(one.remembered.remember(pending, { remember: given })).rejects.toThrow(
      'cannot be remembered',
    );
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  const over = new AbortController();
  const call = { session: hooks.session('s'), toolName: 'shell', input: {}, signal: over.signal };
  const outcome = callTool(hooks, call, () => 'ran', { approval: inbox({ store, pollMs: 5 }) });
  await expect.poll(async () => (await waitingApprovals(store)).length).toBe(1);
  const [request] = await waitingApprovals(store);
  await expect(
    answerApproval(store, request?.id ?? '', { decision: 'allow', remember: given }),
  ).rejects.toMatchObject({ code: 'INVALID' });
  over.abort();
  await outcome.catch(() => {});
});

it.each([null, 'npm *', ['npm *']])(
  'a pattern such as %j is refused where the answer is given',
  async (matching) => {
    const store = memoryStore();
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
    const call = { session: hooks.session('s'), toolName: 'shell', input: { command: 'npm test' } };
    const outcome = callTool(hooks, call, () => 'ran', { approval: inbox({ store, pollMs: 5 }) });
    await expect.poll(async () => (await waitingApprovals(store)).length).toBe(1);
    const [request] = await waitingApprovals(store);
    const answer = { ...always, matching: matching as unknown as Record<string, string> };
    await expect(answerApproval(store, request?.id ?? '', answer)).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringContaining('has to be an object'),
    });
    await answerApproval(store, request?.id ?? '', { decision: 'deny' });
    await outcome;
  },
);

it('an answer in the inbox may have bounds and lists, and nothing is remembered where nobody does', async () => {
  const store = memoryStore();
  const hooks = createHooks();
  const sources: unknown[] = [];
  hooks.use(rememberApprovals({ store }));
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  hooks.observe(ToolApprovalDecision, ({ source, by, reason }) => sources.push([source, by ?? reason]));
  const call = (env: string) =>
    callTool(hooks, { session: hooks.session('s'), toolName: 'deploy', input: { env } }, () => 'ran', {
      approval: inbox({ store, pollMs: 5 }),
    });
  const first = call('dev');
  await expect.poll(async () => (await waitingApprovals(store)).length).toBe(1);
  const [request] = await waitingApprovals(store);
  await answerApproval(store, request?.id ?? '', {
    decision: 'allow',
    remember: { within: 'session', times: 1 },
    matching: { env: ['dev', 'test'] },
    by: 'ada',
  });
  expect(await first).toEqual(ok);
  expect(await call('test')).toEqual(ok);
  expect(sources).toEqual([
    ['user_approved_session', 'ada'],
    ['user_approved_session', expect.stringContaining('approved before')],
  ]);
  expect(await listRememberedApprovals(store)).toEqual([]);
});

it('any approver may give bounds and lists', async () => {
  const store = memoryStore();
  const hooks = createHooks();
  hooks.use(rememberApprovals({ store }));
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  let asked = 0;
  const approval: Approver = () => {
    asked += 1;
    return {
      decision: 'allow',
      remember: { within: 'always', times: 2 },
      matching: { env: ['dev', 'test'] },
    };
  };
  for (const env of ['dev', 'test', 'dev', 'test']) {
    const about = { session: hooks.session('s'), toolName: 'deploy', input: { env } };
    await callTool(hooks, about, () => 'ran', { approval });
    await hooks.settled();
  }
  expect(asked).toBe(2);
});

it('of two calls with one id, each has what was said about it', async () => {
  const store = memoryStore();
  const hooks = createHooks();
  hooks.use(rememberApprovals({ store }));
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  const call = (env: string) => {
    const about = { session: hooks.session('s'), toolName: 'deploy', callId: 'same', input: { env } };
    return callTool(hooks, about, () => 'ran', { approval: inbox({ store, pollMs: 5 }) });
  };
  const both = [call('dev'), call('prod')];
  await expect.poll(async () => (await waitingApprovals(store)).length).toBe(2);
  for (const { id, input } of await waitingApprovals(store)) {
    const isDev = JSON.stringify(input).includes('dev');
    await answerApproval(store, id, {
      decision: 'allow',
      ...(isDev && { remember: { within: 'session', times: 5 } }),
    });
  }
  expect(await Promise.all(both)).toEqual([ok, ok]);
  await hooks.settled();
  expect((await listRememberedApprovals(store)).map(({ input }) => input)).toEqual([{ env: 'dev' }]);
});

it('a store that cannot be reached has a person asked, and a yes that it cannot keep is reported', async () => {
  const away = async (): Promise<never> => {
    throw new Error('ECONNREFUSED');
  };
  const store = createStore({
    name: 'the test store',
    get: away,
    set: away,
    list: away,
    count: away,
    append: away,
    read: away,
    trim: away,
    codeOf: () => 'UNREACHABLE',
  });
  const one = agent(store, always);
  expect(await one.call()).toEqual(ok);
  expect(one.asked).toBe(1);
  expect(one.errors.map(({ event }) => event)).toEqual(['permission_request', 'tool_approval_decision']);
});

it('the store is asked once a call, and not again within a second where nothing is remembered', async () => {
  const inner = memoryStore();
  let reads = 0;
  const store: Store = {
    ...inner,
    list(prefix) {
      reads++;
      return inner.list(prefix);
    },
  };
  const one = agent(store);
  await Promise.all([one.call(), one.call()]);
  const before = reads;
  await one.call();
  expect(reads).toBe(before);
  const other = agent(store, always);
  await other.call({ session: 's' });
  reads = 0;
  await other.call();
  expect(reads).toBe(1);
  expect(other.asked).toBe(1);
});
