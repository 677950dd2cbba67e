import { BeforeToolCall, block, type HookProvider, proceed } from '@hooks/core';

/** A policy with one guard, in TypeScript. */
const policy: HookProvider = {
  name: 'bench-policy',
  register(hooks) {
    hooks.on(BeforeToolCall, ({ input }) =>
      JSON.stringify(input).includes('rm -rf') ? block('no rm') : proceed(),
    );
  },
};

export default policy;
