import { type DescribeTool, DIALECTS } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  described,
  eventsOf,
  type Outcome,
  type Reply,
  readEvent,
  separatedBy,
} from './agent.ts';
import type { Capabilities } from './carries.ts';
import { settle } from './decisions.ts';
import { textOf } from './text.ts';

const capabilities: Capabilities = {
  title: 'OpenCode',
  carries: {
    call: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.input': 'yes',
      'modify.toolName': 'refused',
      'modify.execute': 'refused',
      'modify.context': 'left out',
      'require approval': 'refused',
      'grant approval': 'left out',
    },
    result: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.output': 'yes',
      'modify.context': 'yes',
      retry: 'refused',
    },
  },
};

const byServer = separatedBy('_');

/** Its own tools with an underscore, but for those that read what MCP servers have. */
const OWN: readonly string[] = ['apply_patch', 'plan_enter', 'plan_exit'];

/** `server_tool`, as which OpenCode also names tools of the workspace. */
const describe: DescribeTool = (toolName) => (OWN.includes(toolName) ? undefined : byServer(toolName));

/** OpenCode has plugins and no commands as hooks, so the events are ours, sent by the plugin that the documentation shows. */
export const opencode: Agent = {
  ...capabilities,
  events: new Set(['before_tool_call', ...eventsOf('after_tool_call')]),
  describe,
  read: (json) => described(readEvent(DIALECTS.hooks, capabilities.title, json), describe),
  write,
};

function write(event: AgentEvent, outcome: Outcome): Reply {
  const { block, patch, warning } = settle(capabilities, event, outcome);
  const told = warning === undefined ? {} : { stderr: warning };
  // Exit code 2 makes the plugin throw: OpenCode then does not run the call, or withholds the result.
  if (block) return { exitCode: 2, stderr: block.reason };
  const { input, output, context = [] } = patch;
  const text = output ?? (context.length > 0 ? event.data.fields['output'] : undefined);
  const stdout = {
    ...(input !== undefined && { input }),
    ...(text !== undefined && { output: [textOf(text), ...context].join('\n\n') }),
  };
  return { ...told, exitCode: 0, ...(Object.keys(stdout).length > 0 && { stdout }) };
}
