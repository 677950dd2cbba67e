import { describe, expect, it, test } from 'vitest';
import {
  Attachment,
  type AttachOptions,
  isPaused,
  isSamePrincipal,
  openRun,
  sharedOptions,
} from '../src/adapter/index.ts';
import {
  BeforeToolCall,
  createHooks,
  defineEvent,
  type EventPayload,
  HookEvent,
  type Hooks,
  type Principal,
  proceed,
  requireApproval,
  type Session,
} from '../src/index.ts';
import { testAgent } from '../src/testing/index.ts';
import { answerToolCall, beginToolCall, callTool, finishToolCall } from '../src/tool-call/index.ts';

interface Deploy extends EventPayload {
  readonly target: string;
}
const Deploy = defineEvent<Deploy>()({ type: 'acme_deploy', permits: ['block'], extends: HookEvent });

/** Stands in what errors must not show. */
const SECRET = 'hunter2';

/** What somebody passes as a principal. `plain` is the principal that it makes; without it, it is refused. */
interface Given {
  readonly value: unknown;
  readonly plain?: object;
  /** How often each of its fields was read. */
  readonly reads?: ReadonlyMap<PropertyKey, number>;
}

/** An object that is `ann`, a clerk, at the first look at a field, and an admin afterwards. */
function changing(make: (answer: (field: string) => unknown) => object): Given {
  const first: { readonly [field: string]: unknown } = { id: 'ann', roles: ['clerk'], tenant: 'acme' };
  const later: { readonly [field: string]: unknown } = { id: 'root', roles: ['admin'], tenant: 'globex' };
  const reads = new Map<PropertyKey, number>();
  const answer = (field: string) => {
    reads.set(field, (reads.get(field) ?? 0) + 1);
    return (reads.get(field) === 1 ? first : later)[field];
  };
  return { value: make(answer), plain: first, reads };
}

class User {
  readonly id: string = 'ann';
  readonly roles: readonly string[] = ['clerk'];
  toJSON(): object {
    return { id: 'root', roles: ['admin'] };
  }
}

class Roles extends Array<string> {
  override includes(): boolean {
    return true;
  }
}

const GIVEN: { readonly [what: string]: () => Given } = {
  'a getter that answers differently the second time': () =>
    changing((answer) => ({
      get id() {
        return answer('id');
      },
      get roles() {
        return answer('roles');
      },
      get tenant() {
        return answer('tenant');
      },
    })),
  'a getter of a class that answers differently the second time': () =>
    changing(
      (answer) =>
        new (class {
          get id() {
            return answer('id');
          }
          get roles() {
            return answer('roles');
          }
          get tenant() {
            return answer('tenant');
          }
        })(),
    ),
  'a Proxy that answers differently the second time': () =>
    changing(
      (answer) => new Proxy({ id: '', roles: [], tenant: '' }, { get: (_, field) => answer(String(field)) }),
    ),
  'an instance of a class with toJSON': () => ({
    value: new User(),
    plain: { id: 'ann', roles: ['clerk'] },
  }),
  'an object that inherits its fields': () => ({
    value: Object.create(Object.freeze({ id: 'ann', tenant: 'acme' })),
    plain: { id: 'ann', tenant: 'acme' },
  }),
  'a frozen object': () => ({
    value: Object.freeze({ id: 'ann', roles: Object.freeze(['clerk']) }),
    plain: { id: 'ann', roles: ['clerk'] },
  }),
  'a field and an undefined one': () => ({
    value: { id: 'ann', roles: undefined, plan: { name: 'paid', limits: [1, { per: 'day' }] } },
    plain: { id: 'ann', plan: { name: 'paid', limits: [1, { per: 'day' }] } },
  }),
  'a hidden `includes` of its roles': () => ({
    value: { id: 'ann', roles: Object.defineProperty(['clerk'], 'includes', { value: () => true }) },
    plain: { id: 'ann', roles: ['clerk'] },
  }),
  'roles whose copies are of another class': () => ({
    value: {
      id: 'ann',
      roles: Object.defineProperty(['clerk'], 'constructor', { value: { [Symbol.species]: Roles } }),
    },
    plain: { id: 'ann', roles: ['clerk'] },
  }),
  'a key __proto__': () => ({
    value: JSON.parse('{"id":"ann","__proto__":{"roles":["admin"]}}'),
    plain: JSON.parse('{"id":"ann","__proto__":{"roles":["admin"]}}'),
  }),
  'roles of a class of their own': () => ({ value: { id: 'ann', roles: Roles.of(SECRET) } }),
  'roles with an `includes` of their own': () => ({
    value: { id: 'ann', roles: Object.assign([SECRET], { includes: () => true }) },
  }),
  'a string as roles': () => ({ value: { id: 'ann', roles: SECRET } }),
  'a set as roles': () => ({ value: { id: 'ann', roles: new Set([SECRET]) } }),
  'a role that is no string': () => ({ value: { id: 'ann', roles: [SECRET, { role: SECRET }] } }),
  'null as roles': () => ({ value: { id: 'ann', roles: null } }),
  'null as tenant': () => ({ value: { id: 'ann', tenant: null } }),
  'a tenant that becomes a string': () => ({ value: { id: 'ann', tenant: { toString: () => SECRET } } }),
  'no id': () => ({ value: { roles: [SECRET] } }),
  'a blank id': () => ({ value: { id: ' ', tenant: SECRET } }),
  'an id of zero-width characters': () => ({ value: { id: '\u200b\u2060', tenant: SECRET } }),
  'an id that becomes a string': () => ({ value: { id: { toString: () => SECRET, toJSON: () => 'ann' } } }),
  'an id that is a String object': () => ({ value: { id: new String(SECRET) } }),
  'a toJSON of its own': () => ({ value: { id: 'ann', toJSON: () => ({ id: SECRET }) } }),
  'a toJSON further down': () => ({ value: { id: 'ann', plan: { toJSON: () => SECRET } } }),
  'a getter further down': () => ({
    value: {
      id: 'ann',
      plan: {
        get name() {
          return SECRET;
        },
      },
    },
  }),
  'an instance of a class further down': () => ({ value: { id: 'ann', plan: new User() } }),
  'a symbol as key': () => ({ value: { id: 'ann', [Symbol(SECRET)]: ['admin'] } }),
  'a bigint': () => ({ value: { id: 'ann', number: 7n } }),
  'a circle': () => {
    const value: { [field: string]: unknown } = { id: 'ann', secret: SECRET };
    value['self'] = value;
    return { value };
  },
  'a thousand levels': () => {
    let plan: object = { secret: SECRET };
    for (let level = 0; level < 1000; level++) plan = { plan };
    return { value: { id: 'ann', plan } };
  },
  'a getter that throws': () => ({
    value: {
      get id() {
        throw new Error(SECRET);
      },
    },
  }),
  'a promise': () => ({ value: Promise.resolve({ id: SECRET }) }),
  'a function': () => ({ value: () => ({ id: SECRET }) }),
  'a text': () => ({ value: SECRET }),
  'a list': () => ({ value: [{ id: SECRET }] }),
  null: () => ({ value: null }),
};

/** What hooks, guards, approvers, traces and stored forms have shown of the principal. */
class Witness {
  readonly hooks: Hooks = createHooks();
  readonly seen: unknown[] = [];

  constructor() {
    const { hooks, seen } = this;
    hooks.trace(({ before, event }) => void seen.push(before.principal, event.principal));
    hooks.on(BeforeToolCall, ({ principal }) => {
      seen.push(principal);
      return requireApproval('Sure?');
    });
    hooks.guard(BeforeToolCall, ({ principal }) => {
      seen.push(principal);
      return proceed();
    });
    hooks.observe(HookEvent, ({ principal }) => void seen.push(principal));
  }

  async call(
    over: { readonly principal?: Principal; readonly session?: Session } = {},
    run?: ReturnType<typeof openRun>,
  ): Promise<void> {
    const about = { toolName: 'exec', input: {}, callId: 'c1', ...over };
    const approval = ({ principal }: { readonly principal?: Principal }) => {
      this.seen.push(principal);
      return { decision: 'allow' } as const;
    };
    const outcome = run
      ? await run.callTool(about, () => 'ok', { approval })
      : await callTool(this.hooks, { session: this.hooks.session('s'), ...about }, () => 'ok', { approval });
    expect(outcome.status).toBe('ok');
  }
}

/** Every way by which a principal enters core, used up to the end of a call. */
const ENTRANCES: { readonly [name: string]: (witness: Witness, principal: Principal) => unknown } = {
  'hooks.session': async (to, principal) => {
    const session = to.hooks.session('s', { principal });
    to.seen.push(session.principal);
    await to.call({ session });
    await session.close();
  },
  'hooks.session of a known session': async (to, principal) => {
    const session = to.hooks.session('s', { principal: { id: 'bob' } });
    to.hooks.session('s', { principal });
    to.seen.push(session.principal);
    await to.call({ session });
  },
  'the parent of a session': async (to, principal) => {
    const parent = { id: 'parent', principal } as unknown as Session;
    await to.call({ session: to.hooks.session('child', { parent }) });
  },
  'a session of another kind': async (to, principal) => {
    await to.call({ session: { id: 's', source: 'startup', principal } as unknown as Session });
  },
  'hooks.dispatch': async (to, principal) => {
    await to.hooks.dispatch(Deploy, { session: to.hooks.session('s'), target: 'prod', principal });
  },
  callTool: (to, principal) => to.call({ principal }),
  'beginToolCall, answerToolCall, finishToolCall': async (to, principal) => {
    const call = { session: to.hooks.session('s'), toolName: 'exec', input: {}, principal };
    const asking = { approval: 'native', capabilities: { ask: true } } as const;
    const begun = await beginToolCall(to.hooks, call, asking);
    if (begun.kind !== 'ask') throw new Error('it asks');
    to.seen.push(begun.request.principal, begun.token.principal);
    const running = await answerToolCall(begun.token, { decision: 'allow' });
    if (running.kind !== 'run') throw new Error('it runs');
    await finishToolCall(to.hooks, running.token, { output: 'ok' });
  },
  'the token of a call': async (to, principal) => {
    const begun = await beginToolCall(createHooks(), {
      session: createHooks().session('s'),
      toolName: 'exec',
      input: {},
    });
    if (begun.kind !== 'run') throw new Error('it runs');
    await finishToolCall(to.hooks, { ...begun.token, principal }, { output: 'ok' });
  },
  openRun: async (to, principal) => {
    const run = openRun(to.hooks, { sessionId: 's', principal });
    to.seen.push(run.principal);
    await run.begin();
    await run.submit([{ text: 'hi' }]);
    await to.call({}, run);
    await run.end({ kind: 'done' });
  },
  'openRun with a session of its own': async (to, principal) => {
    const run = openRun(to.hooks, { principal });
    await run.begin();
    to.seen.push(run.principal, run.session.principal);
    await to.call({}, run);
    await run.end({ kind: 'done' });
  },
  openChild: async (to, principal) => {
    const child = openRun(createHooks(), {}).openChild({ principal });
    const run = openRun(to.hooks, { parent: child });
    to.seen.push(child.principal, child.session.principal);
    await to.call({}, run);
  },
  'a call of a run': (to, principal) => to.call({ principal }, openRun(to.hooks)),
  'a call of a run in two halves': async (to, principal) => {
    const run = openRun(to.hooks);
    const call = { callId: 'c1', toolName: 'exec', input: {}, principal };
    const asking = { approval: 'native', capabilities: { ask: true } } as const;
    const begun = await run.beginTool(call, asking);
    if (begun.kind !== 'ask') throw new Error('it asks');
    to.seen.push(begun.request.principal, ...run.pending.waiting.map((waiting) => waiting.principal));
    await run.answerTool(call, { decision: 'deny' });
  },
  'a result that a client posts': async (to, principal) => {
    const call = { callId: 'c1', toolName: 'exec', input: {}, principal };
    await openRun(to.hooks).finishTool(call, { output: 'ok' });
  },
  'a denied call': async (to, principal) => {
    const call = { callId: 'c1', toolName: 'exec', input: {}, principal };
    await openRun(to.hooks).denyTool(call, { decision: 'deny' });
  },
  "an adapter's own event": async (to, principal) => {
    await openRun(to.hooks).ask(Deploy, { target: 'prod', ...{ principal } });
  },
  'the option of an adapter': async (to, principal) => {
    const attachment = Attachment.of<undefined, AttachOptions<undefined>>(
      createHooks(),
      { principal: () => principal },
      { of: 'attach', takes: sharedOptions, supports: { adapter: '@acme/adapter', events: {} } },
    );
    const run = openRun(to.hooks, { principal: attachment.principal(undefined) });
    await to.call({}, run);
  },
  testAgent: async (to, principal) => {
    const agent = testAgent(to.hooks, { principal, approval: 'allow' });
    await agent.callTool('exec', {});
    await agent.prompt('again');
    to.seen.push(...agent.approvals.map((request) => request.principal));
  },
  'a call of testAgent': async (to, principal) => {
    const agent = testAgent(to.hooks, { approval: 'allow' });
    await agent.callTool('exec', {}, { principal });
    to.seen.push(...agent.approvals.map((request) => request.principal));
  },
};

/** What only compares principals. */
const COMPARISONS: { readonly [name: string]: (principal: Principal) => unknown } = {
  isSamePrincipal: (principal) => isSamePrincipal(principal, { id: 'bob' }),
  isFor: (principal) => openRun(createHooks(), { principal: { id: 'bob' } }).isFor(principal),
  isPaused: (principal) => {
    const hooks = createHooks();
    return isPaused(hooks, { session: hooks.session('s'), toolName: 'exec', input: {}, principal });
  },
};

function expectRefusal(error: unknown): void {
  expect(error).toMatchObject({
    name: 'HooksError',
    code: 'INVALID_INPUT',
    message: expect.stringMatching(
      /^[\w. ]+: principal[\w.[\]…]* .*\. A principal is \{ id: string, roles\?: string\[\], tenant\?: string \} as plain data, not a promise\.$/,
    ),
  });
  expect(error).not.toMatchObject({ message: expect.stringContaining(SECRET) });
}

describe.each(Object.entries(ENTRANCES))('a principal that enters by %s', (_, enter) => {
  it.each(Object.entries(GIVEN))(
    'is the same plain data for everybody, or refused, with %s',
    async (__, make) => {
      const { value, plain, reads } = make();
      const witness = new Witness();
      const entering = (async () => enter(witness, value as Principal))();
      if (plain === undefined) {
        expectRefusal(await entering.catch((error: unknown) => error));
        // Only a sub-agent's parent, a known session and the like has somebody else.
        expect(witness.seen.filter((one) => one !== undefined && Object(one).id !== 'bob')).toEqual([]);
        return;
      }
      await entering;
      await witness.hooks.settled();
      const shown = witness.seen.filter((one) => one !== undefined);
      expect(shown.length).toBeGreaterThan(1);
      for (const one of shown) {
        expect(JSON.stringify(one)).toBe(JSON.stringify(plain));
        expect(one).toStrictEqual(plain);
        expect(one).toSatisfy(Object.isFrozen);
        const { roles } = one as Principal;
        expect(roles === undefined || Object.isFrozen(roles)).toBe(true);
        expect(roles?.includes('admin') ?? false).toBe(false);
      }
      expect(Math.max(1, ...(reads?.values() ?? []))).toBe(1);
    },
  );
});

describe.each(Object.entries(COMPARISONS))('%s', (_, compare) => {
  it.each(Object.entries(GIVEN))('is false or throws, with %s', (__, make) => {
    const { value, plain } = make();
    try {
      expect(compare(value as Principal)).toBe(false);
    } catch (error) {
      expect(plain).toBeUndefined();
      expectRefusal(error);
    }
  });
});

test('a handler cannot set the principal of a session', async () => {
  const hooks = createHooks();
  const session = hooks.session('s', { principal: { id: 'ann' } });
  hooks.on(Deploy, (event) => {
    Object.assign(event.session, { principal: { id: 'root' } });
    return proceed();
  });
  expect(await hooks.dispatch(Deploy, { session, target: 'prod' })).toMatchObject({ kind: 'block' });
  expect(session.principal).toEqual({ id: 'ann' });
});

test('a principal that is refused leaves the session as it was', () => {
  const hooks = createHooks();
  const session = hooks.session('s', { principal: { id: 'ann' } });
  const refused = { source: 'resume', principal: { id: '' } } as const;
  expect(() => hooks.session('s', refused)).toThrow('hooks.session: principal.id must be a string');
  expect([session.principal, session.source]).toEqual([{ id: 'ann' }, 'startup']);
});

test('a paused call is not continued by a principal that only looks like its own', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
  const call = { session: hooks.session('s'), callId: 'c1', toolName: 'exec', input: {} };
  const asking = { approval: 'native', capabilities: { ask: true } } as const;
  await beginToolCall(hooks, { ...call, principal: { id: 'ann' } }, asking);
  const alike = { id: { toJSON: () => 'ann' } } as never;
  await expect(callTool(hooks, { ...call, principal: alike }, () => expect.unreachable())).rejects.toThrow(
    'principal.id.toJSON is a function',
  );
});
