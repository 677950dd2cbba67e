import type { ToolKind } from '@hooks/core';
import type { ToolSpec } from '../../src/index.ts';

/** A tool of an agent. */
export interface Tool extends Omit<ToolSpec, 'execute'> {
  readonly kind: ToolKind;
  readonly execute: (input: never, options: ToolOptions) => unknown;
}

/** The second argument of a tool's function. */
interface ToolOptions {
  readonly signal?: AbortSignal | undefined;
  readonly callId: string;
  readonly inside: unknown;
}

/** The framework's own tool with a scenario's function. */
export function frameworkTool(spec: ToolSpec): Tool {
  return { ...spec, name: `workflow-${spec.name}`, kind: 'framework' };
}

/** An output as text for the model. */
export function text(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}

/** An error as text for the model. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
