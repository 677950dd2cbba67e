import {
  AfterToolCall,
  BeforeToolCall,
  HooksError,
  PermissionRequest,
  TransformToolResult,
} from '@hooks/core';
import { warnOnce } from '@hooks/core/adapter';
import type { SdkTool } from '../internals.ts';
import type { Registry } from '../registries.ts';

const EVENTS = [BeforeToolCall, PermissionRequest, TransformToolResult, AfterToolCall];

/**
 * Checks a tool that is not a function. The provider or the SDK runs its calls, so hooks cannot.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a hook applies to it that may refuse
 */
export function checkReach(tool: SdkTool, registry: Registry, agent?: string): void {
  // What it finds is hooked.
  if (tool.name === 'tool_search') return;
  for (const name of namesOf(tool)) check(tool, name, registry, agent);
}

function check(tool: SdkTool, name: string, { hooks, options }: Registry, agent: string | undefined): void {
  for (const event of EVENTS) {
    const { type, permits } = event.spec;
    for (const { id, verb, agents } of hooks.get(event, name)) {
      if (agent !== undefined && agents !== undefined && !meets(agents, agent)) continue;
      const message = `@hooks/openai-agents cannot ask hook "${id}" about calls of "${name}", a tool of the kind ${tool.type}, which ${tool.type === 'hosted_tool' ? 'the provider runs' : 'the SDK runs by itself'}`;
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

/** Its name, and those of the tools of an MCP server behind it, where it says to which of them it is limited. */
function namesOf(tool: SdkTool): readonly string[] {
  const { providerData } = tool as HostedMcp;
  return [tool.name, ...(providerData?.allowed_tools?.tool_names ?? [])];
}

interface HostedMcp extends SdkTool {
  readonly providerData?: { readonly allowed_tools?: { readonly tool_names?: readonly string[] } };
}

/** Whether a pattern of agents, as it was written, is met by a name. */
function meets(pattern: string, name: string): boolean {
  return pattern === '*' || new RegExp(`^(?:${pattern})$`).test(name);
}
