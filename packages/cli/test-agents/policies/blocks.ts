import { BeforeToolCall, block, type HookProvider, proceed } from '@hooks/core';

/** Refuses any call that names `precious`. */
const policy: HookProvider = {
  name: 'blocks',
  register(hooks) {
    hooks.on(BeforeToolCall, ({ input }) =>
      JSON.stringify(input).includes('precious') ? block('precious stays; work on a copy') : proceed(),
    );
  },
};

export default policy;
