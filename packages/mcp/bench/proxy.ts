/** Usage: `node proxy.ts none|two <server command>` */
import { BeforeToolCall, createHooks, modify, proceed, TransformToolResult } from '@hooks/core';
import { proxy } from '../src/index.ts';

const [, , which, command = '', ...args] = process.argv;
const hooks = createHooks();
if (which === 'two') {
  hooks.guard(BeforeToolCall, ({ toolName }) =>
    toolName === 'echo' ? proceed() : modify({ approval: { kind: 'required', reason: '' } }),
  );
  hooks.on(TransformToolResult, ({ output }) =>
    JSON.stringify(output).includes('SECRET') ? modify({ output: '' }) : proceed(),
  );
}
process.exitCode = await proxy({ hooks, upstream: { command, args } });
