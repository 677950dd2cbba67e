import { flow } from '@hooks/flow';
import { z } from 'zod';

const tools = {
  send_email: {
    inputSchema: z.object({ to: z.array(z.string()), body: z.string() }),
    execute: async () => ({ id: 'm1' }),
  },
};

// Names of tools and of their arguments are types: `form: ['to']` or `from: ['too']` do not compile.
const policy = flow.for(tools)({
  sinks: { send_email: { from: ['to'], text: ['body'] } },
});
console.log(policy.name); // flow
