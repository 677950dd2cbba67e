import { block, createHooks, HookEvent, modify, proceed } from '@hooks/core';
import { expect, test } from 'vitest';
import { Deploy, DeployFinished, deploy } from '../src/index.ts';

test('a guard refuses a deployment, with the reason', async () => {
  const hooks = createHooks();
  hooks.guard(Deploy, ({ target }) =>
    target === 'production' ? block('Not on a Friday.') : proceed(),
  );
  expect(await deploy(hooks, 'staging', '1.4.0')).toBe(
    'deployed 1.4.0 to staging',
  );
  expect(await deploy(hooks, 'production', '1.4.0')).toBe(
    'refused: Not on a Friday.',
  );
});

test('an interceptor changes the version, and nothing else', async () => {
  const hooks = createHooks();
  hooks.on(Deploy, ({ version }) =>
    modify({ version: version.replace(/^v/, '') }),
  );
  expect(await deploy(hooks, 'staging', 'v1.4.0')).toBe(
    'deployed 1.4.0 to staging',
  );
  // @ts-expect-error the target is not modifiable
  hooks.on(Deploy, () => modify({ target: 'staging' }));
});

test('a hook that fails refuses', async () => {
  const hooks = createHooks();
  hooks.guard(
    Deploy,
    () => {
      throw new Error('the calendar is down');
    },
    { id: 'calendar' },
  );
  expect(await deploy(hooks, 'staging', '1.4.0')).toMatch(
    /^refused: .*"calendar"/,
  );
});

test('observers of HookEvent see both events', async () => {
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.observe(HookEvent, ({ type }) => seen.push(type));
  hooks.observe(DeployFinished, ({ version }) => seen.push(version));
  await deploy(hooks, 'staging', '1.4.0');
  expect(seen).toEqual([
    'session_start',
    'acme_deploy',
    'acme_deploy_finished',
    '1.4.0',
  ]);
});
