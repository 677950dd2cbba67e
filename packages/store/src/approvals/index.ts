export {
  answerApproval,
  type InboxAnswer,
  type InboxOptions,
  inbox,
  type WaitingApproval,
  waitingApprovals,
} from './inbox.ts';
