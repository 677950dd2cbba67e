import type { Chain } from '../chain.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
} from '../events/tool.ts';
import type { HooksInternal } from '../hooks.ts';

/** The compiled hooks of all events of one tool's calls. */
export interface CallChains {
  readonly before: Chain;
  readonly permission: Chain;
  readonly decided: Chain;
  readonly transform: Chain;
  readonly after: Chain;
}

/** The chains for calls of a tool, compiled once until a hook is registered or removed. */
export function callChains(internal: HooksInternal, toolName: string): CallChains {
  const cache = internal.callChains();
  const known = cache.get(toolName);
  if (known !== undefined) return known;
  const chains = {
    before: internal.chain(BeforeToolCall, toolName),
    permission: internal.chain(PermissionRequest, toolName),
    decided: internal.chain(ToolApprovalDecision, toolName),
    transform: internal.chain(TransformToolResult, toolName),
    after: internal.chain(AfterToolCall, toolName),
  };
  cache.set(toolName, chains);
  return chains;
}
