import { BeforeToolCall, block, type HookProvider, modify, proceed, TransformToolResult } from '@hooks/core';

/** Refuses one city, rewrites another, and removes a word from every result. */
const policy: HookProvider = {
  name: 'by-city',
  register(hooks) {
    hooks.on(BeforeToolCall.matching('weather'), ({ input }) => {
      const { city } = Object(input);
      if (city === 'Atlantis') return block('There is no such city.');
      return city === 'Rom' ? modify({ input: { city: 'Rome' } }) : proceed();
    });
    hooks.on(TransformToolResult, ({ output }) =>
      modify({ output: JSON.parse(JSON.stringify(output).replaceAll('SECRET', '***')) }),
    );
  },
};

export default policy;
