import { type HookProvider, modify, TransformToolResult } from '@hooks/core';

/** Replaces every result with a text. */
const policy: HookProvider = {
  name: 'replaces',
  register(hooks) {
    hooks.on(TransformToolResult, () => modify({ output: 'REPLACED' }));
  },
};

export default policy;
