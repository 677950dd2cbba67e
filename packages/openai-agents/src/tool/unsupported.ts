import type { SdkTool } from '../internals.ts';
import type { Registries } from '../registries.ts';
import { supports } from '../supports.ts';

/**
 * Refuses hooks that may refuse calls of a tool that is not a function: the provider or the SDK runs them, so that hooks
 * cannot be asked.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`
 */
export function refuseUnseen(tool: SdkTool, registries: Registries, agent?: string): void {
  // What it finds is hooked.
  if (tool.name === 'tool_search') return;
  const runs = tool.type === 'hosted_tool' ? 'the provider runs' : 'the SDK runs by itself';
  const because = `a tool of the kind ${tool.type}, which ${runs}`;
  for (const name of namesOf(tool)) registries.checkReach({ supports, name, agent, because });
}

/** Its name, and those of the tools of an MCP server behind it, where it says to which of them it is limited. */
function namesOf(tool: SdkTool): readonly string[] {
  const { providerData } = tool as HostedMcp;
  return [tool.name, ...(providerData?.allowed_tools?.tool_names ?? [])];
}

interface HostedMcp extends SdkTool {
  readonly providerData?: { readonly allowed_tools?: { readonly tool_names?: readonly string[] } };
}
