export * from '../agent-run/index.ts';
export {
  BlockedError,
  blockReasonWith,
  forgetBlocked,
  isBlockedError,
  noteBlocked,
  type Refused,
} from '../blocked.ts';
export { delay } from '../delay.ts';
export { forgetRun } from '../session/context.ts';
export { after, isThenable } from '../thenable.ts';
export { type PrincipalOption, principalFor } from './principal.ts';
export { refusalText } from './refusal.ts';
export {
  type ApprovalOption,
  type AttachedRegistry,
  areIdle,
  areSameRegistries,
  concernsTool,
  haveApprovers,
  isNative,
  joinRegistries,
  withoutRegistries,
} from './registries.ts';
export {
  adoptSession,
  attachAdapter,
  concerns,
  decides,
  decidesResult,
  forgetPaused,
  hears,
  isIdle,
  isPaused,
  registered,
  takeContext,
  warnOnce,
} from './registry.ts';
export { spreadText } from './spread-text.ts';
export { standIn } from './stand-in.ts';
export type { Attachment, EventSupport, SupportCell, SupportTable } from './support.ts';
