import type { ToolDescriptor } from '@hooks/core';
import type { ApprovalParts } from '../approval/own-approval.ts';

/** What a tool tells of itself. */
export interface ToolParts extends ApprovalParts {
  readonly id?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly mcpMetadata?: unknown;
  readonly mcp?: { readonly annotations?: ToolDescriptor['annotations'] };
}

/** How hooks see a tool. */
export function describe(tool: ToolParts): ToolDescriptor {
  const { description, mcpMetadata, mcp } = tool;
  return {
    kind: mcpMetadata === undefined ? 'function' : 'mcp',
    ref: tool,
    ...(description !== undefined && { description }),
    ...(mcp?.annotations !== undefined && { annotations: mcp.annotations }),
  };
}
