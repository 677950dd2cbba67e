export { hashInput } from '../approval/hash.ts';
export { boundsOf, type CheckedBounds } from '../approval/remember.ts';
export { TransformServerMessage } from '../event/server-message.ts';
export { callTool } from './call.ts';
export { PINNED_TOOLS, type PinStore, pinTool, type ToolParts, type ToolPin, toolDigest } from './pin.ts';
export { recheckToolCall } from './recheck.ts';
export { answerToolCall, beginToolCall, finishToolCall } from './split.ts';
export type * from './types.ts';
