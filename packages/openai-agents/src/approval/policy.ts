import type { SdkContext } from '../internals.ts';
import { currentRun } from '../run/hooked-run.ts';
import type { HookedTool } from '../tool/call.ts';
import { checkOfCall } from '../tool/definition.ts';
import { parsed } from '../tool/schema.ts';

type Policy = (context: SdkContext, input: unknown, callId?: string) => Promise<boolean>;

/**
 * The approval policy of a hooked tool: in a hooked run hooks are asked when the SDK asks whether the call needs approval, and not
 * again when it runs. The SDK pauses where a person is to be asked.
 */
export function needsApproval(hooked: HookedTool): Policy {
  const { tool, definition, place } = hooked;
  return async (context, input, callId) => {
    const asks = await tool.needsApproval(context, await parsed(definition.parameters, input), callId);
    const run = currentRun();
    if (run === undefined || run.single || !run.owns(context, place.agent?.name ?? '')) return asks;
    const { registries } = hooked;
    if (callId === undefined || !(asks || registries.isNative) || !hooked.isConcerned(registries))
      return asks;
    const raw = JSON.stringify(input);
    const details = { toolCall: { callId, name: tool.name, arguments: raw } };
    const call = hooked.begin(run, { context, input: raw, details }, input, asks);
    const begun = await run.beginTool(
      { ...hooked.describe(call, run), callId },
      {
        check: checkOfCall(hooked.check, definition, call.invocation),
        inner: hooked.standing.attached(),
        capabilities: hooked.capabilities(call, run),
        runsIn: 'callTool',
      },
    );
    // Approvers are asked in place, when the SDK invokes the tool.
    return begun.kind === 'ask' && begun.native;
  };
}
