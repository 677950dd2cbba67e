import {
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { openclawTools } from '@hooks/core/presets';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks({ ...openclawTools });

// message.before sets a tag, params.before reads it.
hooks.on(UserPromptSubmit, ({ prompt }) =>
  modify({ metadata: { hard: prompt.includes('debug') } }),
);
hooks.on(BeforeRun, ({ metadata, settings }) =>
  metadata['hard'] === true
    ? modify({ settings: { ...settings, reasoningEffort: 'high' } })
    : proceed(),
);

// tool.before and tool.after, by names and groups.
const command = (input: unknown): string => String(Object(input).command);
hooks.on(
  BeforeToolCall.matching('exec'),
  ({ input }) => (command(input).includes('--force') ? block('Push without --force.') : proceed()),
  { id: 'no-force', priority: 100 },
);
hooks.on(TransformToolResult.matching('group:runtime'), ({ output }) =>
  typeof output === 'string' ? modify({ output: output.replace(/sk-\w+/g, 'sk-***') }) : proceed(),
);

const session = hooks.session('chat-1');
for (const text of ['git push --force', 'env']) {
  // bash is a name of exec.
  const call = { session, toolName: 'bash', input: { command: text } };
  const { output, message } = await callTool(hooks, call, () => 'KEY=sk-123');
  console.log(output ?? message);
}
await hooks.close();
