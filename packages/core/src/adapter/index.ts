export {
  adoptSession,
  attachAdapter,
  concerns,
  hears,
  isPaused,
  maxAttempts,
  reportError,
  warnOnce,
} from './door.ts';
export type { Attachment, EventSupport, SupportCell, SupportTable } from './support.ts';
