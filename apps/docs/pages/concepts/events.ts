import {
  BeforeToolCall,
  createHooks,
  HookEvent,
  modify,
  proceed,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
const order: string[] = [];

hooks.observe(BeforeToolCall, () => order.push('log'));
hooks.guard(BeforeToolCall, () => {
  order.push('guard');
  return proceed();
});
hooks.on(BeforeToolCall.matching('search'), ({ input }) => {
  order.push('rewrite');
  return modify({ input: String(input).toLowerCase() });
});

const seen: string[] = [];
hooks.observe(HookEvent, ({ type }) => seen.push(`saw ${type}`));

const call = {
  session: hooks.session('chat-1'),
  toolName: 'search',
  input: 'LOWER',
};
const { output } = await callTool(hooks, call, (input) => input);
console.log('in order:', order.join(', '));
console.log(output);
console.log(seen.join('\n'));
