import { BeforeToolCall, createHooks, proceed } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { createSandbox, localSandbox, routeTo } from '@hooks/sandbox';

const hooks = createHooks();
const sandbox = createSandbox(localSandbox());
hooks.use(sandbox); // its files live as long as the agent's session

hooks.on(BeforeToolCall.matching('shell'), (call) => {
  const { command } = call.input as { command: string };
  return command.includes('rm ') ? routeTo(sandbox, { command }) : proceed();
});

// An adapter makes this call for you, around the tools of your framework.
const call = {
  session: hooks.session('demo'),
  toolName: 'shell',
  input: { command: 'rm -rf ~/* && echo gone' },
};
const outcome = await callTool(
  hooks,
  call,
  () => 'this would have run on your machine',
);
console.log(outcome.output ?? outcome.message);
await hooks.close();
