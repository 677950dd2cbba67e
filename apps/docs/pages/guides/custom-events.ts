import { block, createHooks, HookEvent, proceed } from '@hooks/core';
import { Deploy, deploy } from 'example-custom-events';

const hooks = createHooks();
hooks.guard(Deploy, ({ target }) =>
  target === 'production' ? block('Not on a Friday.') : proceed(),
);
hooks.observe(HookEvent, ({ type }) => console.log('saw', type));

console.log(await deploy(hooks, 'staging', '1.4.0'));
console.log(await deploy(hooks, 'production', '1.4.0'));
