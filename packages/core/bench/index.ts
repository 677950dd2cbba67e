import { benchAsync, benchSync } from './dispatch.ts';
import { benchToolCall } from './tool-call.ts';

await benchSync();
await benchAsync();
await benchToolCall();
