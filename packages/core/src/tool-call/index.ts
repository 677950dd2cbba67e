export { hashInput } from '../approval.ts';
export { answerToolCall, beginToolCall, callTool, finishToolCall } from './call.ts';
export { turnEndOf } from './turn-end.ts';
export type * from './types.ts';
