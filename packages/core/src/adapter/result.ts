import type { PointData } from '../event.ts';
import { AfterToolCall, TransformToolResult } from '../events/tool.ts';
import type { Hooks } from '../hooks.ts';
import { decides, hears } from './door.ts';

const EVENTS: readonly PointData[] = [TransformToolResult, AfterToolCall];

/** Whether any hook is told of the results of this tool. */
export function hearsResult(hooks: Hooks, toolName: string): boolean {
  return EVENTS.some((event) => hears(hooks, event, toolName));
}

/** Whether any hook may change or refuse the results of this tool: what it streams meanwhile has to wait for that. */
export function decidesResult(hooks: Hooks, toolName: string): boolean {
  return EVENTS.some((event) => decides(hooks, event, toolName));
}
