// Another process of the desk: 15 calls of one customer. Prints how many ran.
import { type Form, openDesk } from './desk.ts';

const [, , form = '', folder = '', customer = ''] = process.argv;
const { agent, ...desk } = await openDesk(form as Form, folder, customer);
let ran = 0;
for (let call = 0; call < 15; call++)
  if ((await agent.callTool('read_order', { customer })).status === 'ok') ran++;
console.log(ran);
await desk[Symbol.asyncDispose]();
