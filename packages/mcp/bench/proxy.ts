/** Usage: `node proxy.ts none|two <server command>` */
import { createHooks } from '@hooks/core';
import { proxy } from '../src/index.ts';
import { guardAndRedaction } from './hooks.ts';

const [, , which, command = '', ...args] = process.argv;
const hooks = which === 'two' ? guardAndRedaction() : createHooks();
process.exitCode = await proxy({ hooks, upstream: { command, args } });
