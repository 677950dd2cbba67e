import {
  AfterModelCall,
  block,
  createHooks,
  proceed,
  retry,
} from '@hooks/core';

const hooks = createHooks();
hooks.on(AfterModelCall, ({ response, attempt }) => {
  // An answer that calls tools is not the last word.
  if (response.toolCalls.length > 0) return proceed();
  if (/\bguarantee/i.test(response.text))
    return block('The answer promised something that we do not promise.');
  if (!response.text.includes('Sources:') && attempt < 2)
    return retry('Name your sources, in a line that begins with "Sources:".');
  return proceed({ note: 'sources are named' });
});

const session = hooks.session('chat-1');
const ask = (text: string, attempt = 1, toolCalls: { callId: string }[] = []) =>
  hooks.dispatch(AfterModelCall, {
    session,
    iteration: 1,
    attempt,
    response: {
      text,
      toolCalls: toolCalls.map(({ callId }) => ({
        callId,
        toolName: 'search',
        input: {},
      })),
    },
  });

for (const decision of [
  await ask('Let me look.', 1, [{ callId: 'c1' }]),
  await ask('It is 42.'),
  await ask('It is 42. Sources: the handbook.', 2),
  await ask('We guarantee it.'),
])
  console.log(decision.kind, 'reason' in decision ? decision.reason : '');
