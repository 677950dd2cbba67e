import { BeforeModelCall, createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { describe, expect, test } from 'vitest';
import * as guards from '../src/index.ts';

const {
  allowTools,
  commandSafety,
  concurrency,
  denyTools,
  findPii,
  limits,
  once,
  permissions,
  pii,
  rateLimit,
  readsOnly,
  recommended,
  redactSecrets,
  requirePrincipal,
  retryTransient,
} = guards;

const windowMs = 60_000;
const store = memoryStore();
const one = (): number => 1;
const key = (): string => 'k';

/** A function with options. */
interface Checked {
  readonly call: (options: never) => unknown;
  /** A right value of each option. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Options that cannot be set together with the others. */
  readonly apart: readonly string[];
}

/** Does not compile without a value for each option. */
function checked<Options extends object>(
  call: (options: Options) => unknown,
  options: Required<Options>,
  apart: readonly (keyof Options & string)[] = [],
): Checked {
  return { call, options: { ...options }, apart };
}

const cwd = '.';
const ofText = { ignoreSamples: true, ignore: ['a', /b/] };
const reveal = { reveal: { send_mail: ['to', 'message.to'] }, showTo: 'approver', store } as const;
const shared = { store, name: 'n', onUnreachable: 'local' } as const;
const prices = { '*': { input: 1, output: 2, cache_read: 0.1 } };

/** Every function of this package that takes options. */
const WITH_OPTIONS = {
  addDirectoryListing: checked(guards.addDirectoryListing, { cwd }),
  addEnvironmentInfo: checked(guards.addEnvironmentInfo, { cwd }),
  addGitDiff: checked(guards.addGitDiff, { cwd, full: true }),
  addGitStatus: checked(guards.addGitStatus, { cwd }),
  addPromptFiles: checked((options: guards.ContextOptions) => guards.addPromptFiles(['a'], options), { cwd }),
  addRecentCommits: checked((options: guards.ContextOptions) => guards.addRecentCommits(1, options), { cwd }),
  allApprove: checked(guards.allApprove, {
    people: ['ann', 'bob'],
    approvers: [() => ({ decision: 'deny' }), () => ({ decision: 'deny' })],
  }),
  allowTools: checked((options: { readonly name?: string }) => allowTools('a', options), { name: 'n' }),
  commandSafety: checked(commandSafety, {
    tools: { a: 'x', b: ['x', 'y'], c: () => [] },
    policy: { refuse: { filesystem: 'low' }, isClean: () => true },
    workingTree: '.',
    context: 'ci',
    timeoutMs: 1000,
    allowWhenIsolated: false,
  }),
  concurrency: checked(concurrency, { ...shared, toolCalls: 1, tools: /a/, key, leaseMs: 1 }),
  createSecretRedactor: checked(guards.createSecretRedactor, { ...ofText, placeholderKey: 'k' }),
  denyTools: checked((options: { readonly name?: string }) => denyTools('a', options), { name: 'n' }),
  dockerModelRunner: checked(guards.dockerModelRunner, { url: 'http://localhost:1', providers: ['p'] }),
  findSecrets: checked((options: guards.FindSecretsOptions) => guards.findSecrets('', options), ofText),
  injection: checked(guards.injection, { detect: () => undefined, found: 'flag' }),
  limits: checked(
    limits,
    {
      ...shared,
      perRun: { toolCalls: 1, modelCalls: 1, tokens: 1, cost: 1, timeMs: Number.POSITIVE_INFINITY },
      perSession: { toolCalls: 0 },
      perKey: { tokens: 1 },
      key,
      perTool: { search: { perRun: { toolCalls: 1 }, perKey: { cost: 2 } } },
      prices,
      modelCost: one,
      toolCost: one,
      atLimit: 'answer',
      warnAt: 0,
    },
    ['modelCost'],
  ),
  loopDetection: checked(guards.loopDetection, { identicalCalls: 2 }),
  once: checked(once, { tools: 'pay', store, key, keepMs: 1, leaseMs: 1 }),
  openSnapshots: checked(guards.openSnapshots, { cwd, dataDir: '.' }),
  permissions: checked(permissions, {
    allow: ['a'],
    ask: ['b'],
    deny: ['c'],
    readOnlyHint: true,
    trustedServers: ['files'],
    yolo: false,
    scope: 'team',
    compile: (pattern) => ({ pattern, meets: () => true }),
    name: 'n',
  }),
  pii: checked(pii, {
    ...reveal,
    kinds: { email: 'redact', phone: 'hash', card: 'block', iban: 'mask', ip: 'redact' },
    hashKey: new Uint8Array([1]),
    toolInput: true,
    answers: true,
    ignore: ['a', /b/],
  }),
  pinTools: checked(guards.pinTools, { store, tools: '*', onChange: 'ask', name: 'n' }),
  rateLimit: checked(
    rateLimit,
    {
      ...shared,
      windowMs,
      toolCalls: 1,
      modelCalls: 1,
      tokens: 1,
      cost: 0.5,
      tools: 'a',
      key,
      prices,
      modelCost: one,
      toolCost: one,
    },
    ['prices'],
  ),
  recommended: checked(recommended, { commandSafety: {}, sensitivePaths: {}, redactSecrets: {} }),
  redactSecrets: checked(redactSecrets, {
    ...ofText,
    ...reveal,
    placeholderKey: 'k',
    toolInput: true,
    answers: false,
  }),
  requirePrincipal: checked(requirePrincipal, { role: ['admin'], tenant: true }),
  retryTransient: checked(retryTransient, {
    tools: 'a',
    classes: { 'rate-limit': false, network: { baseMs: 1, maxMs: 2 }, timeout: false, server: false },
    classify: () => 'network',
  }),
  sensitivePaths: checked(guards.sensitivePaths, {
    tools: { a: 'x' },
    allow: [/x/],
    symlinks: true,
    timeoutMs: 1,
  }),
  snapshot: checked(guards.snapshot, { cwd, dataDir: '.' }),
  unloadModels: checked(guards.unloadModels, { unloaders: [guards.dockerModelRunner()], onError() {} }),
} satisfies Partial<Record<keyof typeof guards, Checked>>;

/** Exported functions without options. */
const WITHOUT_OPTIONS = [
  ...['addDate', 'addUserInfo', 'validHistory'],
  ...['classifyError', 'dryRun', 'findInjection', 'findPii', 'injectionIn', 'maxIterations'],
  ...['readsOnly', 'secretStream'],
  // Of @hooks/shell-safety.
  ...['checkCommand', 'checkPath', 'normalizePath'],
  // One pattern.
  'compileRule',
];

test('every exported function is in one of these tables', () => {
  const exported = Object.entries<unknown>(guards).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  );
  expect([...Object.keys(WITH_OPTIONS), ...WITHOUT_OPTIONS].toSorted()).toEqual(exported.toSorted());
});

describe.each(Object.entries<Checked>(WITH_OPTIONS))('%s', (guard, { call, options, apart }) => {
  const names = Object.keys(options);
  const callWith = (given: unknown) => () => call(given as never);
  const refusal = expect.objectContaining({ code: 'CONFIG_INVALID' });

  test('accepts each of its options', () => {
    const together = Object.entries(options).filter(([name]) => !apart.includes(name));
    expect(callWith(Object.fromEntries(together))).not.toThrow();
  });

  test('refuses what is no object of options', () => {
    for (const given of [null, 'text', 5, true, [], new Map(), Symbol('x'), () => {}]) {
      expect(callWith(given)).toThrow(refusal);
      expect(callWith(given)).toThrow(`${guard}: the options are `);
    }
  });

  test.each(names)('refuses a misspelled %s, and names the right one', (name) => {
    const misspelled = [
      name.toUpperCase(),
      name.slice(0, 1) + name.slice(2),
      `${name.slice(0, 2)}_${name.slice(2)}`,
    ];
    for (const wrong of misspelled) {
      const use = callWith({ ...options, [wrong]: options[name] });
      expect(use).toThrow(refusal);
      expect(use).toThrow(`${guard}: ${wrong} is unknown; did you mean ${name}?`);
    }
  });

  test('refuses an unknown option, and lists those that it has', () => {
    const use = callWith(
      Object.create({ completelyDifferent: true }, Object.getOwnPropertyDescriptors(options)),
    );
    expect(use).toThrow(
      `${guard}: completelyDifferent is unknown; expected ${names.length < 2 ? names[0] : ''}`,
    );
  });

  test.each(names)('refuses a wrong value of %s', (name) => {
    // The guards of `recommended` take no options, too.
    const wrong = [null, Symbol('x'), '', [], Number.NaN, ...(guard === 'recommended' ? [] : [{}])];
    for (const value of wrong) {
      const use = callWith({ ...options, [name]: value });
      expect(use, String(value)).toThrow(refusal);
      expect(use).toThrow(name);
    }
  });

  test.each(names)('does not show a text that is a wrong value of %s', (name) => {
    const secret = 'hunter2-'.repeat(8);
    const messageOf = (value: unknown): string => {
      try {
        call({ ...options, [name]: value } as never);
        return '';
      } catch (error) {
        return String(error);
      }
    };
    for (const value of [secret, [secret, 1], { [name]: secret }])
      expect(messageOf(value)).not.toContain(secret);
  });
});

/** Options that types permit, or that come from untyped code. */
const IDLE: Readonly<Record<string, readonly [string | RegExp, () => unknown]>> = {
  'no tool to deny': [
    "denyTools: rules is an empty list; expected tools, such as 'web_.*'",
    () => denyTools([]),
  ],
  'no rule of denied tools': ['denyTools: rules is an empty object', () => denyTools({})],
  'a denied tool without a name': ['denyTools: rules[1] is an empty text', () => denyTools(['read', ''])],
  'a denied expression': ['denyTools: rules is of type RegExp', () => denyTools(/web/ as never)],
  'a rule that is no schema': [
    'denyTools: rules.x is false; expected true or a Standard Schema',
    () => denyTools({ x: false as never }),
  ],
  'an allowed tool whose schema is missing': [
    'allowTools: rules.y is missing; expected true or a Standard Schema',
    () => allowTools({ x: true, y: undefined as never }),
  ],
  'an allowed tool whose schema is none': [
    'allowTools: rules.x is an object; expected true or a Standard Schema',
    () => allowTools({ x: { type: 'object' } as never }),
  ],
  'no tool to run once': ['once: tools is an empty text', () => once({ tools: '', store })],
  'no store': ['once: store is missing; expected a store', () => once({ tools: 'pay' } as never)],
  'no tool with commands': ['commandSafety: tools is an empty object', () => commandSafety({ tools: {} })],
  'a tool without its argument': [
    'commandSafety: tools.sh is an empty list',
    () => commandSafety({ tools: { sh: [] } }),
  ],
  'an unknown preset': [
    'commandSafety: policy is "strikt"; did you mean strict?',
    () => commandSafety({ policy: 'strikt' as never }),
  ],
  'a time limit that is over at once': [
    'commandSafety: timeoutMs is 0; expected a whole number greater than 0',
    () => commandSafety({ timeoutMs: 0 }),
  ],
  'a policy that refuses nothing': [
    'policy.refuse is an empty object',
    () => commandSafety({ policy: { refuse: {} } }),
  ],
  'an unknown category': [
    'policy.refuse.filesytem is unknown; did you mean filesystem?',
    () => commandSafety({ policy: { refuse: { filesytem: 'low' } as never } }),
  ],
  'an unknown severity': [
    'policy.refuse.device is "hihg"; did you mean high?',
    () => commandSafety({ policy: { refuse: { device: 'hihg' as never } } }),
  ],
  'an option of a guard in a guard': [
    'redactSecrets: anwsers is unknown; did you mean answers?',
    () => recommended({ redactSecrets: { anwsers: true } as never }),
  ],
  'a tenant that is a text': [
    'requirePrincipal: tenant is a text; expected true, or a list of tenants',
    () => requirePrincipal({ tenant: 'acme' as never }),
  ],
  'no role': ['requirePrincipal: role is an empty list', () => requirePrincipal({ role: [] })],
  'servers without the hint': [
    'permissions: trustedServers has no effect without readOnlyHint',
    () => permissions({ readOnlyHint: false, trustedServers: ['files'] }),
  ],
  'permissions that decide nothing': [
    'permissions: nothing is decided; expected patterns in allow, ask or deny',
    () => permissions({ readOnlyHint: false }),
  ],
  'a loop that is never reached': [
    'loopDetection: identicalCalls is Infinity; expected a whole number of 2 or more',
    () => guards.loopDetection({ identicalCalls: Number.POSITIVE_INFINITY }),
  ],
  'half a call': [
    'loopDetection: identicalCalls is 2.5; expected a whole number of 2 or more',
    () => guards.loopDetection({ identicalCalls: 2.5 }),
  ],
  'a lease that timers do not have': [
    'once: leaseMs is 8589934592; expected a whole number greater than 0, and less than 2 ** 31',
    () => once({ tools: 'pay', store, leaseMs: 2 ** 33 }),
  ],
  'a stream without a redactor': [
    'secretStream: redactor is an object; expected a redactor, such as createSecretRedactor()',
    () => guards.secretStream({ ignore: ['a'] } as never),
  ],
  'a path for all arguments': [
    'reveal.send_mail[0] is a text; expected the path of an argument',
    () => pii({ reveal: { send_mail: ['*'] } }),
  ],
  'a store of a time, which each process measures': [
    'limits: store has no effect where only timeMs is limited',
    () => limits({ perRun: { timeMs: 1 }, perKey: { timeMs: 2 }, store }),
  ],
  'no error to retry': [
    'every class is false',
    () => retryTransient({ classes: { 'rate-limit': false, network: false, timeout: false, server: false } }),
  ],
  'half an iteration': [
    'maxIterations: max is 0.5; expected a whole number greater than 0',
    () => guards.maxIterations(0.5),
  ],
  'no number of commits': ['addRecentCommits: count is 0', () => guards.addRecentCommits(0)],
  'no file': ['addPromptFiles: names is an empty list', () => guards.addPromptFiles([])],
  'a dry run of nothing': [
    'dryRun: provider is missing; expected a provider',
    () => guards.dryRun(undefined as never, () => {}),
  ],
  'a dry run without a report': [
    'dryRun: report is missing; expected a function',
    () => guards.dryRun(commandSafety(), undefined as never),
  ],
  'kinds to find that are none': [
    'findPii: kinds is of type Set; expected a set of',
    () => findPii('', new Set(['emial']) as never),
  ],
  'one server': ['readsOnly: trustedServers is a text', () => readsOnly({} as never, 'files' as never)],

  'no limit': ['nothing is limited', () => limits({})],
  'a scope without a limit': [
    'limits: perRun is an empty object; expected an object with toolCalls, modelCalls, tokens, cost or timeMs',
    () => limits({ perRun: {}, perKey: { tokens: 1 } }),
  ],
  'an unknown limit': [
    'perRun.toolcalls is unknown; did you mean toolCalls?',
    () => limits({ perRun: { toolcalls: 3 } as never }),
  ],
  'a limit that is a text': [
    'perRun.toolCalls is a text; expected a number of 0 or more',
    () => limits({ perRun: { toolCalls: '3' as never } }),
  ],
  'a limit that a tool cannot have': [
    'perTool.search.perRun.tokens is unknown; expected toolCalls or cost',
    () => limits({ perTool: { search: { perRun: { tokens: 3 } as never } } }),
  ],
  'a warning of the limits of tools only': [
    'warnAt has no effect without perRun, perSession or perKey',
    () => limits({ perTool: { search: { perRun: { toolCalls: 5 } } }, warnAt: 1 }),
  ],
  'a last answer where no limit ends a run': [
    'atLimit is about limits that end a run',
    () => limits({ perRun: { toolCalls: 5 }, atLimit: 'answer' }),
  ],
  'a key without its budget': [
    'key has no effect without perKey',
    () => limits({ perRun: { toolCalls: 5 }, key }),
  ],
  'a tool without a limit': ['perTool.search is an empty object', () => limits({ perTool: { search: {} } })],
  'no tool with a limit': [
    'perTool is an empty object',
    () => limits({ perTool: {}, perRun: { tokens: 1 } }),
  ],
  'a limit of a tool in no scope': [
    'perTool.search.toolCalls is unknown; expected perRun, perSession or perKey',
    () => limits({ perTool: { search: { toolCalls: 3 } as never } }),
  ],
  'a limit of a tool without a name': [
    'perTool has an entry without a name',
    () => limits({ perTool: { '': { perRun: { toolCalls: 3 } } } }),
  ],
  'a cost that nothing counts': ['nothing says what a cost is', () => limits({ perRun: { cost: 3 } })],
  "a tool's cost that nothing counts": [
    'which only toolCost counts',
    () => limits({ perTool: { search: { perRun: { cost: 3 } } }, prices }),
  ],
  'what a tool costs, without a limit': [
    'toolCost has no effect without a limit of cost',
    () => limits({ perRun: { tokens: 3 }, toolCost: one }),
  ],
  'what a model costs, without a limit': [
    'modelCost has no effect without a limit of cost',
    () => rateLimit({ windowMs, tokens: 3, modelCost: one }),
  ],
  'two answers to what a model costs': [
    'prices and modelCost are both set',
    () => limits({ perRun: { cost: 3 }, prices, modelCost: one }),
  ],
  'a price that is missing': [
    'prices.gpt.output is missing; expected the price of a million tokens',
    () => limits({ perRun: { cost: 3 }, prices: { gpt: { input: 1 } as never } }),
  ],
  'no price': ['prices is an empty object', () => limits({ perRun: { cost: 3 }, prices: {} })],
  'an unknown end': [
    'atLimit is "anwser"; did you mean answer?',
    () => limits({ perRun: { tokens: 3 }, atLimit: 'anwser' as never }),
  ],
  'a store that is away, without one': [
    'onUnreachable has no effect without store',
    () => limits({ perRun: { tokens: 3 }, onUnreachable: 'local' }),
  ],
  'a rate without a window': ['windowMs is missing', () => rateLimit({ toolCalls: 3 } as never)],
  'a rate without a limit': ['nothing is limited', () => rateLimit({ windowMs })],
  'a rate of a cost that nothing counts': [
    'nothing says what a cost is',
    () => rateLimit({ windowMs, cost: 5 }),
  ],
  'tools where model calls are limited': [
    'tools has no effect without toolCalls or cost',
    () => rateLimit({ windowMs, modelCalls: 5, tools: 'web_.*' }),
  ],
  'a rate in a store without a key': [
    'store needs key, which says whose calls count together: ',
    () => rateLimit({ toolCalls: 1, windowMs: 1000, store: memoryStore() }),
  ],
  'a lease without a store': [
    'leaseMs has no effect without store',
    () => concurrency({ toolCalls: 2, leaseMs: 1000 }),
  ],

  'no kind': [
    'pii: kinds is an empty object; expected an object with email, phone, card, iban or ip',
    () => pii({ kinds: {} }),
  ],
  'an unknown kind': [
    'kinds.emial is unknown; did you mean email?',
    () => pii({ kinds: { emial: 'mask' } as never }),
  ],
  'an unknown action': [
    'kinds.email is "hide"; expected block, redact, mask or hash',
    () => pii({ kinds: { email: 'hide' as never } }),
  ],
  'nothing to reveal': [
    'reveal has no effect without a kind that is redacted',
    () => pii({ kinds: { email: 'mask' }, reveal: { send_mail: ['to'] } }),
  ],
  'a key of nothing': [
    'hashKey has no effect without a kind that is redacted or hashed',
    () => pii({ kinds: { email: 'mask', card: 'block' }, hashKey: 'k' }),
  ],
  'a path with an empty name': [
    "reveal.send_mail[0] is a text; expected the path of an argument, such as 'message.to'",
    () => pii({ reveal: { send_mail: ['message.'] } }),
  ],
  'no tool to reveal to': [
    "reveal is an empty object; expected tools and their arguments, such as { send_mail: ['to'] }",
    () => redactSecrets({ reveal: {} }),
  ],
  'no argument to reveal': [
    "reveal.login is an empty list; expected paths of arguments, such as ['to']",
    () => redactSecrets({ reveal: { login: [] } }),
  ],
  'nobody to show it to': [
    'showTo is "aprover"; did you mean approver?',
    () => redactSecrets({ reveal: { login: ['password'] }, showTo: 'aprover' as never }),
  ],
  'a store without reveal': [
    'store has no effect without reveal',
    () => pii({ hashKey: 'k', store: memoryStore() }),
  ],
};

describe('a guard refuses what would have no effect:', () => {
  test.each(Object.entries(IDLE))('%s', (_what, [message, make]) => {
    expect(make).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(make).toThrow(message);
  });
});

test('an option that is undefined is not set', () => {
  expect(() => redactSecrets({ answers: undefined } as never)).not.toThrow();
  expect(() => redactSecrets({ anwsers: undefined } as never)).toThrow('did you mean answers?');
});

test('an empty list of tools lets none run', async () => {
  const hooks = createHooks();
  hooks.use(allowTools([]));
  const call = { session: hooks.session(), toolName: 'read', input: {} };
  const outcome = await callTool(hooks, call, () => 'ran');
  expect(outcome).toMatchObject({ status: 'blocked' });
});

test('a store counts for a tool where the rest is a time', () => {
  const perTool = { search: { perRun: { toolCalls: 1 } } };
  expect(() => limits({ perRun: { timeMs: 1 }, perTool, store })).not.toThrow();
});

test('isClean of a policy counts, also with a working tree', async () => {
  const decide = async (isClean: (folder: string) => boolean): Promise<string> => {
    const hooks = createHooks();
    const refuse = { 'lost-work': 'high' } as const;
    hooks.use(commandSafety({ workingTree: '.', policy: { refuse, isClean } }));
    const call = { session: hooks.session(), toolName: 'bash', input: { command: 'git reset --hard' } };
    return (await callTool(hooks, call, () => 'ran')).status;
  };
  expect(await decide(() => true)).toBe('ok');
  expect(await decide(() => false)).toBe('blocked');
});

test('runs without an id, which nothing tells apart, get no last call at a limit', async () => {
  const hooks = createHooks();
  hooks.use(limits({ perRun: { modelCalls: 2 }, atLimit: 'answer' }));
  const session = hooks.session('s');
  const answers: string[] = [];
  for (const iteration of [1, 2, 1, 2, 3]) {
    const event = { session, iteration, messages: [], tools: [] };
    answers.push((await hooks.dispatch(BeforeModelCall, event)).kind);
  }
  expect(answers).toEqual(['proceed', 'proceed', 'block', 'block', 'block']);
});
