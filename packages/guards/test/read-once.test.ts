import { createHooks, type HookProvider } from '@hooks/core';
import { expect, test } from 'vitest';
import {
  addEnvironmentInfo,
  allowTools,
  commandSafety,
  concurrency,
  injection,
  limits,
  loopDetection,
  permissions,
  pii,
  rateLimit,
  redactSecrets,
  requirePrincipal,
  retryTransient,
  sensitivePaths,
} from '../src/index.ts';

/** Counts how often each option is read. */
function counting<Options extends object>(options: Options, counts: Map<PropertyKey, number>): Options {
  return new Proxy(options, {
    get: (of, key) => {
      if (Object.hasOwn(of, key)) counts.set(key, (counts.get(key) ?? 0) + 1);
      return Reflect.get(of, key);
    },
  });
}

test.each<[string, (read: <const Options extends object>(options: Options) => Options) => HookProvider]>([
  ['addEnvironmentInfo', (read) => addEnvironmentInfo(read({ cwd: '.' }))],
  ['allowTools', (read) => allowTools(['read'], read({ name: 'mine' }))],
  ['commandSafety', (read) => commandSafety(read({ policy: 'strict', allowWhenIsolated: true }))],
  ['concurrency', (read) => concurrency(read({ toolCalls: 2 }))],
  ['injection', (read) => injection(read({}))],
  ['limits', (read) => limits(read({ perSession: { toolCalls: 2 } }))],
  ['loopDetection', (read) => loopDetection(read({ identicalCalls: 3 }))],
  ['permissions', (read) => permissions(read({ deny: ['rm'] }))],
  ['pii', (read) => pii(read({}))],
  ['rateLimit', (read) => rateLimit(read({ windowMs: 1000, toolCalls: 2 }))],
  ['redactSecrets', (read) => redactSecrets(read({}))],
  ['requirePrincipal', (read) => requirePrincipal(read({ role: 'admin', tenant: true }))],
  ['retryTransient', (read) => retryTransient(read({ classes: { timeout: false } }))],
  ['sensitivePaths', (read) => sensitivePaths(read({}))],
])('%s reads each option once, so that what it has checked is what counts', (_, make) => {
  const counts = new Map<PropertyKey, number>();
  createHooks().use(make((options) => counting(options, counts)));
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
});
