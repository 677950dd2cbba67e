import type { ModelTool } from '@hooks/core';

/** A tool of a request to a model. */
export interface RequestTool {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The tools of a request, as hooks see them. */
export function toolsOf(tools: readonly RequestTool[]): ModelTool[] {
  return tools.map((native) => {
    const { name, description } = native;
    return { name, native, description };
  });
}

/** A request with the tools that hooks left: fewer, or with other descriptions. */
export function withTools<P extends { readonly tools?: readonly object[] }>(
  params: P,
  left: readonly ModelTool[] | undefined,
): P {
  if (params.tools === undefined || left === undefined) return params;
  const tools = changedTools(params.tools, left);
  return { ...withoutLostChoice(params, tools), tools };
}

function changedTools<T extends object>(tools: readonly T[], left: readonly ModelTool[]): T[] {
  return tools.flatMap((tool) => {
    const { name, description: own }: Partial<RequestTool> = tool;
    const kept = left.find((one) => one.name === name);
    if (kept === undefined) return [];
    const { description = own } = kept;
    // Tools that the provider runs have no description.
    return [description === own || !('inputSchema' in tool) ? tool : { ...tool, description }];
  });
}

/** Which tool a model has to call, in the protocol's words. */
type ToolChoice = { readonly type: string; readonly toolName?: string } | undefined;

/** Without the choice of a tool that hooks took away: providers refuse to be told to call one that they do not have. */
function withoutLostChoice<P extends object>(
  params: P & { readonly toolChoice?: ToolChoice },
  tools: readonly object[],
): P {
  const { toolChoice, ...rest } = params;
  const has = (name: string): boolean => tools.some((tool) => Reflect.get(tool, 'name') === name);
  const isKept = toolChoice?.toolName === undefined ? tools.length > 0 : has(toolChoice.toolName);
  return isKept ? params : (rest as P); // the choice is optional in every version
}
