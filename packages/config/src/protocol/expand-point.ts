import type { PointData, ToolDescriptor } from '@hooks/core';
import { allowedBy, expandNames, meantBy } from './tool-names.ts';
import { mcpNamesOf } from './tools.ts';

/** What the name of a tool says about it in an agent. */
export type DescribeTool = (toolName: string) => Pick<ToolDescriptor, 'kind' | 'server'> | undefined;

/**
 * The point of a hook whose matcher means tools by their names in every agent. That of a rule which allows tools means fewer.
 *
 * @param describe what the agent's names of tools say
 */
export function expandPoint<P extends PointData>(point: P, describe: DescribeTool): P {
  const { pattern, allows, otherNames } = point.tools ?? {};
  // That of a built-in in a file has other names already.
  if (pattern === undefined || otherNames !== undefined) return point;
  const does = allows ? 'allow' : 'restrict';
  const tools = {
    ...point.tools,
    pattern: typeof pattern === 'string' ? expandNames(pattern, allows ? allowedBy : meantBy) : pattern,
    otherNames: (name: string) => mcpNamesOf(name, describe(name), String(pattern), does),
  };
  return { ...point, tools };
}
