export { after, isThenable } from '../thenable.ts';
export { forgetRun, takeContext } from './context.ts';
export {
  adoptSession,
  attachAdapter,
  concerns,
  decides,
  forgetPaused,
  hears,
  isIdle,
  isPaused,
  maxAttempts,
  registered,
  warnOnce,
} from './door.ts';
export { refusalText } from './refusal.ts';
export { decidesResult, hearsResult } from './result.ts';
export type { Attachment, EventSupport, SupportCell, SupportTable } from './support.ts';
