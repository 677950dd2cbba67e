import { describe, expect, it } from 'vitest';
import { openRun } from '../src/adapter/index.ts';
import {
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  defineGroup,
  type EventPayload,
  grantApproval,
  HookEvent,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  Stop,
} from '../src/index.ts';
import { closeOnExit } from '../src/node.ts';
import { checkOptions, nestedOptions, type OptionChecks, optionKinds, readOptions } from '../src/options.ts';
import { testAgent } from '../src/testing/index.ts';
import { call } from './support/call.ts';

/** Counts how often each field of plain data was read, at any depth. */
class Reads {
  readonly #counts: Map<string, number> = new Map();

  watch<T>(value: T, path = 'given'): T {
    if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
    return new Proxy(value, {
      get: (of, key, receiver) => {
        const field = `${path}.${String(key)}`;
        // The length of a list and its methods are no fields of the user's.
        if (Object.hasOwn(of, key) && !(Array.isArray(of) && key === 'length'))
          this.#counts.set(field, (this.#counts.get(field) ?? 0) + 1);
        return this.watch(Reflect.get(of, key, receiver), field);
      },
    });
  }

  /** The fields that were read more than once. */
  get repeated(): readonly string[] {
    return [...this.#counts].flatMap(([field, count]) => (count > 1 ? `${field} (${count})` : []));
  }

  get size(): number {
    return this.#counts.size;
  }
}

/** Tokens are core's own. */
function isPlain(value: object): boolean {
  if ('spec' in value) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}

interface Deploy extends EventPayload {
  readonly target: string;
  readonly plan?: { readonly steps: readonly string[] };
}
const Deploy = defineEvent<Deploy>()({
  type: 'acme_deploy',
  permits: ['block', 'modify'],
  modifies: ['target'],
  extends: HookEvent,
});

interface Weather {
  readonly cities?: readonly string[];
  readonly strict?: boolean;
  readonly limits?: { readonly max?: number };
}
const WEATHER: OptionChecks<Weather> = {
  cities: optionKinds.texts,
  strict: optionKinds.flag,
  limits: nestedOptions<{ readonly max?: number }>({ max: optionKinds.positive }),
};

/** Each function that takes an object, with a valid one; used as far as anything reads it. */
const TAKING: { readonly [name: string]: (watch: <T>(value: T) => T) => unknown } = {
  createHooks: async (watch) => {
    const hooks = createHooks(
      watch({
        timeoutMs: 100,
        maxAttempts: 2,
        sessions: { idleMs: 1000, max: 2, historyLength: 2, historyBytes: 100 },
        formatBlocked: ({ reason }: { readonly reason: string }) => reason,
        onError: () => {},
        onWarning: () => {},
        aliases: { bash: 'exec' },
        groups: { 'group:shell': ['exec', 'run'] },
        knownTools: ['exec', 'run'],
      }),
    );
    hooks.on(BeforeToolCall.matching('group:shell'), () => proceed());
    hooks.guard(BeforeToolCall.matching('bash'), () => block('No.'));
    hooks.guard(BeforeToolCall.matching('r.*'), () => {
      throw new Error('It fails.');
    });
    for (const toolName of ['exec', 'bash', 'run', 'exec']) await call(hooks, { toolName });
    await hooks.close();
  },
  'hooks.on': async (watch) => {
    const hooks = createHooks();
    hooks.trace(() => {});
    const options = {
      id: 'one',
      priority: 1,
      timeoutMs: 100,
      onFailure: 'block',
      agents: 'clerk',
      optional: true,
      allowUnknown: true,
      external: () => 'x',
    } as const;
    hooks.guard(Deploy, () => Promise.resolve(proceed()), watch(options));
    for (const agent of ['clerk', 'other'])
      await hooks.dispatch(Deploy, { session: hooks.session('s'), target: 'prod', agent });
    hooks.list();
  },
  'hooks.use': (watch) => {
    const hooks = createHooks();
    const provider = { name: 'acme', once: true, register: () => hooks.on(Deploy, () => proceed()) } as const;
    hooks.use(watch(provider), watch({ name: 'other' }));
  },
  'hooks.get': (watch) => createHooks().get(Deploy, undefined, watch({ agent: 'clerk' })),
  'hooks.session': (watch) => {
    const principal = { id: 'ann', tenant: 'acme', plan: 'paid' } as const;
    createHooks().session('s', watch({ source: 'resume', principal }));
  },
  'hooks.dispatch': async (watch) => {
    const hooks = createHooks();
    hooks.on(Deploy, ({ plan }) => modify({ target: String(plan?.steps[0]) }));
    hooks.guard(Deploy, ({ plan }) => Promise.resolve(plan ? proceed() : block('No plan.')));
    hooks.observe(Deploy, ({ plan }) => void plan?.steps[0]);
    hooks.trace(() => {});
    const payload = { session: hooks.session('s'), agent: 'clerk', target: 'prod', plan: { steps: ['a'] } };
    const { signal } = new AbortController();
    const options = { signal, last: true, final: () => {}, refuse: () => undefined };
    await hooks.dispatch(Deploy, watch(payload), watch(options));
  },
  block: (watch) => block('No.', watch({ stop: true, source: 'policy', code: 'loop_detected' })),
  proceed: (watch) => proceed(watch({ note: 'fine' })),
  retry: (watch) => retry('Again.', watch({ delayMs: 1 })),
  requireApproval: (watch) => requireApproval('Sure?', watch({ by: 'person', severity: 'high' })),
  grantApproval: (watch) => grantApproval('Small.', watch({ source: 'readonly_hint' })),
  defineEvent: (watch) =>
    defineEvent<Deploy>()(
      watch({
        type: 'acme_prod',
        permits: ['block', 'modify'],
        modifies: ['target'],
        onFailure: 'block',
        order: 'reverse',
        extends: Deploy,
      } as const),
    ),
  defineGroup: (watch) => defineGroup<EventPayload>()(watch({ type: 'acme_event', extends: HookEvent })),
  checkOptions: (watch) => {
    const options = watch({ cities: ['Rome'], strict: true, limits: { max: 1 } });
    return JSON.stringify(checkOptions<Weather>('weatherGuard', options, WEATHER));
  },
  readOptions: (watch) => readOptions<Weather>('f', watch({ cities: ['Rome'], strict: 'no' }), WEATHER),
  testAgent: async (watch) => {
    const principal = { id: 'ann' };
    const approval = () => ({ decision: 'allow' }) as const;
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    const agent = testAgent(hooks, watch({ agent: 'clerk', principal, sessionId: 's', approval }));
    await agent.callTool('exec', {});
    await agent.prompt('again');
    await agent.callTool('exec', {});
  },
  'agent.callTool': async (watch) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    hooks.on(PermissionRequest, () => proceed());
    const options = {
      execute: () => 'ok',
      check: () => undefined,
      approval: 'allow',
      agent: 'clerk',
      callId: 'c1',
      principal: { id: 'ann' },
    } as const;
    await testAgent(hooks).callTool('exec', {}, watch(options));
  },
  closeOnExit: (watch) => closeOnExit(createHooks(), watch({ timeoutMs: 10 }))[Symbol.dispose](),
  openRun: async (watch) => {
    const hooks = createHooks();
    hooks.on(Stop, () => retry('More.'));
    const options = {
      id: 'r',
      sessionId: 's',
      source: 'resume',
      agent: 'clerk',
      maxContinuations: 1,
    } as const;
    const run = openRun(hooks, watch({ ...options, principal: { id: 'ann' } }));
    await run.begin();
    await run.submit([{ text: 'hi' }]);
    for (let turn = 0; turn < 3; turn++) await run.finished('done');
    await run.openChild({ agent: 'helper' }).begin();
    await run.end({ kind: 'done' });
  },
};

describe('what a user passes is read once, so that what was checked is what counts:', () => {
  it.each(Object.entries(TAKING))('%s', async (_, use) => {
    const reads = new Reads();
    await use((value) => reads.watch(value));
    expect(reads.size).toBeGreaterThan(0);
    expect(reads.repeated).toEqual([]);
  });
});

it('a registry keeps the options it was created with, whatever the program does with its objects', async () => {
  const options = {
    maxAttempts: 2,
    aliases: { bash: 'exec' },
    groups: { 'group:shell': ['exec'] },
    knownTools: ['exec'],
  };
  const hooks = createHooks(options);
  hooks.guard(BeforeToolCall.matching('group:shell'), () => block('No.'));
  Object.assign(options, { maxAttempts: 'many' });
  options.aliases.bash = 'harmless';
  options.groups['group:shell'] = [];
  options.knownTools.push('run');
  expect(await call(hooks, { toolName: 'bash' })).toMatchObject({ status: 'blocked' });
  hooks.guard(BeforeToolCall.matching('group:shell'), () => block('No.'));
  expect(() => hooks.on(BeforeToolCall.matching('run'), () => proceed())).toThrow('none of the known tools');
});

it('an event keeps what its declaration permits, whatever becomes of its lists', async () => {
  const permits = ['block' as const];
  const Ship = defineEvent<Deploy>()({ type: 'acme_ship', permits, extends: HookEvent });
  permits.length = 0;
  const hooks = createHooks();
  hooks.guard(Ship, () => block('No.'));
  expect(await hooks.dispatch(Ship, { session: hooks.session('s'), target: 'prod' })).toMatchObject({
    kind: 'block',
  });
});

it('the options of a decision change neither its kind nor its reason', () => {
  const given = { kind: 'proceed', reason: '' } as never;
  expect(block('No.', given)).toMatchObject({ kind: 'block', reason: 'No.' });
  expect(retry('Again.', given)).toMatchObject({ kind: 'retry', reason: 'Again.' });
  const granted = { kind: 'granted', reason: '' } as never;
  expect(requireApproval('Sure?', granted).patch.approval).toMatchObject({
    kind: 'required',
    reason: 'Sure?',
  });
  const required = { kind: 'required', reason: '' } as never;
  expect(grantApproval('Small.', required).patch.approval).toMatchObject({
    kind: 'granted',
    reason: 'Small.',
  });
});

describe('an instance of a class', () => {
  class User {
    readonly id: string = 'ann';
    readonly #paid: boolean = false;
    get plan(): 'free' | 'paid' {
      return this.#paid ? 'paid' : 'free';
    }
    greet(): string {
      return 'hi';
    }
  }

  it('is a principal with its accessors and without its methods', () => {
    const { principal } = createHooks().session('s', { principal: new User() });
    expect(principal).toStrictEqual({ id: 'ann', plan: 'free' });
  });

  it('is a payload with its accessors and what it inherits', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.guard(Deploy, ({ target, principal, agent }) => {
      seen.push([target, principal?.id, agent]);
      return proceed();
    });
    class Base {
      get principal(): User {
        return new User();
      }
    }
    class Prod extends Base {
      readonly session = hooks.session('s');
      readonly #target: string = 'prod';
      get target(): string {
        return this.#target;
      }
    }
    await hooks.dispatch(Deploy, new Prod());
    const inherited: Prod & { readonly agent?: string } = Object.create({
      ...{ session: hooks.session('s'), target: 'test', agent: 'clerk', principal: { id: 'bob' } },
    });
    await hooks.dispatch(Deploy, inherited);
    expect(seen).toEqual([
      ['prod', 'ann', undefined],
      ['test', 'bob', 'clerk'],
    ]);
  });

  it.each<[string, () => object]>([
    [
      'with a tag',
      () =>
        new (class {
          id = 'ann';
          get tenant(): string {
            return 'acme';
          }
          get [Symbol.toStringTag](): string {
            return 'User';
          }
        })(),
    ],
    [
      'that is a map',
      () =>
        new (class extends Map {
          id = 'ann';
          get tenant(): string {
            return 'acme';
          }
        })(),
    ],
    ['with a hidden field', () => Object.defineProperty({ id: 'ann' }, 'tenant', { value: 'acme' })],
    [
      'without Object.prototype',
      () =>
        Object.assign(Object.create(Object.create(null, { tenant: { get: () => 'acme' } })), { id: 'ann' }),
    ],
  ])('is a principal %s with its tenant', (_what, make) => {
    const { principal } = createHooks().session('s', { principal: make() as never });
    expect(principal).toMatchObject({ id: 'ann', tenant: 'acme' });
  });

  it('is options whose methods use their own fields', async () => {
    class Texts {
      readonly #prefix = 'Acme: ';
      formatBlocked({ reason }: { readonly reason: string }): string {
        return this.#prefix + reason;
      }
    }
    const hooks = createHooks(new Texts());
    hooks.guard(BeforeToolCall, () => block('No.'));
    expect(await call(hooks, {})).toMatchObject({ status: 'blocked', message: 'Acme: No.' });
  });
});

it('a principal is refused whose id or tenant a store would change', () => {
  const hooks = createHooks();
  for (const principal of [{ id: 'ann\ud800' }, { id: 'ann', tenant: '\udc00acme' }])
    expect(() => hooks.session('s', { principal })).toThrow('must not have half a character');
});

/** An object whose field answers with the first value once, and from then on with the second. */
function flipping(field: string, first: unknown, then: unknown, rest: object): never {
  let reads = 0;
  return Object.defineProperty({ ...rest }, field, {
    enumerable: true,
    get: () => (reads++ === 0 ? first : then),
  }) as never;
}

it.each([
  ['an interceptor', 'on'],
  ['a guard', 'guard'],
] as const)('what is checked of the approval in the answer of %s is what counts', async (_who, verb) => {
  const hooks = createHooks();
  const asked: string[] = [];
  const approval = () => flipping('kind', 'required', 'granted', { reason: 'Sure?' });
  hooks[verb](BeforeToolCall, () => modify({ approval: approval() }) as never);
  const outcome = await call(hooks, {
    approval: ({ reason }) => (asked.push(reason), { decision: 'deny', reason: 'No.' }),
  });
  expect(outcome).toMatchObject({ status: 'denied', ran: false });
  expect(asked).toEqual(['Sure?']);
});
