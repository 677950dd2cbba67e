export * from '../agent-run/index.ts';
export { answerFrom } from '../approval/answer-from.ts';
export { shownHash } from '../approval/hash.ts';
export { NO_APPROVER, unapproved } from '../approval/questions.ts';
export { isBlank } from '../blank.ts';
export {
  BlockedError,
  blockReasonWith,
  forgetBlocked,
  isBlockedError,
  noteBlocked,
  type Refused,
  type RefusedForm,
  type RefusedOption,
} from '../blocked.ts';
export { canonicalJson, isSameInput, isSameShape } from '../plain.ts';
export { isSamePrincipal, principalFrom } from '../principal.ts';
export { isSchema, parse, type SchemaIssue, type StandardSchema } from '../schema.ts';
export { forgetRun } from '../session/context.ts';
export { rootOf } from '../session/root.ts';
export { after, isThenable } from '../thenable.ts';
export { errorText, failureText, refusalText, SAME_ID } from '../tool-call/refusal.ts';
export { noteHookedAgain } from '../tool-call/rename.ts';
export { type AttachingFunction, Attachment, type UnaskedHook, type UnfiredEvents } from './attachment.ts';
export { type AttachOptions, approverOption, type PrincipalOption, sharedOptions } from './options.ts';
export {
  adoptSession,
  attachAdapter,
  concerns,
  decides,
  forgetPaused,
  hears,
  isPaused,
  registered,
  takeContext,
  warnOnce,
} from './registry.ts';
export { ResultNames } from './result-names.ts';
export { SeenMessages } from './seen-messages.ts';
export { besideText, joinParts, spreadParts, spreadText, type TextParts } from './spread-text.ts';
export { standIn } from './stand-in.ts';
export {
  type AdapterDeclaration,
  type EventSupport,
  emulated,
  native,
  none,
  observed,
  type SupportCell,
  type SupportTable,
} from './support.ts';
