import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { attachAdapter, concerns, emulated, openRun } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  type EventPayload,
  HookEvent,
  type HookOptions,
  type HookProvider,
  HooksError,
  type HooksOptions,
  modify,
  proceed,
  SessionStart,
  ToolEvent,
  UserPromptSubmit,
} from '../src/index.ts';
import { TransformServerMessage } from '../src/tool-call/index.ts';
import { call } from './support/call.ts';

const toolsOnly = { adapter: 'test', events: { before_tool_call: { fires: emulated() } } };

const code = (action: () => unknown): string | undefined => {
  try {
    action();
    return undefined;
  } catch (error) {
    return error instanceof HooksError ? error.code : String(error);
  }
};

describe('a registration', () => {
  it('ends with its Disposable', async () => {
    const hooks = createHooks();
    {
      using _hook = hooks.on(BeforeToolCall, () => block('no'));
      expect(await call(hooks)).toMatchObject({ status: 'blocked' });
    }
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
    expect(hooks.list()).toEqual([]);
  });

  it('has an id that is unique; a second of the same is an error', () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed(), { id: 'same' });
    expect(code(() => hooks.guard(AfterToolCall, () => proceed(), { id: 'same' }))).toBe('DUPLICATE_HOOK');
    hooks.on(BeforeToolCall, () => proceed());
    hooks.on(BeforeToolCall, () => proceed());
    expect(new Set(hooks.list().map(({ id }) => id)).size).toBe(3);
  });

  it('is described by list, in order of registration', () => {
    const hooks = createHooks();
    hooks.use({
      name: 'acme',
      register: (registrar) =>
        void registrar.guard(BeforeToolCall.matching(/^exec$/), () => proceed(), {
          id: 'no-rm',
          priority: 100,
          agents: 'coder',
        }),
    });
    hooks.observe(ToolEvent, () => {}, { id: 'audit' });
    expect(hooks.list()).toEqual([
      {
        id: 'acme/no-rm',
        provider: 'acme',
        verb: 'guard',
        event: 'before_tool_call',
        priority: 100,
        matcher: '/^exec$/',
        agents: 'coder',
      },
      { id: 'audit', verb: 'observe', event: 'tool_event', priority: 0 },
    ]);
  });

  it('get tells what would be asked, in order', () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => proceed(), { id: 'guard' });
    hooks.on(BeforeToolCall.matching('read'), () => proceed(), { id: 'other-tool' });
    hooks.on(BeforeToolCall.matching('exec'), () => proceed(), { id: 'low', priority: -1 });
    hooks.on(BeforeToolCall, () => proceed(), { id: 'all' });
    expect(hooks.get(BeforeToolCall, 'exec').map(({ id }) => id)).toEqual(['all', 'low', 'guard']);
  });

  it('get leaves out the hooks of another tool’s object', () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.for({ name: 'exec' }), () => proceed(), { id: 'of exec' });
    hooks.observe(BeforeToolCall.for({ name: 'read' }), () => {}, { id: 'of read' });
    hooks.on(BeforeToolCall, () => proceed(), { id: 'all' });
    const asked = (name: string) => hooks.get(BeforeToolCall, name).map(({ id }) => id);
    expect([asked('exec'), asked('read')]).toEqual([
      ['of exec', 'all'],
      ['all', 'of read'],
    ]);
  });

  it('is removed by id or by provider; clear removes all', () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed(), { id: 'one' });
    hooks.use({
      name: 'acme',
      register: (registrar) => {
        registrar.on(BeforeToolCall, () => proceed());
        registrar.on(AfterToolCall, () => proceed());
      },
    });
    expect(hooks.remove('one')).toBe(true);
    expect(hooks.remove('one')).toBe(false);
    expect(hooks.remove('acme')).toBe(true);
    expect(hooks.list()).toEqual([]);
    hooks.on(BeforeToolCall, () => proceed());
    hooks.clear();
    expect(hooks.list()).toEqual([]);
  });

  it('with wrong arguments is an error that says what would be right', () => {
    const hooks = createHooks();
    expect(() => hooks.on(undefined as never, () => proceed())).toThrow('the point must be an event token');
    expect(() => hooks.on(BeforeToolCall, 'x' as never)).toThrow(
      'the handler must be a function, not string',
    );
    expect(() => hooks.on(ToolEvent as never, () => proceed() as never)).toThrow(
      'a group can only be observed',
    );
    expect(hooks.list()).toEqual([]);
  });
});

describe('a provider', () => {
  const policy: HookProvider = {
    name: 'policy',
    register(hooks) {
      hooks.on(BeforeToolCall, () => block('no'), { id: 'block' });
    },
  };

  it('scopes the ids of its hooks, and is ended as a whole', async () => {
    const hooks = createHooks();
    const used = hooks.use(policy);
    expect(await call(hooks)).toMatchObject({ by: 'policy/block' });
    used[Symbol.dispose]();
    expect(hooks.list()).toEqual([]);
  });

  it('used twice needs a name', () => {
    const hooks = createHooks();
    hooks.use(policy);
    expect(code(() => hooks.use(policy))).toBe('DUPLICATE_HOOK');
    hooks.use(policy, { name: 'policy-2' });
    expect(hooks.list().map(({ id }) => id)).toEqual(['policy/block', 'policy-2/block']);
  });

  it('that is for once may be used again in the same version, which changes nothing', () => {
    const hooks = createHooks();
    const once = { ...policy, once: true };
    const first = hooks.use(once);
    hooks.use(once)[Symbol.dispose]();
    expect(hooks.list()).toHaveLength(1);
    expect(code(() => hooks.use({ ...once, version: 'stricter' }))).toBe('DUPLICATE_HOOK');
    first[Symbol.dispose]();
    expect(hooks.list()).toEqual([]);
  });

  it('needs a name; its ids may be those of another', () => {
    const hooks = createHooks();
    expect(code(() => hooks.use({ ...policy, name: '' }))).toBe('CONFIG_INVALID');
    hooks.on(BeforeToolCall, () => proceed(), { id: 'block' });
    hooks.use(policy);
    expect(hooks.list().map(({ id }) => id)).toEqual(['block', 'policy/block']);
    const twice: HookProvider = {
      name: 'twice',
      register: (registrar) => {
        for (const _ of [1, 2]) registrar.on(BeforeToolCall, () => proceed(), { id: 'same' });
      },
    };
    expect(code(() => hooks.use(twice))).toBe('DUPLICATE_HOOK');
    expect(hooks.list()).toHaveLength(2);
  });

  it('that throws half way leaves nothing registered', () => {
    const hooks = createHooks();
    const half: HookProvider = {
      name: 'half',
      register: (registrar) => {
        registrar.on(BeforeToolCall, () => proceed());
        throw new Error('half way');
      },
    };
    expect(() => hooks.use(half)).toThrow('half way');
    expect(hooks.list()).toEqual([]);
  });
});

describe('tool matchers', () => {
  const asked = (hooks: ReturnType<typeof createHooks>, name: string): boolean =>
    hooks.get(BeforeToolCall, name).length > 0;
  const matching = (pattern: string | RegExp, options = {}) => {
    const hooks = createHooks(options);
    hooks.on(BeforeToolCall.matching(pattern), () => proceed());
    return (name: string) => asked(hooks, name);
  };

  it('as strings are regular expressions, anchored at both ends and case-sensitive', () => {
    const meets = matching('shell|edit_.*');
    expect(['shell', 'edit_file', 'shells', 'my_shell', 'Shell', 'edit'].map(meets)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('"*" is all', () => {
    expect(matching('*')('anything')).toBe(true);
    expect(matching('mcp__.*')('mcp__two\nlines')).toBe(true);
  });

  it('as RegExp are taken as they are, and keep no lastIndex', () => {
    const hooks = createHooks();
    const pattern = /web/g;
    hooks.on(BeforeToolCall.matching(pattern), () => proceed());
    expect(['web_fetch', 'my_web', 'read'].map((name) => asked(hooks, name))).toEqual([true, true, false]);
    expect(pattern.lastIndex).toBe(0);
  });

  it('stand for groups', () => {
    const meets = matching('group:fs|exec', { groups: { 'group:fs': ['read', 'a.b'] } });
    expect(['read', 'a.b', 'axb', 'exec', 'web'].map(meets)).toEqual([true, true, false, true, false]);
    expect(() => matching('group:none', { groups: { 'group:fs': ['read'] } })).toThrow(
      'is not a known group; known groups: group:fs',
    );
  });

  it('meet the canonical name and its aliases', async () => {
    const hooks = createHooks({ aliases: { bash: 'exec' } });
    const seen: string[] = [];
    hooks.on(
      BeforeToolCall.matching('exec'),
      (event) => (seen.push(`${event.toolName} ${event.nativeToolName}`), proceed()),
    );
    hooks.on(BeforeToolCall.matching('bash'), () => (seen.push('alias'), proceed()));
    await call(hooks, { toolName: 'bash' });
    expect(seen).toEqual(['exec bash', 'alias']);
    await call(hooks, { toolName: 'read' });
    expect(seen).toHaveLength(2);
  });

  it('that are no regular expression are an error at registration', () => {
    const failing = (pattern: string): unknown => {
      try {
        return matching(pattern);
      } catch (error) {
        return error;
      }
    };
    expect(failing('(')).toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'Matcher "(" is not a valid regular expression',
      cause: expect.any(SyntaxError),
    });
    expect(failing('group:none')).toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('that can match none of the known tools are an error at once that lists the valid names', () => {
    const hooks = createHooks({ knownTools: ['exec', 'read'] });
    expect(() => hooks.on(BeforeToolCall.matching('exce'), () => proceed())).toThrow(
      /none of the known tools: exec, read/,
    );
    hooks.on(BeforeToolCall.matching('later'), () => proceed(), { allowUnknown: true });
  });

  it('that meet no tool an adapter told of are listed by unmatched(), with the nearest names', () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('serch_web'), () => proceed(), { id: 'typo' });
    hooks.on(BeforeToolCall.matching('read'), () => proceed(), { id: 'fine' });
    expect(hooks.unmatched()).toEqual([]);
    attachAdapter(hooks, { supports: toolsOnly, tools: ['search_web', 'read'] });
    expect(hooks.unmatched()).toEqual([{ id: 'typo', matcher: 'serch_web', nearest: ['search_web'] }]);
  });

  it('that look like a typo are warned of at the first run; those of tools that another framework has are not', () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    hooks.on(BeforeToolCall.matching('serch_web'), () => proceed(), { id: 'typo' });
    hooks.on(BeforeToolCall.matching('Bash|exec'), () => proceed());
    attachAdapter(hooks, { supports: toolsOnly, tools: ['search_web', 'read'] });
    expect(warnings).toEqual([]);
    openRun(hooks);
    openRun(hooks);
    expect(warnings).toEqual(['Hook "typo" guards no tool: "serch_web" matches none. Similar: search_web.']);
  });

  it.each([
    ['serch_web|read', { name: 'serch_web', nearest: ['search_web'] }],
    ['read.*|serch_web', { name: 'serch_web', nearest: ['search_web'] }],
    ['read|Bash|exec', undefined],
    ['read|Read|search-web|search_web', undefined],
    ['read|WebSearch|search_web', undefined],
    ['read|search_bug', undefined],
    ['(serch_web|read)', { name: 'serch_web', nearest: ['search_web'] }],
    ['^(?:serch_web|read)$', { name: 'serch_web', nearest: ['search_web'] }],
    ['search_web| read', { name: ' read', nearest: ['read'] }],
    ['raed|search_web', { name: 'raed', nearest: ['read'] }],
    ['search_web|rea.', undefined],
    ['read|search.wen', { name: 'search.wen', nearest: ['search_web'] }],
    ['(search_web|read|raed)', undefined],
  ])(
    'with several names: of %s, one that is nearly a missed tool is warned of, one of another framework is not',
    (matcher, typo) => {
      const warnings: string[] = [];
      const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
      hooks.on(BeforeToolCall.matching(matcher), () => proceed(), { id: 'shared' });
      attachAdapter(hooks, { supports: toolsOnly, tools: ['search_web', 'read'] });
      openRun(hooks);
      expect(hooks.unmatched()).toEqual(typo ? [{ id: 'shared', matcher, ...typo }] : []);
      expect(warnings).toEqual(
        typo
          ? [
              `Hook "shared" guards no tool "${typo.name}", which its matcher "${matcher}" names. Similar: ${typo.nearest}.`,
            ]
          : [],
      );
    },
  );

  it.each([
    ['serch_web|raed', ['search_web', 'read']],
    ['Bash|WebFetch|serch_web', ['search_web']],
    ['search_web,read', ['search_web', 'read']],
    ['Bash|WebFetch|exec', []],
  ])(
    'with several names, none of which is a tool: of %s, those that nearly are one are warned of',
    (matcher, nearest) => {
      const warnings: string[] = [];
      const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
      hooks.on(BeforeToolCall.matching(matcher), () => proceed(), { id: 'shared' });
      for (const adapter of ['one', 'other'])
        attachAdapter(hooks, { supports: { ...toolsOnly, adapter }, tools: ['search_web', 'read'] });
      openRun(hooks);
      expect(hooks.unmatched()).toEqual([{ id: 'shared', matcher, nearest }]);
      expect(warnings).toEqual(
        nearest.length > 0
          ? [`Hook "shared" guards no tool: "${matcher}" matches none. Similar: ${nearest.join(', ')}.`]
          : [],
      );
    },
  );

  it('with a typo are warned of at the next turn, where a framework tells of its tools after the run has begun', async () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    hooks.on(BeforeToolCall.matching('serch'), () => proceed(), { id: 'typo' });
    const run = openRun(hooks);
    attachAdapter(hooks, { supports: toolsOnly, tools: ['search'] });
    expect(warnings).toEqual([]);
    await run.startTurn();
    await run.startTurn();
    expect(warnings).toEqual(['Hook "typo" guards no tool: "serch" matches none. Similar: search.']);
  });

  it.each([
    'bash|read',
    'files|read',
    'get|read',
    'get_issue|read',
    'getIssue|read',
    'report_v1|read',
    'report_v10|read',
    'mcp__github__delete_issue|read',
    'reda_.*|read',
  ])(
    'with several names: of %s, the user’s own names, short names and words, expressions, and a tool that is similar to another are no typos',
    (matcher) => {
      const hooks = createHooks({ aliases: { bash: 'exec' }, groups: { files: ['write'] } });
      hooks.on(BeforeToolCall.matching(matcher), () => proceed());
      attachAdapter(hooks, {
        supports: toolsOnly,
        tools: [
          ...['bush', 'filed', 'set', 'read', 'reads', 'read_all', 'mcp__github__create_issue'],
          ...['set_issue', 'setIssue', 'report_v2', 'report_v12'],
        ],
      });
      expect(hooks.unmatched()).toEqual([]);
    },
  );

  it.each(['gte_issue', 'get_isue', 'getissue', 'gett_issue'])(
    'with several names: %s is a typo of get_issue',
    (name) => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall.matching(`${name}|read`), () => proceed());
      attachAdapter(hooks, { supports: toolsOnly, tools: ['get_issue', 'read'] });
      expect(hooks.unmatched()).toMatchObject([{ name, nearest: ['get_issue'] }]);
    },
  );

  it('that meet a tool by the user’s name for it are not listed by unmatched()', () => {
    const hooks = createHooks({ aliases: { bash: 'exec' } });
    for (const id of ['exec', 'bash', 'sh']) hooks.on(BeforeToolCall.matching(id), () => proceed(), { id });
    attachAdapter(hooks, { supports: toolsOnly, tools: ['bash'] });
    expect(hooks.unmatched().map(({ id }) => id)).toEqual(['sh']);
  });

  it('by a tool’s object are not listed by unmatched(), since it may stand under any name', () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.for({ id: 'base' }), () => proceed());
    attachAdapter(hooks, { supports: toolsOnly, tools: ['one'] });
    expect(hooks.unmatched()).toEqual([]);
  });

  it('that meet a tool of one of several agents are not listed by unmatched()', () => {
    const hooks = createHooks();
    for (const id of ['read', 'search_web', 'write'])
      hooks.on(BeforeToolCall.matching(id), () => proceed(), { id });
    const supports = toolsOnly;
    for (const tools of [undefined, ['read'], ['search_web']])
      attachAdapter(hooks, { supports, ...(tools && { tools }) });
    expect(hooks.unmatched().map(({ id }) => id)).toEqual(['write']);
  });

  it('for(tool) know its name by `name`, or by `id` where that is no text', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.for({ name: 7, id: 'exec' }), () => block('no'));
    hooks.on(BeforeToolCall.for({}), () => block('never'));
    expect(await call(hooks)).toMatchObject({ status: 'blocked', reason: 'no' });
    expect(await call(hooks, { toolName: 'read' })).toMatchObject({ status: 'ok' });
    expect(hooks.list().map(({ matcher }) => matcher)).toEqual(['exec', '(unnamed)']);
  });

  it('for(tool) follow a copy of a copy, marked again as another’s', async () => {
    const { markHooked, originalTool } = await import('../src/index.ts');
    const [tool, other] = [{ name: 'exec' }, { name: 'exec' }];
    const copy = markHooked({}, markHooked({}, tool));
    expect(originalTool(copy)).toBe(tool);
    expect(originalTool(markHooked(copy, other))).toBe(other);
  });

  it('for(tool) match by identity: a hooked copy counts, another tool of that name does not', async () => {
    const { markHooked } = await import('../src/index.ts');
    const hooks = createHooks();
    const tool = { name: 'exec' };
    const copy = markHooked({ ...tool }, tool);
    hooks.on(BeforeToolCall.for(tool), () => modify({ input: 'met' }));
    const met = async (ref?: object) =>
      (await call(hooks, ref === undefined ? {} : { tool: { kind: 'function', ref } })).output;
    expect(await met(tool)).toBe('met');
    expect(await met(copy)).toBe('met');
    expect(await met({ name: 'exec' })).toBe('ls');
    expect(await met()).toBe('met'); // by name where the object is unknown
  });
});

describe('agent matchers', () => {
  it('limit a hook to agents of these names', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('no'), { agents: 'coder|reviewer' });
    expect(await call(hooks, { agent: 'coder' })).toMatchObject({ status: 'blocked' });
    expect(await call(hooks, { agent: 'coder2' })).toMatchObject({ status: 'ok' });
    hooks.on(BeforeToolCall, () => proceed());
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
  });
});

describe('options of a registry', () => {
  it.each([
    { timeoutMs: 0 },
    { maxAttempts: 0 },
    { maxAttempts: Number.NaN },
    { sessions: { idleMs: -1 } },
    { sessions: { max: 0 } },
    { sessions: { historyLength: 0 } },
  ])('%j is an error at once that names the option', (options) => {
    const [option, value] = Object.entries('sessions' in options ? options.sessions! : options)[0]!;
    expect(code(() => createHooks(options))).toBe('CONFIG_INVALID');
    expect(() => createHooks(options), String(value)).toThrow(option);
  });
});

describe('an event', () => {
  it('is shown to all hooks as one frozen copy, and stays as it was', () => {
    const hooks = createHooks();
    const event = { type: 'user_prompt_submit', session: hooks.session('s'), prompt: 'x' };
    const seen: unknown[] = [];
    hooks.on(UserPromptSubmit, (given) => (seen.push(given), proceed()));
    hooks.observe(UserPromptSubmit, (given) => void seen.push(given));
    void hooks.dispatch(UserPromptSubmit, event);
    expect(seen).toEqual([event, event]);
    expect(seen.map(Object.isFrozen)).toEqual([true, true]);
    expect(Object.isFrozen(event)).toBe(false);
  });
});

describe('a handler', () => {
  it('is called on nothing: what the registry keeps is not its `this`', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    const look = function (this: unknown) {
      seen.push(this);
      return proceed();
    };
    hooks.on(BeforeToolCall, look, { id: 'asked at once' });
    hooks.on(BeforeToolCall, async () => proceed(), { id: 'waits' });
    hooks.on(BeforeToolCall, look, { id: 'asked after it' });
    hooks.guard(BeforeToolCall, look, { id: 'guard' });
    hooks.observe(BeforeToolCall, look, { id: 'observer' });
    await call(hooks);
    expect(seen).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('dispatch', () => {
  it('runs hooks that were registered later, and none that was removed', () => {
    const hooks = createHooks();
    const event = { session: hooks.session('s'), prompt: 'x' };
    expect(hooks.dispatch(UserPromptSubmit, event)).toBe(proceed());
    const hook = hooks.on(UserPromptSubmit, () => block('no'));
    expect(hooks.dispatch(UserPromptSubmit, event)).toMatchObject({ kind: 'block' });
    hook[Symbol.dispose]();
    expect(hooks.dispatch(UserPromptSubmit, event)).toBe(proceed());
  });

  it('asks the right hooks however many names of tools a model invents', async () => {
    const hooks = createHooks();
    const session = hooks.session('s');
    hooks.guard(BeforeToolCall.matching('tool-7'), () => block('seven'));
    const blocked: number[] = [];
    for (let nth = 0; nth < 5000; nth++) {
      const event = {
        session,
        toolName: `tool-${nth}`,
        nativeToolName: `tool-${nth}`,
        callId: 'c',
        input: {},
      };
      const decision = await hooks.dispatch(BeforeToolCall, event);
      if (decision.kind === 'block') blocked.push(nth);
    }
    expect(blocked).toEqual([7]);
  });
});

describe('attach', () => {
  it('refuses a hook that may refuse on an event of core that the table leaves out, and warns of others', () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    attachAdapter(hooks, { supports: { adapter: 'tiny', events: {} } });
    for (const event of [BeforeToolCall, BeforeToolCall.matching('shell')])
      expect(() => hooks.guard(event, () => proceed(), { id: 'law' })).toThrow(
        expect.objectContaining({
          code: 'UNSUPPORTED_EVENT',
          event: 'before_tool_call',
          message: expect.stringContaining(
            `tiny cannot honor hook "law" on before_tool_call: the adapter's support table has no entry for this event`,
          ),
        }),
      );
    hooks.observe(BeforeToolCall, () => {}, { id: 'look' });
    expect(warnings).toEqual([expect.stringContaining('"look" on before_tool_call')]);
  });

  it('accepts hooks on custom events and groups, of which no table says anything', () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    attachAdapter(hooks, { supports: { adapter: 'tiny', events: {} } });
    const Deploy = defineEvent<EventPayload>()({
      type: 'acme_deploy',
      permits: ['block'],
      extends: HookEvent,
    });
    hooks.guard(Deploy, () => proceed());
    hooks.observe(HookEvent, () => {});
    // Only a proxy fires it.
    hooks.on(TransformServerMessage, () => proceed());
    expect(warnings).toEqual([]);
  });

  const supports = {
    adapter: '@hooks/test',
    events: { stop: { fires: { level: 'none', note: 'it never stops' } } },
  } as const;

  it('refuses a hook that may refuse on an event that never fires there, at attach and at registration', async () => {
    const { Stop } = await import('../src/index.ts');
    const before = createHooks();
    before.on(Stop, () => proceed(), { id: 'keep-on' });
    expect(() => attachAdapter(before, { supports })).toThrow(
      /@hooks\/test cannot honor hook "keep-on" on stop: it never stops/,
    );
    const after = createHooks();
    attachAdapter(after, { supports });
    expect(code(() => after.on(Stop, () => proceed()))).toBe('UNSUPPORTED_EVENT');
    expect(after.list()).toEqual([]);
  });

  it('warns once of observers, and of those that are allowed', async () => {
    const { Stop } = await import('../src/index.ts');
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    hooks.observe(Stop, () => {}, { id: 'look' });
    for (const _ of [1, 2]) attachAdapter(hooks, { supports });
    expect(warnings).toEqual([expect.stringContaining('"look"')]);
    const other = createHooks({ onWarning: (message) => warnings.push(message) });
    attachAdapter(other, { supports, allowUnsupported: ['stop'] });
    other.on(Stop, () => proceed(), { id: 'allowed' });
    expect(warnings).toEqual([expect.stringContaining('"look"'), expect.stringContaining('"allowed"')]);
  });

  it('warns of a hook that only adds, and says which hook and event it refuses', async () => {
    const { Stop } = await import('../src/index.ts');
    const none = { fires: { level: 'none', note: 'never' } } as const;
    const nothing = { adapter: '@hooks/test', events: { session_start: none, stop: none } };
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    attachAdapter(hooks, { supports: nothing });
    hooks.on(SessionStart, () => proceed(), { id: 'adds' });
    expect(warnings).toEqual([expect.stringContaining('"adds" on session_start')]);
    expect(() => hooks.on(Stop, () => proceed(), { id: 'keep-on' })).toThrow(
      expect.objectContaining({ hook: 'keep-on', event: 'stop' }),
    );
  });

  it('warns of a hook on an event that never happens in the framework', async () => {
    const { Stop } = await import('../src/index.ts');
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    const { fires } = supports.events.stop;
    attachAdapter(hooks, { supports: { ...supports, events: { stop: { fires, happens: false } } } });
    hooks.on(Stop, () => proceed(), { id: 'keep-on' });
    expect(warnings).toEqual(['@hooks/test cannot honor hook "keep-on" on stop: it never stops']);
  });

  it('leaves out a hook that is optional, with a warning, in whichever order', async () => {
    const { Stop } = await import('../src/index.ts');
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    hooks.on(Stop, () => proceed(), { id: 'before', optional: true });
    attachAdapter(hooks, { supports });
    hooks.on(Stop, () => proceed(), { id: 'after', optional: true });
    expect(warnings).toEqual([
      '@hooks/test leaves out hook "before" on stop: it never stops',
      '@hooks/test leaves out hook "after" on stop: it never stops',
    ]);
    expect(hooks.list()).toMatchObject([{ optional: true }, { optional: true }]);
  });

  it('a hook that one of several attachments does not allow is refused, whichever came last', async () => {
    const { Stop } = await import('../src/index.ts');
    const hooks = createHooks();
    for (const allowUnsupported of [['stop'], [], ['stop']])
      attachAdapter(hooks, { supports, allowUnsupported });
    expect(code(() => hooks.on(Stop, () => proceed()))).toBe('UNSUPPORTED_EVENT');
  });
});

describe('concerns', () => {
  it('tells whether anything applies to a tool’s calls', () => {
    const hooks = createHooks({ aliases: { bash: 'exec' } });
    expect(concerns(hooks, 'exec')).toBe(false);
    hooks.on(UserPromptSubmit, () => proceed());
    expect(concerns(hooks, 'exec')).toBe(false);
    const one = hooks.on(BeforeToolCall.matching('exec'), () => proceed());
    expect([concerns(hooks, 'bash'), concerns(hooks, 'read')]).toEqual([true, false]);
    one[Symbol.dispose]();
    expect(concerns(hooks, 'exec')).toBe(false);
    const session = hooks.observe(SessionStart, () => {});
    expect(concerns(hooks, 'read')).toBe(true);
    session[Symbol.dispose]();
    expect(concerns(hooks, 'read')).toBe(false);
    hooks.observe(ToolEvent, () => {});
    expect(concerns(hooks, 'read')).toBe(true);
  });
});

it.each<[string, unknown]>([
  ['agent is unknown; did you mean agents?', { agent: 'Clerk' }],
  ['priorty is unknown; did you mean priority?', { priorty: 100 }],
  ['priorty is unknown; did you mean priority?', Object.create({ priorty: 100 })],
  ['priorty is unknown; did you mean priority?', runInNewContext('({ priorty: 100 })')],
  ['priorty is unknown; did you mean priority?', Object.assign(Object.create(null), { priorty: 100 })],
  ['onFailure is "ask"; expected block or proceed', { onFailure: 'ask' }],
  ['onFailure is "blok"; did you mean block?', { onFailure: 'blok' }],
  ['priority is a text; expected a number', { priority: '100' }],
  ['timeoutMs is a text; expected a number greater than 0', { timeoutMs: '5' }],
  ['optional is a text; expected true or false', { optional: 'no' }],
  ['allowUnknown is a number; expected true or false', { allowUnknown: 1 }],
  ['external is a text; expected a function', { external: 'curl' }],
  ['id is a number; expected a text', { id: 5 }],
  ['the options are a number; expected an object', 5],
  ['the options are null; expected an object', null],
  ['the options are a list; expected an object', [{ priority: 5 }]],
  ['the options are of type Map; expected an object', new Map([['priority', 5]])],
  ['the options are a function; expected an object', () => {}],
])('an option of a hook that is wrong is refused: %s', (message, options) => {
  const hooks = createHooks();
  for (const register of [
    () => hooks.on(BeforeToolCall, proceed, options as HookOptions),
    () => hooks.guard(BeforeToolCall, proceed, options as HookOptions),
    () => hooks.observe(BeforeToolCall, () => {}, options as HookOptions),
  ])
    expect(register).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) }),
    );
});

it('options of a hook count that are inherited, frozen, accessors or of another realm', () => {
  class Options {
    get priority() {
      return 7;
    }
  }
  const all = [Object.create({ priority: 7 }), Object.freeze({ priority: 7 }), new Options()];
  for (const options of [...all, runInNewContext('({ priority: 7 })')]) {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, proceed, options);
    expect(hooks.list()[0]?.priority).toBe(7);
  }
});

it('a matcher may be an expression of another realm, and is refused if it is neither text nor expression', () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching(runInNewContext('/^pay/')), proceed, {
    agents: runInNewContext('/^Clerk/'),
  });
  expect(hooks.get(BeforeToolCall, 'payment', { agent: 'Clerk 2' })).toHaveLength(1);
  expect(hooks.get(BeforeToolCall, 'read', { agent: 'Clerk 2' })).toHaveLength(0);
  for (const agents of [5, {}, ['Clerk']] as unknown as string[])
    expect(() => hooks.on(BeforeToolCall, proceed, { agents })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
});

it.each<[string, unknown]>([
  ['the options are null; expected an object', null],
  ['the options are an empty list; expected an object', []],
  ['the options are a number; expected an object', 5],
  ['onEror is unknown; did you mean onError?', Object.create({ onEror: () => {} })],
  [
    'sessions.maxSessions is unknown; expected idleMs, max, historyLength or historyBytes',
    { sessions: { maxSessions: 5 } },
  ],
  ['sessions.idleMs is a text; expected a number greater than 0', { sessions: { idleMs: '5' } }],
  ['sessions is a number; expected an object', { sessions: 5 }],
  ['timeoutMs is a text; expected a number greater than 0', { timeoutMs: '5' }],
  ['maxAttempts is true; expected a number greater than 0', { maxAttempts: true }],
  ['onError is a text; expected a function', { onError: 'x' }],
  ['onWarning is a number; expected a function', { onWarning: 1 }],
  ['formatBlocked is a text; expected a function', { formatBlocked: 'x' }],
  ['knownTools is a text; expected a list of texts', { knownTools: 'pay' }],
  ['groups is an empty list; expected an object', { groups: [] }],
  ['aliases is a text; expected an object', { aliases: 'x' }],
])('an option of a registry that is wrong is refused: %s', (message, options) => {
  expect(() => createHooks(options as HooksOptions)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) }),
  );
});

it('an option of a provider that does not exist is refused', () => {
  const provider = { name: 'p', register() {} };
  const use = () => createHooks().use(provider, { nane: 'q' } as object);
  expect(use).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});

it.each(['timeoutMS', 'knownTool', 'approval'])(
  'an option of a registry that does not exist is refused: %s',
  (name) => {
    expect(() => createHooks({ [name]: 5 })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(`createHooks: ${name} is unknown; `),
      }),
    );
  },
);
