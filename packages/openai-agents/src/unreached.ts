import {
  AfterToolCall,
  BeforeToolCall,
  HooksError,
  PermissionRequest,
  TransformToolResult,
} from '@hooks/core';
import { warnOnce } from '@hooks/core/adapter';
import type { Attached } from './options.ts';
import type { SdkTool } from './sdk.ts';

const EVENTS = [BeforeToolCall, PermissionRequest, TransformToolResult, AfterToolCall];

/**
 * Looks at a tool that is no function: its calls are the provider's or the SDK's own, and hooks are not asked about them.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a hook applies to it that may refuse
 */
export function checkReach(tool: SdkTool, { hooks, options }: Attached, agent?: string): void {
  // What it finds is hooked.
  if (tool.name === 'tool_search') return;
  for (const event of EVENTS) {
    const { type, permits } = event.spec;
    for (const { id, verb, agents } of hooks.get(event, tool.name)) {
      if (agent !== undefined && agents !== undefined && !meets(agents, agent)) continue;
      const message = `@hooks/openai-agents cannot ask hook "${id}" about calls of "${tool.name}", a tool of the kind ${tool.type}, which ${tool.type === 'hosted_tool' ? 'the provider runs' : 'the SDK runs by itself'}`;
      const refuses = verb !== 'observe' && permits.includes('block');
      if (refuses && options.allowUnsupported?.includes(type) !== true)
        throw new HooksError('UNSUPPORTED_EVENT', `${message} (or list "${type}" in allowUnsupported).`, {
          hook: id,
          event: type,
        });
      warnOnce(hooks, `${message}.`);
    }
  }
}

/** Whether a pattern of agents, as it was written, is met by a name. */
function meets(pattern: string, name: string): boolean {
  return pattern === '*' || new RegExp(`^(?:${pattern})$`).test(name);
}
