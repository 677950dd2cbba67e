import { BeforeModelCall, createHooks, type HookProvider } from '@hooks/core';
import { memoryStore } from '@hooks/store';
import { describe, expect, test } from 'vitest';
import {
  allowTools,
  commandSafety,
  denyTools,
  limits,
  once,
  pii,
  rateLimit,
  redactSecrets,
} from '../src/index.ts';

const windowMs = 60_000;

/** Options that types permit, or that come from untyped code. */
const IDLE: Readonly<Record<string, readonly [string | RegExp, () => HookProvider]>> = {
  'no tool to deny': ['denyTools names no tool', () => denyTools([])],
  'no rule of denied tools': ['denyTools names no tool', () => denyTools({})],
  'a denied tool without a name': ['denyTools names no tool', () => denyTools(['read', ''])],
  'a rule that is no schema': ['expected true or a Standard Schema', () => denyTools({ x: false as never })],
  'an allowed tool whose schema is missing': [
    'expected true or a Standard Schema',
    () => allowTools({ x: undefined as never }),
  ],
  'no tool to run once': ['Matcher "" matches no tool', () => once({ tools: '', store: memoryStore() })],
  'no tool with commands': ['commandSafety: tools names no tool', () => commandSafety({ tools: {} })],
  'an unknown policy': ['policy is strikt', () => commandSafety({ policy: 'strikt' as never })],

  'no limit': ['nothing is limited', () => limits({})],
  'a scope without a limit': ['nothing is limited', () => limits({ perRun: {}, warnAt: 3 })],
  'an unknown limit': ['perRun.toolcalls is no limit', () => limits({ perRun: { toolcalls: 3 } as never })],
  'a limit that a tool cannot have': [
    'perTool.search.perRun.tokens is no limit',
    () => limits({ perTool: { search: { perRun: { tokens: 3 } as never } } }),
  ],
  'a warning of the limits of tools only': [
    'only perTool is set',
    () => limits({ perTool: { search: { perRun: { toolCalls: 5 } } }, warnAt: 1 }),
  ],
  'a path with an empty name': ['names no argument', () => pii({ reveal: { send_mail: ['message.'] } })],
  'a tool without a limit': ['perTool.search limits nothing', () => limits({ perTool: { search: {} } })],
  'a limit of a tool in no scope': [
    'perTool.search.toolCalls is no scope',
    () => limits({ perTool: { search: { toolCalls: 3 } as never } }),
  ],
  'a limit of a tool without a name': [
    'perTool."" limits nothing',
    () => limits({ perTool: { '': { perRun: { toolCalls: 3 } } } }),
  ],
  'a cost that nothing counts': ['nothing says what a cost is', () => limits({ perRun: { cost: 3 } })],
  "a tool's cost that nothing counts": [
    'which only toolCost counts',
    () => limits({ perTool: { search: { perRun: { cost: 3 } } }, prices: {} }),
  ],
  'an unknown end': [
    'atLimit is anwser',
    () => limits({ perRun: { tokens: 3 }, atLimit: 'anwser' as never }),
  ],
  'a rate without a window': ['windowMs', () => rateLimit({ toolCalls: 3 } as never)],
  'a rate without a limit': ['nothing is limited', () => rateLimit({ windowMs })],
  'a rate of a cost that nothing counts': [
    'nothing says what a cost is',
    () => rateLimit({ windowMs, cost: 5 }),
  ],

  'no kind': ['everything would pass', () => pii({ kinds: {} })],
  'an unknown kind': ['kinds.emial is unknown', () => pii({ kinds: { emial: 'mask' } as never })],
  'an unknown action': ['kinds.email is hide', () => pii({ kinds: { email: 'hide' as never } })],
  'nothing to reveal': [
    'no kind is redacted',
    () => pii({ kinds: { email: 'mask' }, reveal: { send_mail: ['to'] } }),
  ],
  'no tool to reveal to': ['reveal names no tool', () => redactSecrets({ reveal: {} })],
  'an argument without a name': [
    'reveal.login names no argument',
    () => redactSecrets({ reveal: { login: [''] } }),
  ],
  'nobody to show it to': [
    'showTo is aprover',
    () => redactSecrets({ reveal: { login: ['password'] }, showTo: 'aprover' as never }),
  ],
  'a store without reveal': ['belong to reveal', () => pii({ hashKey: 'k', store: memoryStore() })],
};

describe('a guard refuses what would have no effect:', () => {
  test.each(Object.entries(IDLE))('%s', (_what, [message, make]) => {
    const use = () => createHooks().use(make());
    expect(use).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(use).toThrow(message);
  });
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
