import { type Hooks, markHooked } from '@hooks/core';
import { isPolicy } from '../approval/own-policy.ts';
import { copyWith, type SdkFunctionTool } from '../internals.ts';
import type { Attached } from '../options.ts';
import type { HookedCalls } from './call.ts';
import { keepDefinition } from './definition.ts';
import { withoutCustomData } from './replaced-output.ts';

/** The hooked copy of a function tool: same name, schema and options, its calls through the pipeline. */
export function hookedCopy<T extends SdkFunctionTool>(calls: HookedCalls<T>, more: object = {}): T {
  const { tool, attached, invoke } = calls;
  const copy = copyWith(withoutCustomData(tool), { invoke, ...more });
  keepDefinition(copy, {
    ...calls.definition,
    hooked: true,
    run: (invocation) => calls.take(invocation, false),
  });
  hooked.set(invoke, { calls, by: new Set([...(hookedOf(tool)?.by ?? []), attached.hooks]) });
  return markHooked(copy, tool);
}

/** Whether calls of this tool go through these hooks. */
export function isHooked(tool: SdkFunctionTool, hooks: Hooks): boolean {
  return hookedOf(tool)?.by.has(hooks) ?? false;
}

/**
 * What a run hooks of a tool, and under which options: of one that the same hooks were the last to hook, the tool behind
 * it, with what else the copy has. Who approves is said by the run, or else by whoever has hooked the tool.
 */
export function hookable(
  tool: SdkFunctionTool,
  attached: Attached,
): { readonly tool: SdkFunctionTool; readonly attached: Attached } {
  const calls = hookedOf(tool)?.calls;
  if (calls?.attached.hooks !== attached.hooks) return { tool, attached };
  const { invoke, needsApproval } = calls.tool;
  const behind = copyWith(tool, { invoke, ...(isPolicy(tool.needsApproval) && { needsApproval }) });
  return {
    tool: keepDefinition(behind, calls.definition),
    attached: attached.options.approval === undefined ? calls.attached : attached,
  };
}

interface Hooked {
  readonly calls: HookedCalls;
  readonly by: ReadonlySet<Hooks>;
}

/** By the function that is called, which the SDK and its users hand on when they copy a hooked tool (into a namespace). */
const hooked: WeakMap<SdkFunctionTool['invoke'], Hooked> = new WeakMap();

/** A copy of another name is another tool. */
function hookedOf({ name, invoke }: SdkFunctionTool): Hooked | undefined {
  const found = hooked.get(invoke);
  return found?.calls.tool.name === name ? found : undefined;
}
