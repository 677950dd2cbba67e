import {
  BeforeToolCall,
  createHooks,
  grantApproval,
  PermissionRequest,
  proceed,
  requireApproval,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.on(BeforeToolCall.matching('send_.*'), ({ toolName }) =>
  requireApproval(`${toolName} reaches other people.`),
);
hooks.on(PermissionRequest, ({ input }) =>
  String(input).endsWith('@acme.test') ? grantApproval('one of us') : proceed(),
);

const send = (to: string) =>
  callTool(
    hooks,
    { session: hooks.session('chat-1'), toolName: 'send_mail', input: to },
    () => 'sent',
    {
      // adapters take this as an option; here a person would be asked
      approval: ({ reason }) => ({
        decision: 'deny',
        reason: `Nobody agreed: ${reason}`,
      }),
    },
  );
console.log((await send('ann@acme.test')).status); // ok
console.log((await send('eve@evil.test')).message); // Nobody agreed: send_mail reaches other people.
