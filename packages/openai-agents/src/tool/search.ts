import { standIn } from '@hooks/core/adapter';
import { type SdkTool, searchKey } from '../internals.ts';

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
