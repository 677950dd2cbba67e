import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  decisionName,
  proceed,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.use({
  name: 'acme',
  register: (acme) => {
    acme.guard(
      BeforeToolCall,
      ({ input }) =>
        String(input).startsWith('deploy')
          ? block('Deployments are made by the pipeline.')
          : proceed(),
      { id: 'no-deploy' },
    );
  },
});
hooks.observe(AfterToolCall, () => {}, { id: 'runs' });

hooks.trace(({ event, hooks: asked, decision }) => {
  const entry = {
    session: event.session.id,
    event: event.type,
    tool: 'toolName' in event ? event.toolName : undefined,
    decision: decisionName(decision),
    by: decision.kind === 'block' ? decision.by : undefined,
    asked: asked.map(({ id }) => id),
  };
  console.log(JSON.stringify(entry));
});

const session = hooks.session('chat-1');
const shell = { session, toolName: 'shell', input: 'deploy production' };
await callTool(hooks, shell, () => 'deployed');
const search = { session, toolName: 'search', input: 'shoes' };
await callTool(hooks, search, () => '3 results');
