import { copyWith, hiddenKey, type SdkTool } from '../internals.ts';

/** What finds tools that an agent was not given, as the user of the SDK wrote it. */
type Executor = (search: { readonly availableTools: readonly SdkTool[] }) => unknown;

/**
 * A tool search whose finds are hooked: the SDK adds them to the tools of an agent without asking the agent. Undefined
 * where the tool is none, or one that finds tools of the agent only.
 */
export function hookedSearch(tool: SdkTool, hook: (found: SdkTool) => Promise<SdkTool>): SdkTool | undefined {
  const key = hiddenKey(tool, 'clientToolSearchExecutor');
  if (key === undefined) return undefined;
  const execute = Reflect.get(tool, key) as Executor;
  const hooked: Executor = async (search) => {
    const found = await execute(search);
    const hookOne = (one: SdkTool) => (search.availableTools.includes(one) ? one : hook(one));
    if (Array.isArray(found)) return Promise.all(found.map(hookOne));
    return typeof found === 'object' && found !== null ? hookOne(found as SdkTool) : found;
  };
  return Object.defineProperty(copyWith(tool, {}), key, { value: hooked, configurable: true });
}
