/** A proxy with a hook that never answers: `node hanging-hook.ts -- <server command>`. */
import { BeforeToolCall, createHooks } from '@hooks/core';
import { proxy } from '../../src/index.ts';

const hooks = createHooks();
hooks.guard(BeforeToolCall, () => new Promise(() => {}));
const [, command = '', ...args] = process.argv.slice(2);
process.exitCode = await proxy({ hooks, upstream: { command, args } });
