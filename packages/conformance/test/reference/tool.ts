import type { ToolKind } from '@hooks/core';
import type { ToolSpec } from '../../src/index.ts';

/** A tool of an agent. */
export interface Tool extends ToolSpec {
  readonly kind: ToolKind;
}

/** The framework's own tool around what a scenario wants to be done. */
export function frameworkTool(spec: ToolSpec): Tool {
  return { ...spec, name: `workflow-${spec.name}`, kind: 'framework' };
}
