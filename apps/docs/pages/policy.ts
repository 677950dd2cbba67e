import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';

export const hooks = createHooks();

hooks.guard(BeforeToolCall.matching('shell'), ({ input }) =>
  JSON.stringify(input).includes('rm -rf')
    ? block('Name the folder that you want to delete.')
    : proceed(),
);
