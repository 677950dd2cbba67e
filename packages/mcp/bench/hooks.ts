import { BeforeToolCall, createHooks, type Hooks, modify, proceed, TransformToolResult } from '@hooks/core';

/** A guard that lets `echo` pass, and a redaction that reads each result. */
export function guardAndRedaction(): Hooks {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ toolName }) =>
    toolName === 'echo' ? proceed() : modify({ approval: { kind: 'required', reason: '' } }),
  );
  hooks.on(TransformToolResult, ({ output }) =>
    JSON.stringify(output).includes('SECRET') ? modify({ output: '' }) : proceed(),
  );
  return hooks;
}
