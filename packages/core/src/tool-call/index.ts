export { hashInput } from '../approval.ts';
export { answerToolCall, beginToolCall, callTool, finishToolCall } from './call.ts';
export type * from './types.ts';
