import { type Hooks, markHooked } from '@hooks/core';
import { keepDefinition } from './definition.ts';
import { copyWith, type SdkFunctionTool } from './sdk.ts';
import type { HookedCalls } from './tool.ts';

/** The hooked copy of a function tool: same name, schema and options, its calls through the pipeline. */
export function hookedCopy<T extends SdkFunctionTool>(calls: HookedCalls<T>, more: object = {}): T {
  const { tool, attached, invoke } = calls;
  const copy = copyWith(tool, { invoke, ...more });
  keepDefinition(copy, { ...calls.definition, run: (invocation) => calls.take(invocation, false) });
  hookedCalls.set(invoke, { name: tool.name, by: new Set([...hooksOf(tool), attached.hooks]) });
  return markHooked(copy, tool);
}

/** Whether calls of this tool go through these hooks. */
export function isHooked(tool: SdkFunctionTool, hooks: Hooks): boolean {
  return hooksOf(tool).has(hooks);
}

/**
 * By the function that is called, which the SDK and its users hand on when they copy a hooked tool (into a namespace).
 * A copy of another name is another tool.
 */
const hookedCalls: WeakMap<
  SdkFunctionTool['invoke'],
  { readonly name: string; readonly by: ReadonlySet<Hooks> }
> = new WeakMap();
const NOBODY: ReadonlySet<Hooks> = new Set();

function hooksOf({ name, invoke }: SdkFunctionTool): ReadonlySet<Hooks> {
  const hooked = hookedCalls.get(invoke);
  return hooked?.name === name ? hooked.by : NOBODY;
}
