import { benchAsync, benchSync } from './dispatch.ts';
import { benchMemory, benchToolCall } from './tool-call.ts';

await benchSync();
await benchAsync();
await benchToolCall();
await benchMemory();
