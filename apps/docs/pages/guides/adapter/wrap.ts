import {
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  proceed,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

/** A tool of the framework. */
interface Tool {
  readonly name: string;
  readonly run: (input: string) => Promise<string>;
}

/** A copy of the tool, around which hooks are asked. */
function hookTool(tool: Tool, hooks: Hooks): Tool {
  const run = async (input: string): Promise<string> => {
    const call = { session: hooks.session(), toolName: tool.name, input };
    const outcome = await callTool(hooks, call, (effective) =>
      tool.run(String(effective)),
    );
    if (outcome.status === 'ok') return String(outcome.output);
    if (outcome.status === 'error') throw outcome.error;
    return outcome.message ?? ''; // blocked or denied: the model reads why
  };
  return { name: tool.name, run };
}

// A user of it:
const hooks = createHooks();
hooks.guard(BeforeToolCall, ({ toolName }) =>
  toolName.startsWith('delete') ? block('Not on this machine.') : proceed(),
);
const search: Tool = {
  name: 'search',
  run: async (query) => `3 results for "${query}"`,
};
const deleteAll: Tool = { name: 'delete_all', run: async () => 'gone' };
for (const tool of [search, deleteAll])
  console.log(`${tool.name}: ${await hookTool(tool, hooks).run('shoes')}`);
