import { markHooked } from '@hooks/core';
import { standIn } from '@hooks/core/adapter';
import { needsApproval } from '../approval/policy.ts';
import type { SdkFunctionTool } from '../internals.ts';
import type { Registries } from '../registries.ts';
import { HookedTool, hookedToolOf, type ToolPlace } from './call.ts';
import { withoutCustomData } from './replaced-output.ts';

const POLICY = Symbol('hooks.policy');

/** The tool under hooks, at its place: of one that is hooked already, the tool behind them, and they go on to hook it. */
export function hook<T extends SdkFunctionTool>(
  tool: T,
  registries: Registries,
  place: ToolPlace,
): HookedTool<T> {
  const known = hookedToolOf(tool);
  if (known === undefined) return new HookedTool(tool, registries, place);
  const { invoke } = known.tool;
  // With what else the copy has.
  const behind = standIn(tool, {
    // The SDK's own function is known by its text.
    invoke: Object.hasOwn(known.tool, 'invoke') ? invoke : invoke.bind(known.tool),
    ...(POLICY in tool.needsApproval && { needsApproval: known.tool.needsApproval }),
  });
  return new HookedTool(behind, registries.around(known.standing), place);
}

/**
 * The copy that stands in a tool's place: same name, schema and options, its calls through the hooks.
 *
 * @param asks whether hooks are asked when the SDK asks whether a call needs approval
 */
export function hookedCopy<T extends SdkFunctionTool>(hooked: HookedTool<T>, asks: boolean): T {
  const { tool, invoke } = hooked;
  const policy = asks && { needsApproval: Object.assign(needsApproval(hooked), { [POLICY]: true }) };
  return markHooked(standIn(withoutCustomData(tool), { invoke, ...policy }), tool);
}
