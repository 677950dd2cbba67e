import type { ToolKind } from '@hooks/core';
import type { ToolSpec } from '../../src/index.ts';

/** A tool of an agent. */
export interface Tool extends Omit<ToolSpec, 'execute'> {
  readonly kind: ToolKind;
  readonly execute: (input: never, options: ToolOptions) => unknown;
}

/** What a tool's function is given beside its input. */
interface ToolOptions {
  readonly signal?: AbortSignal | undefined;
  readonly callId: string;
  readonly inside: unknown;
}

/** The framework's own tool around what a scenario wants to be done. */
export function frameworkTool(spec: ToolSpec): Tool {
  return { ...spec, name: `workflow-${spec.name}`, kind: 'framework' };
}

/** What the model reads of an output. */
export function text(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}

/** What the model reads of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
