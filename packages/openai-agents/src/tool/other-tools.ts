import { standIn } from '@hooks/core/adapter';
import { type SdkTool, searchKey } from '../internals.ts';
import type { Registries } from '../options.ts';
import { supports } from '../supports.ts';

/** The user's function that finds tools which the agent was not given. */
type Executor = (search: { readonly availableTools: readonly SdkTool[] }) => unknown;

/**
 * A tool search whose finds are hooked: the SDK adds them to the tools of an agent without asking the agent. Any other tool, and one
 * that finds tools of the agent only, is left as it is.
 */
export function hookedSearch(tool: SdkTool, hook: (found: SdkTool) => Promise<SdkTool>): SdkTool {
  const key = searchKey(tool);
  if (key === undefined) return tool;
  const execute = Reflect.get(tool, key) as Executor;
  const hooked: Executor = async (search) => {
    const found = await execute(search);
    const hookOne = (one: SdkTool) => (search.availableTools.includes(one) ? one : hook(one));
    if (Array.isArray(found)) return Promise.all(found.map(hookOne));
    return typeof found === 'object' && found !== null ? hookOne(found as SdkTool) : found;
  };
  return Object.defineProperty(standIn(tool, {}), key, { value: hooked, configurable: true });
}

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
