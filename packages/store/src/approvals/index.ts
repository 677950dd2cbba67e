export {
  answerApproval,
  type InboxAnswer,
  type InboxOptions,
  inbox,
  type WaitingApproval,
  waitingApprovals,
} from './inbox.ts';
export type { InputPattern } from './pattern.ts';
export {
  forget,
  listRemembered,
  type RememberedApproval,
  type RememberedApprovals,
  type RememberOptions,
  rememberApprovals,
} from './remembered.ts';
