import { z } from 'zod';
import type { SubagentSpec } from '../../src/index.ts';
import type { Running } from './run.ts';
import { runSubagent } from './subagent.ts';
import { frameworkTool, type Tool } from './tool.ts';

/** The tools of the agent in control. */
export function toolsOf(running: Running): readonly Tool[] {
  const { tools, subagents = [], handoffs = [], frameworkTool: own } = running.spec;
  return [
    ...tools.map((tool) => ({ kind: 'function' as const, ...tool })),
    ...running.mcpTools,
    ...(own === undefined ? [] : [frameworkTool(own)]),
    ...subagents.map((sub) => agentTool(running, sub)),
    ...handoffs.map(({ name, description }) => transferTool(name, description)),
  ];
}

function agentTool(running: Running, sub: SubagentSpec): Tool {
  return {
    name: sub.name,
    description: sub.description,
    kind: 'agent',
    schema: z.object({ task: z.string() }),
    execute: ({ task }: { readonly task: string }, { callId }) => runSubagent(running, sub, task, callId),
  };
}

/** A handoff. Control passes when the turn is over. The call itself does nothing and is not a tool call to hooks. */
function transferTool(name: string, description: string): Tool {
  const execute = () => `${name} has control.`;
  return { name: `transfer_to_${name}`, description, kind: 'hosted', schema: z.object({}), execute };
}
