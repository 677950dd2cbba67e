// Another process of the desk: ten calls of one customer. Prints how many ran.
import { testAgent } from '@hooks/core/testing';
import { createSandbox, localSandbox } from '@hooks/sandbox';
import { sqliteStore } from '@hooks/store/sqlite';
import { supportPolicy } from '../src/policy.ts';

const [, , path = '', customer = ''] = process.argv;
const store = sqliteStore(path);
const agent = testAgent(supportPolicy(store, createSandbox(localSandbox())), {
  principal: { id: customer },
  sessionId: `chat of ${process.pid}`,
});
let ran = 0;
for (let call = 0; call < 15; call++)
  if ((await agent.callTool('read_order', { customer })).status === 'ok') ran++;
console.log(ran);
await agent[Symbol.asyncDispose]();
await store.close();
