export {
  answerApproval,
  answerReceived,
  type InboxOptions,
  inbox,
  requestIds,
  type WaitingApproval,
  waitingApprovals,
} from './inbox.ts';
export { type ArgumentRule, type InputPattern, type InputRules, textOf } from './pattern.ts';
export {
  forgetApproval,
  listRememberedApprovals,
  type RememberApprovalsOptions,
  type RememberedApproval,
  type RememberedApprovals,
  rememberApprovals,
} from './remembered.ts';
