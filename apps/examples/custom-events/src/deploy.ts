import type { Hooks } from '@hooks/core';
import { Deploy, DeployFinished } from './events.ts';

/** Deploys, unless a hook refuses; resolves to what happened. */
export async function deploy(
  hooks: Hooks,
  target: Deploy['target'],
  version: string,
): Promise<string> {
  const session = hooks.session('deployments');
  const decision = await hooks.dispatch(Deploy, { session, target, version });
  switch (decision.kind) {
    case 'block':
      return `refused: ${decision.reason}`;
    case 'modify':
      version = decision.patch.version ?? version;
      break;
    case 'proceed':
      break;
    default:
      decision satisfies never;
  }

  const startedAt = Date.now();
  // … the work …
  await hooks.dispatch(DeployFinished, {
    session,
    target,
    version,
    durationMs: Date.now() - startedAt,
  });
  return `deployed ${version} to ${target}`;
}
