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
  type RememberApprovalsOptions,
  type RememberedApproval,
  type RememberedApprovals,
  rememberApprovals,
} from './remembered.ts';
