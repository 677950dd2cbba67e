import {
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  markHooked,
  proceed,
  type SupportTable,
} from '@hooks/core';
import { attachAdapter, concerns } from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';

/** A tool of the framework. */
interface Tool {
  readonly name: string;
  readonly run: (input: string) => Promise<string>;
}

const byFunction = { level: 'emulated', note: 'Around the function.' } as const;
const supports: SupportTable = {
  adapter: 'acme-adapter',
  // … every event of the catalogue
  events: {
    before_tool_call: { fires: byFunction, decisions: { block: byFunction } },
  },
};

/** The adapter: a copy of the tool, around which hooks are asked. */
export function hookTool(tool: Tool, hooks: Hooks): Tool {
  attachAdapter(hooks, { supports, tools: [tool.name] });
  const copy: Tool = {
    name: tool.name,
    run: async (input) => {
      if (!concerns(hooks, tool.name)) return tool.run(input);
      const call = { session: hooks.session(), toolName: tool.name, input };
      const outcome = await callTool(hooks, call, (effective) =>
        tool.run(String(effective)),
      );
      if (outcome.status === 'ok') return String(outcome.output);
      if (outcome.status === 'error') throw outcome.error;
      return outcome.message ?? '';
    },
  };
  return markHooked(copy, tool);
}

// A user of the adapter:
const hooks = createHooks();
hooks.guard(BeforeToolCall, ({ toolName }) =>
  toolName.startsWith('delete') ? block('Not on this machine.') : proceed(),
);
const search: Tool = {
  name: 'search',
  run: async (query) => `3 results for "${query}"`,
};
const deleteAll: Tool = { name: 'delete_all', run: async () => 'gone' };
for (const tool of [search, deleteAll]) {
  console.log(`${tool.name}: ${await hookTool(tool, hooks).run('shoes')}`);
}
