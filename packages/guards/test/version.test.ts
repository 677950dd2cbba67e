import { createHooks, type EventPayload, type HookProvider, type StandardSchema } from '@hooks/core';
import { memoryStore } from '@hooks/store';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  addDirectoryListing,
  allowTools,
  commandSafety,
  concurrency,
  denyTools,
  dryRun,
  limits,
  loopDetection,
  maxIterations,
  permissions,
  pii,
  pinTools,
  rateLimit,
  recommended,
  redactSecrets,
  retryTransient,
  sensitivePaths,
} from '../src/index.ts';

const ofSession = ({ session }: EventPayload): string => session.id;

/** The versions that a registry lists for the hooks of a guard. */
function versionsOf(guard: HookProvider): readonly (string | undefined)[] {
  const hooks = createHooks();
  hooks.use(guard);
  return [...new Set(hooks.list().map(({ version }) => version))];
}

const store = memoryStore();
const windowMs = 1_000;

it.each([
  ['limits', () => limits({ perRun: { toolCalls: 5 } }), limits({ perRun: { toolCalls: 6 } })],
  [
    'limits',
    () => limits({ perTool: { a: { perRun: { toolCalls: 1 } } } }),
    limits({ perTool: { b: { perRun: { toolCalls: 1 } } } }),
  ],
  [
    'rateLimit',
    () => rateLimit({ key: ofSession, windowMs, toolCalls: 1 }),
    rateLimit({ key: ofSession, windowMs, toolCalls: 1, store }),
  ],
  [
    'rateLimit',
    () => rateLimit({ windowMs, toolCalls: 1, key: ({ agent }) => agent ?? '' }),
    rateLimit({ windowMs, toolCalls: 1, key: ({ principal }) => principal?.id ?? '' }),
  ],
  ['loopDetection', () => loopDetection({ identicalCalls: 3 }), loopDetection({ identicalCalls: 4 })],
  [
    'concurrency',
    () => concurrency({ toolCalls: 1, store }),
    concurrency({ toolCalls: 1, store, leaseMs: 5 }),
  ],
  ['maxIterations', () => maxIterations(3), maxIterations(4)],
  ['retryTransient', () => retryTransient({ tools: /a/ }), retryTransient({ tools: /a/i })],
  ['redactSecrets', () => redactSecrets(), redactSecrets({ toolInput: true })],
  ['pii', () => pii({ kinds: { email: 'mask' } }), pii({ kinds: { email: 'block' } })],
  ['recommended', () => recommended(), recommended({ commandSafety: { policy: 'strict' } })],
  ['commandSafety', () => commandSafety(), commandSafety({ policy: 'essential' })],
  ['sensitivePaths', () => sensitivePaths({ allow: [/x/] }), sensitivePaths({ allow: [/y/] })],
  ['permissions', () => permissions({ deny: ['exec'] }), permissions({ ask: ['exec'] })],
  ['allowTools', () => allowTools({ a: true }), allowTools({ a: true, b: true })],
  [
    'denyTools',
    () => denyTools({ a: z.object({ n: z.number().max(5) }) }),
    denyTools({ a: z.object({ n: z.number().max(6) }) }),
  ],
  ['pinTools', () => pinTools({ store }), pinTools({ store, onChange: 'ask' })],
  ['addDirectoryListing', () => addDirectoryListing({ cwd: '/a' }), addDirectoryListing({ cwd: '/b' })],
  ['dryRun', () => dryRun(maxIterations(3), () => {}), dryRun(maxIterations(4), () => {})],
] as const)('%s has a version that changes with its options only', (_name, guard, other) => {
  const [version, ...more] = versionsOf(guard());
  expect(version).toMatch(/^[0-9a-f]{64}$/);
  expect(more).toEqual([]);
  expect(versionsOf(guard())).toEqual([version]);
  expect(versionsOf(other)).not.toContain(version);
});

it('a guard’s version does not depend on the order of its options and contains none of them', () => {
  const one = rateLimit({ toolCalls: 3, windowMs, tools: 'pay' });
  const other = rateLimit({ tools: 'pay', windowMs, toolCalls: 3 });
  expect(one.version).toBe(other.version);
  expect(one.version).not.toContain('pay');
});

it('options with a cycle have a version', () => {
  const standard = { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } as const;
  const schema: StandardSchema & { self?: unknown } = { '~standard': standard };
  Object.assign(schema, { self: schema });
  expect(allowTools({ read: schema }).version).toMatch(/^[0-9a-f]{64}$/);
});
