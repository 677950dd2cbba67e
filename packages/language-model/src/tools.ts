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

/** The tools of a request as hooks left them: fewer, or with other descriptions. */
export function changedTools<T extends object>(tools: readonly T[], left: readonly ModelTool[]): T[] {
  return tools.flatMap((tool) => {
    const { name, description: own }: Partial<RequestTool> = tool;
    const kept = left.find((one) => one.name === name);
    if (kept === undefined) return [];
    const { description = own } = kept;
    // Tools that the provider runs have no description.
    return [description === own || !('inputSchema' in tool) ? tool : { ...tool, description }];
  });
}
