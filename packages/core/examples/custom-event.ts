import {
  block,
  createHooks,
  defineEvent,
  type EventPayload,
  type EventToken,
  HookEvent,
  modify,
  proceed,
} from '@hooks/core';

/** Somebody is about to deploy. */
export interface Deploy extends EventPayload {
  readonly target: 'staging' | 'production';
  readonly version: string;
}
export const Deploy: EventToken<Deploy, 'block' | 'modify', 'version'> =
  defineEvent<Deploy>()({
    type: 'acme_deploy',
    permits: ['block', 'modify'],
    modifies: ['version'],
    extends: HookEvent,
  });

// Whoever uses your package registers hooks on it …
const hooks = createHooks();
hooks.on(Deploy, ({ version }) =>
  modify({ version: version.replace(/^v/, '') }),
);
hooks.guard(Deploy, ({ target }) =>
  target === 'production' ? block('Not on a Friday.') : proceed(),
);
hooks.observe(HookEvent, ({ type }) => console.log('saw', type));

// … and your package asks them, and obeys.
export async function deploy(
  target: Deploy['target'],
  version: string,
): Promise<string> {
  const decision = await hooks.dispatch(Deploy, {
    session: hooks.session('ops'),
    target,
    version,
  });
  switch (decision.kind) {
    case 'proceed':
      return `deployed ${version}`;
    case 'modify':
      return `deployed ${decision.patch.version ?? version}`;
    case 'block':
      return `refused: ${decision.reason}`;
    default:
      return decision satisfies never;
  }
}

console.log(await deploy('staging', 'v1.2.0'));
console.log(await deploy('production', 'v1.2.0'));
// saw session_start
// saw acme_deploy
// deployed 1.2.0
// saw acme_deploy
// refused: Not on a Friday.
