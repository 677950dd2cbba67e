import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { pii } from '@hooks/guards';

const hooks = createHooks();
hooks.use(
  pii({
    kinds: { email: 'mask', phone: 'redact', iban: 'mask', card: 'block' },
    hashKey: 'a key of your own',
  }),
);

const session = hooks.session('example');
const read = (answer: string) =>
  callTool(hooks, { session, toolName: 'crm', input: {} }, () => answer);
console.log(
  (await read('ann@acme.dev, +41 44 668 18 00, DE89 3704 0044 0532 0130 00'))
    .output,
);
console.log((await read('paid with 4242 4242 4242 4242')).output);
// a***@acme.dev, [REDACTED:phone#527deafa], DE** **** 3000
// Withheld (pii/card): the result contains a card number. Request only the fields that you need.
