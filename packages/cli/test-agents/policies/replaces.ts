import { type HookProvider, modify, TransformToolResult } from '@hooks/core';

/** Puts a text in the place of every result. */
const policy: HookProvider = {
  name: 'replaces',
  register(hooks) {
    hooks.on(TransformToolResult, () => modify({ output: 'REPLACED' }));
  },
};

export default policy;
