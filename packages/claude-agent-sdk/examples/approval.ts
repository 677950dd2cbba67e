import { hookedQuery, pendingApprovals } from '@hooks/claude-agent-sdk';
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';

const hooks = createHooks();
hooks.on(BeforeToolCall.matching('Bash'), () =>
  requireApproval('It runs a command.'),
);

const options = { tools: ['Bash'], settingSources: [] };

// The query ends with the call that waits. Store this message.
const first = hookedQuery({ prompt: 'What is the time?', options }, hooks, {
  approval: 'native',
});
let paused: unknown;
let sessionId = '';
for await (const message of first)
  if (message.type === 'result') {
    paused = message;
    sessionId = message.session_id;
  }

// Later, also in another process: a person has seen the input, and approves it.
const [call] = await pendingApprovals(paused);
const answers = call ? [{ ...call, decision: 'allow' as const }] : [];
const second = hookedQuery(
  { prompt: '', options: { ...options, resume: sessionId } },
  hooks,
  {
    approval: 'native',
    answers,
  },
);
let answer = '';
for await (const message of second)
  if (message.type === 'result' && message.subtype === 'success')
    answer = message.result;
console.log(answer); // I read: noon
