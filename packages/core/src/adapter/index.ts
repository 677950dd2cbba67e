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
export { canonicalJson, isSameInput } from '../plain.ts';
export { isSamePrincipal } from '../principal.ts';
export { forgetRun } from '../session/context.ts';
export { after, isThenable } from '../thenable.ts';
export { refusalText } from '../tool-call/refusal.ts';
export { Attachment, type AttachOptions, type UnaskedHook } from './attachment.ts';
export { type PrincipalOption, principalFor, principalOfCall } from './principal.ts';
export {
  type AttachedRegistry,
  areIdle,
  areSameRegistries,
  checkReach,
  concernsTool,
  haveApprovers,
  holding,
  holdingResult,
  isNative,
  joinRegistries,
  maxContinuationsOf,
  type UnfiredEvents,
  type UnreachableTool,
  unasked,
  withoutRegistries,
} from './registries.ts';
export {
  adoptSession,
  attachAdapter,
  concerns,
  decides,
  decidesOfAnyTool,
  decidesResult,
  forgetPaused,
  hears,
  hearsOfAnyTool,
  isIdle,
  isPaused,
  registered,
  takeContext,
  warnOnce,
  warnWithheld,
} from './registry.ts';
export { ResultNames } from './result-names.ts';
export { spreadText } from './spread-text.ts';
export { standIn } from './stand-in.ts';
export type { AdapterDeclaration, EventSupport, SupportCell, SupportTable } from './support.ts';
