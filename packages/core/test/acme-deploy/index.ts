// Somebody else's package: events, a group and a tool event of their own, on nothing but core's public API.
import {
  defineEvent,
  defineGroup,
  type EventPayload,
  type EventToken,
  type GroupToken,
  HookEvent,
  ToolEvent,
  type ToolEventToken,
} from '../../src/index.ts';

export interface AcmePayload extends EventPayload {
  readonly tenant: string;
}
export const AcmeEvent: GroupToken<AcmePayload> = defineGroup<AcmePayload>()({
  type: 'acme_event',
  extends: HookEvent,
});

export interface Deploy extends AcmePayload {
  readonly target: string;
  readonly version: string;
}
export const Deploy: EventToken<Deploy, 'block' | 'modify', 'version'> = defineEvent<Deploy>()({
  type: 'acme_deploy',
  permits: ['block', 'modify'],
  modifies: ['version'],
  extends: AcmeEvent,
});

/** A deployment to a share of the users: it may be refused, but no longer changed. */
export interface Canary extends Deploy {
  readonly share: number;
}
export const Canary: EventToken<Canary, 'block'> = defineEvent<Canary>()({
  type: 'acme_canary',
  permits: ['block'],
  extends: Deploy,
});

/** A tool uploads something. */
export interface Upload extends ToolEvent {
  readonly bytes: number;
}
export const Upload: ToolEventToken<Upload, 'block'> = defineEvent<Upload>()({
  type: 'acme_upload',
  permits: ['block'],
  extends: ToolEvent,
});
