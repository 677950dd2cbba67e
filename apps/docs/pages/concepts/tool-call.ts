import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  grantApproval,
  modify,
  PermissionRequest,
  recordTraces,
  requireApproval,
  TransformToolResult,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.on(BeforeToolCall, () => requireApproval('It reaches production.'), {
  id: 'ask',
});
hooks.on(PermissionRequest, () => grantApproval('The night shift agreed.'), {
  id: 'night-shift',
});
hooks.on(
  TransformToolResult,
  ({ output }) =>
    modify({ output: String(output).replace(/ghp_\w+/, '[token]') }),
  { id: 'redact' },
);
hooks.observe(AfterToolCall, () => {}, { id: 'log' });

const recorder = recordTraces();
hooks.trace(recorder.listener);

const call = {
  session: hooks.session('chat-1'),
  toolName: 'deploy',
  input: { target: 'prod' },
};
const { status, output } = await callTool(
  hooks,
  call,
  () => 'deployed with ghp_0123456789',
);
console.log(recorder.lines().join('\n'));
console.log(status, output);
