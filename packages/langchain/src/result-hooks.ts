import { AfterToolCall, type Hooks, TransformToolResult } from '@hooks/core';
import { decides, hears } from '@hooks/core/adapter';

const EVENTS = [TransformToolResult, AfterToolCall];

/** Whether hooks are told of the results of a tool. */
export function isResultHeard(hooks: Hooks, toolName: string): boolean {
  return EVENTS.some((event) => hears(hooks, event, toolName));
}

/** Whether hooks may change or refuse the results of a tool. */
export function mayChangeResult(hooks: Hooks, toolName: string): boolean {
  return EVENTS.some((event) => decides(hooks, event, toolName));
}
