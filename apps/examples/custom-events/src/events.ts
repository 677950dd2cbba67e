import {
  defineEvent,
  type EventPayload,
  type EventToken,
  HookEvent,
} from '@hooks/core';

/**
 * Somebody is about to deploy. A hook may refuse, or deploy another version;
 * one that fails refuses.
 */
export interface Deploy extends EventPayload {
  readonly target: 'staging' | 'production';
  readonly version: string;
}
export const Deploy: EventToken<Deploy, 'block' | 'modify', 'version'> =
  defineEvent<Deploy>()({
    type: 'acme_deploy',
    permits: ['block', 'modify'],
    modifies: ['version'],
    onFailure: 'block',
    extends: HookEvent,
  });

/** It was deployed. Observed only. */
export interface DeployFinished extends EventPayload {
  readonly target: Deploy['target'];
  readonly version: string;
  readonly durationMs: number;
}
export const DeployFinished: EventToken<DeployFinished> =
  defineEvent<DeployFinished>()({
    type: 'acme_deploy_finished',
    extends: HookEvent,
  });
