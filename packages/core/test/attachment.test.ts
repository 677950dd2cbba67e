import {
  AfterModelCall,
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  type Hooks,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import { Attachment, type AttachOptions, emulated, sharedOptions } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';

type Native = string | undefined;
type Place = Attachment<Native, AttachOptions<Native>>;

const fires = emulated();
const supports = {
  adapter: '@acme/adapter',
  events: {
    after_model_call: { fires },
    before_tool_call: { fires },
    transform_tool_result: { fires },
    after_tool_call: { fires },
  },
};
const approver = () => ({ decision: 'allow' }) as const;
const [outer, middle, inner] = [createHooks(), createHooks(), createHooks()];
middle.on(BeforeToolCall.matching('shell'), () => proceed());

const by = { of: 'attach', takes: sharedOptions };
const none: Place = Attachment.none;

function attach(hooks: Hooks, options: AttachOptions<Native> = {}): Place {
  return Attachment.of<Native, AttachOptions<Native>>(hooks, options, { ...by, supports });
}

/** All of them, the first outermost. */
function all(...attachments: readonly Place[]): Place {
  return attachments.reduceRight<Place>((within, one) => one.around(within), none);
}

/** What each registry's option `approval` is. */
function approvals(attachment: Place): readonly unknown[] {
  return attachment.attached().map(({ approval }) => approval);
}

describe('attaching around', () => {
  test('keeps the outermost place of a registry, with the options that it lacks there', () => {
    const joined = all(attach(outer), attach(middle, { approval: 'deny' })).around(
      all(attach(middle, { approval: approver }), attach(inner), attach(outer, { approval: approver })),
    );
    expect(joined.hooks).toEqual([outer, middle, inner]);
    expect(approvals(joined)).toEqual([approver, 'deny', undefined]);
  });

  test('takes an option that is set to undefined from within', () => {
    const options: AttachOptions<Native> = {};
    // A user without `exactOptionalPropertyTypes` may set what is undefined.
    Reflect.set(options, 'maxContinuations', undefined);
    expect(attach(outer, options).around(attach(outer, { maxContinuations: 1 })).maxContinuations).toBe(1);
  });

  test('makes no new attachment where that changes nothing', () => {
    const inside = all(attach(inner), attach(outer, { approval: 'deny', maxContinuations: 1 }));
    expect(attach(inner).around(inside)).toBe(inside);
    expect(attach(inner, { maxContinuations: 2 }).around(inside)).not.toBe(inside);
    expect(attach(outer).around(inside)).not.toBe(inside);
    expect(attach(middle).around(inside).hooks).toEqual([middle, inner, outer]);
    expect(inside.around(none)).toBe(inside);
    expect(none.around(inside)).toBe(inside);
  });
});

test('attachments are compared by registries and their order, and lose those of another one', () => {
  const both = all(attach(outer), attach(inner));
  expect(both.hasSameHooks(all(attach(outer, { approval: 'deny' }), attach(inner)))).toBe(true);
  expect(both.hasSameHooks(all(attach(inner), attach(outer)))).toBe(false);
  expect(both.hasSameHooks(attach(outer))).toBe(false);
  expect(both.without(attach(outer)).hooks).toEqual([inner]);
  expect(both.without(attach(middle))).toBe(both);
  expect(both.without(both).isEmpty).toBe(true);
  expect(both.isEmpty).toBe(false);
  expect(attach(outer).hasSameHooks(both)).toBe(false);
  expect(both.hasSameHooks(all(attach(outer), attach(middle)))).toBe(false);
});

test('a paused run resumes under the same registries in their order, with the same approvers, however core gets these', () => {
  const both = all(attach(outer, { approval: 'native' }), attach(inner));
  const run = { registries: both.attached() };
  expect(both.mayResume(run)).toBe(true);
  expect(both.mayResume({ registries: both.attached(() => undefined) })).toBe(true);
  expect(all(attach(outer, { approval: 'deny' }), attach(inner)).mayResume(run)).toBe(false);
  expect(all(attach(inner), attach(outer, { approval: 'native' })).mayResume(run)).toBe(false);
  expect(attach(outer, { approval: 'native' }).mayResume(run)).toBe(false);
});

test('an attachment decides something once a hook that does more than observe is registered', () => {
  const hooks = createHooks();
  const one = attach(hooks);
  hooks.observe(BeforeToolCall, () => {});
  expect(one.decidesAnything).toBe(false);
  hooks.guard(BeforeToolCall, () => proceed());
  expect([one.decidesAnything, all(attach(createHooks()), one).decidesAnything]).toEqual([true, true]);
});

test('an attachment concerns the tools that a matcher of any registry meets', () => {
  const both = all(attach(outer), attach(middle));
  expect([both.concerns('shell'), both.concerns('read')]).toEqual([true, false]);
  expect([both.decides(BeforeToolCall, 'shell'), both.hears(BeforeToolCall, 'read')]).toEqual([true, false]);
  expect(both.hears(BeforeToolCall, 'shell')).toBe(true);
  expect([both.hears(BeforeToolCall), both.hearsOfAnyTool(BeforeToolCall)]).toEqual([false, true]);
  expect([both.decides(BeforeToolCall), both.decidesOfAnyTool(BeforeToolCall)]).toEqual([false, true]);
});

describe('with several registries', () => {
  const deciding = () => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, () => proceed());
    hooks.on(TransformToolResult.matching('shell'), () => proceed());
    return hooks;
  };
  const observing = createHooks();
  observing.observe(AfterModelCall, () => {});

  test.each<[string, boolean, readonly Place[]]>([
    ['by the one that decides', true, [attach(deciding())]],
    [
      'although an observing one opted out',
      true,
      [attach(observing, { holdStream: false }), attach(deciding())],
    ],
    [
      'although another deciding one opted out',
      true,
      [attach(deciding(), { holdStream: false }), attach(middle), attach(deciding())],
    ],
    [
      'unless all that decide opted out',
      false,
      [attach(deciding(), { holdStream: false }), attach(observing)],
    ],
    ['unless none decides', false, [attach(observing), attach(outer)]],
  ])('a stream is held back %s', (_when, held, attachments) => {
    expect(all(...attachments).holds(AfterModelCall)).toBe(held);
  });

  test('what a tool streams is held back for hooks on its result, and the first of them is warned', () => {
    const warned: string[] = [];
    const after = createHooks({ onWarning: (message) => void warned.push(message) });
    after.on(AfterToolCall.matching('read'), () => proceed());
    const both = all(attach(deciding()), attach(after));
    const tools = ['shell', 'read', 'write'];
    expect(tools.map((tool) => both.holdsResult(tool))).toEqual([true, true, false]);
    expect(tools.map((tool) => both.decidesResult(tool))).toEqual([true, true, false]);
    for (const tool of [...tools, 'read']) both.withheld(tool, {})?.();
    expect(warned).toEqual([expect.stringContaining('"read" streams while it runs is withheld')]);
    expect([both.withheld('write', {}), attach(outer).withheld('write', {})]).toEqual([undefined, undefined]);
  });

  test('what a tool streams that is given concealed values is held back, also without a hook on its result', () => {
    const concealed = { values: new Map() } as never;
    const withheld = attach(outer).withheld('write', { concealed });
    expect(withheld).toBeTypeOf('function');
    expect(withheld).not.toThrow();
  });

  test('one registry whose approvals are native is enough for native approvals', () => {
    const both = all(attach(outer), attach(inner, { approval: 'native' }));
    expect([both.isNative, attach(outer, { approval: 'deny' }).isNative]).toEqual([true, false]);
  });

  test('the smallest number of continuations that is set counts', () => {
    const of = (...numbers: (number | undefined)[]) =>
      all(...numbers.map((one) => attach(createHooks(), one === undefined ? {} : { maxContinuations: one })))
        .maxContinuations;
    expect([of(0, undefined), of(undefined, 4), of(4, 1), of(undefined)]).toEqual([0, 4, 1, undefined]);
  });

  test('the outermost registry that sets an option counts', () => {
    const both = all(
      attach(outer),
      attach(middle, { holdStream: false }),
      attach(inner, { holdStream: true }),
    );
    expect([both.option('holdStream'), both.option('approval')]).toEqual([false, undefined]);
    expect(both.options('holdStream')).toEqual([undefined, false, true]);
  });

  test('the innermost principal counts, unless a parent has one', () => {
    const knowing = (hooks: Hooks, id: string | undefined) =>
      attach(hooks, { principal: () => (id === undefined ? undefined : { id }) });
    const three = all(knowing(outer, 'a'), knowing(middle, 'b'), knowing(inner, undefined));
    expect(three.principal(undefined)).toEqual({ id: 'b' });
    expect(three.principal(undefined, { principal: { id: 'parent' } })).toEqual({ id: 'parent' });
    expect(three.principal(undefined, { principal: undefined })).toEqual({ id: 'b' });
    expect(three.without(attach(middle)).principal(undefined)).toEqual({ id: 'a' });
    expect(three.principalOfCall({ registries: [{ hooks: middle }] }, undefined)).toEqual({ id: 'a' });
    expect(attach(inner).principalOfCall({ registries: [{ hooks: outer }] }, undefined)).toBeUndefined();
    expect(attach(outer).principal(undefined)).toBeUndefined();
  });

  test.each([
    [{ refused: 'thorw' }, 'attach: refused is "thorw"; did you mean throw?'],
    [{ approval: 'natve' }, 'attach: approval is "natve"; did you mean native?'],
    [{ principal: { id: 'ann' } }, 'attach: principal is an object; expected a function.'],
    [{ allowUnsupported: 'stop' }, 'attach: allowUnsupported is a text; expected a list of texts.'],
    [{ holdStream: 'no' }, 'attach: holdStream is a text; expected true or false.'],
    [{ maxContinuations: -1 }, 'attach: maxContinuations is -1; expected a number of 0 or more.'],
    [{ aproval: 'native' }, 'attach: aproval is unknown; did you mean approval?'],
    [
      Object.create({ session: 's' }),
      'attach: session is unknown; expected approval, principal, refused, allowUnsupported, holdStream or maxContinuations.',
    ],
    [[], 'attach: the options are an empty list; expected an object.'],
  ])('the options %j are refused', (options, message) => {
    expect(() => attach(outer, options as never)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message }),
    );
  });

  test('a principal stays as it was, whatever the program does with its object', () => {
    const user = { id: 'ann', roles: ['viewer'] };
    const principal = attach(outer, { principal: () => user }).principal(undefined);
    user.id = 'bob';
    user.roles.push('admin');
    expect(principal).toEqual({ id: 'ann', roles: ['viewer'] });
    expect(principal).toSatisfy(Object.isFrozen);
  });

  test('a principal of a class is one, as data', () => {
    class User {
      readonly plan = 'paid';
      get id() {
        return 'ann';
      }
      get roles() {
        return ['clerk'];
      }
      get tenant() {
        return 'acme';
      }
    }
    const ann = { id: 'ann', roles: ['clerk'], tenant: 'acme', plan: 'paid' };
    expect(
      JSON.parse(JSON.stringify(attach(outer, { principal: () => new User() }).principal(undefined))),
    ).toEqual(ann);
    const session = outer.session('of a class', { principal: new User() });
    expect(JSON.parse(JSON.stringify(session.principal))).toEqual(ann);
  });

  test.each([
    ...[
      { id: '' },
      { id: ' ' },
      { id: '\n' },
      { id: '\u200b' },
      { id: ' \u2060\ufeff' },
      { id: '\u3164' },
      { id: 7 },
      { roles: [] },
      { id: 'ann', roles: 'superadmin' },
      { id: 'ann', roles: [7] },
      { id: 'ann', roles: null },
      { id: 'ann', tenant: null },
      { id: 'ann', tenant: {} },
      null,
      'ann',
    ],
    Promise.resolve({ id: 'ann' }),
  ])('%j, which is no principal, is refused', (given) => {
    expect(() => attach(outer, { principal: () => given as never }).principal(undefined)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('{ id: string') }),
    );
  });
});

test('options are as they were when they were checked, whatever the program does with its object later', () => {
  const options: { approval?: 'deny'; principal(): { id: string } } = { principal: () => ({ id: 'ann' }) };
  const attachment = attach(outer, options);
  options.principal = () => ({ id: 'root' });
  options.approval = 'deny';
  expect(attachment.principal(undefined)).toEqual({ id: 'ann' });
  expect(approvals(attachment)).toEqual([undefined]);
});

test('options of a class count, also where the registry is attached twice', () => {
  class Own {
    readonly #id = 'ann';
    principal(): { id: string } {
      return { id: this.#id };
    }
    get approval(): 'deny' {
      return 'deny';
    }
  }
  const joined = attach(outer, { allowUnsupported: [] }).around(attach(outer, new Own()));
  expect(joined.principal(undefined)).toEqual({ id: 'ann' });
  expect(approvals(joined)).toEqual(['deny']);
});

test('the tools that are declared count as matched, by attaching and later', () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('shel'), () => proceed(), { id: 'typo' });
  const attachment = Attachment.of(hooks, {}, { ...by, supports, tools: ['shell'] });
  expect(hooks.unmatched()).toMatchObject([{ id: 'typo', nearest: ['shell'] }]);
  attachment.declare({ supports, tools: ['shel'] });
  expect(hooks.unmatched()).toEqual([]);
});

describe.each([
  ['as text', 'Cle.*'],
  ['as a RegExp', /^Cle/],
])('a hook that is limited to agents %s', (_how, agents) => {
  const reached = (agent: string | undefined, options: AttachOptions<Native> = {}) => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => void warnings.push(message) });
    hooks.guard(BeforeToolCall, () => proceed(), { agents, id: 'gate' });
    hooks.observe(BeforeToolCall, () => {}, { agents, id: 'log' });
    const tool = { supports, name: 'search', agent, because: 'which the provider runs' };
    attach(hooks, options)
      .around(attach(createHooks(), { allowUnsupported: ['other'] }))
      .checkReach(tool);
    return warnings;
  };

  test('is refused about an unreachable tool of those agents, and of an unknown one', () => {
    const message = /@acme\/adapter cannot ask hook "gate" about calls of "search", which the provider runs/;
    expect(() => reached('Clerk')).toThrow(message);
    expect(() => reached(undefined)).toThrow(message);
    expect(reached('Boss')).toEqual([]);
  });

  test('is refused with the hook and the event', () => {
    expect(() => reached('Clerk')).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_EVENT', hook: 'gate', event: 'before_tool_call' }),
    );
  });

  test('is only warned of if it refuses nothing', () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => void warnings.push(message) });
    hooks.observe(BeforeToolCall, () => {}, { agents, id: 'log' });
    hooks.on(TransformToolResult, () => proceed(), { agents, id: 'rewrite' });
    attach(hooks).checkReach({
      supports,
      name: 'search',
      agent: 'Clerk',
      because: 'which the provider runs',
    });
    expect(warnings).toEqual([
      '@acme/adapter cannot ask hook "log" about calls of "search", which the provider runs.',
      '@acme/adapter cannot ask hook "rewrite" about calls of "search", which the provider runs.',
    ]);
    expect(attach(hooks).unasked({ points: [BeforeToolCall], toolName: 'search', agent: 'Clerk' })).toEqual(
      [],
    );
  });

  test('is warned of if its own registry allows it', () => {
    expect(reached('Clerk', { allowUnsupported: ['before_tool_call'] })).toHaveLength(2);
  });

  test('is listed for those agents', () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => proceed(), { agents, id: 'gate' });
    const ids = (agent?: string) => hooks.get(BeforeToolCall, 'search', { agent }).map(({ id }) => id);
    expect([ids('Clerk'), ids('Boss'), ids()]).toEqual([['gate'], [], ['gate']]);
    const unfired = (agent: string, options: AttachOptions<Native> = {}) =>
      attach(hooks, options).unasked({ points: [BeforeToolCall], toolName: 'search', agent });
    expect(unfired('Clerk')).toEqual([{ hook: 'gate', event: 'before_tool_call' }]);
    expect(unfired('Boss')).toEqual([]);
    expect(unfired('Clerk', { allowUnsupported: ['before_tool_call'] })).toEqual([]);
  });
});

describe('a run that a hook has ended', () => {
  const stop = { reason: 'That is enough.' };
  const ended = { stop, parent: undefined };
  const thrown = { name: 'BlockedError', reason: 'That is enough.', stop: true };

  test('returns unless the outermost registry that sets `refused` wants it thrown', () => {
    expect(all(attach(outer), attach(inner)).rejection(ended)).toBeUndefined();
    expect(all(attach(outer), attach(inner, { refused: 'throw' })).rejection(ended)).toMatchObject(thrown);
    const outerReturns = all(attach(outer, { refused: 'return' }), attach(inner, { refused: 'throw' }));
    expect(outerReturns.rejection(ended)).toBeUndefined();
  });

  test('returns if it is a sub-agent, and a run that goes on throws nothing', () => {
    const throws = attach(outer, { refused: 'throw' });
    expect(throws.rejection({ stop, parent: {} })).toBeUndefined();
    expect(throws.rejection({ stop: undefined, parent: undefined })).toBeUndefined();
  });
});

describe('what is done where hooks would not be asked', () => {
  const attached = (options: AttachOptions<Native> = {}) => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, () => proceed(), { id: 'answer' });
    hooks.guard(BeforeToolCall.matching('shell'), () => proceed(), { id: 'gate' });
    hooks.guard(BeforeToolCall.matching('pay'), () => proceed(), { id: 'money', agents: 'Clerk' });
    return all(attach(createHooks(), { allowUnsupported: ['after_model_call'] }), attach(hooks, options));
  };
  const refuse =
    (
      options: AttachOptions<Native>,
      about: { readonly toolNames?: readonly string[]; readonly agent?: string },
    ) =>
    () =>
      attached(options).refuseUnasked(
        { points: [AfterModelCall], ...about },
        'a network',
        'run the agent itself',
      );

  test('is refused with the hooks and the events, each event once', () => {
    expect(refuse({}, {})).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_EVENT',
        hook: 'answer',
        event: 'after_model_call',
        message:
          'hooks on after_model_call do not run in a network: run the agent itself, or list after_model_call in allowUnsupported.',
      }),
    );
    expect(refuse({}, { toolNames: ['shell', 'read', 'shell'] })).toThrow(
      'hooks on after_model_call, before_tool_call do not run in a network',
    );
  });

  test('is refused for calls of the tools alone', () => {
    const allowed = { allowUnsupported: ['after_model_call'] };
    expect(refuse(allowed, { toolNames: ['shell'] })).toThrow(expect.objectContaining({ hook: 'gate' }));
    expect(refuse(allowed, { toolNames: ['pay'], agent: 'Clerk' })).toThrow(
      expect.objectContaining({ hook: 'money' }),
    );
    expect(refuse(allowed, { toolNames: ['pay'], agent: 'Boss' })).not.toThrow();
    expect(refuse(allowed, { toolNames: ['read'] })).not.toThrow();
    expect(refuse(allowed, {})).not.toThrow();
  });
});
