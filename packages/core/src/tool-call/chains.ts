import type { Chain, Registration } from '../chain.ts';
import { SessionEnd, SessionStart } from '../events/session.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
} from '../events/tool.ts';
import type { HooksInternal } from '../hooks.ts';
import { canonicalName } from '../match.ts';

/** The compiled hooks of all events of one tool's calls. */
export interface CallChains {
  /** The tool's canonical name. */
  readonly toolName: string;
  readonly before: Chain;
  readonly permission: Chain;
  readonly decided: Chain;
  readonly transform: Chain;
  readonly after: Chain;
  /** Whether any hook applies to its calls, or to the session that a call opens. */
  readonly concerned: boolean;
}

/** The chains for calls of tools, as long as the hooks are these. */
export interface CompiledCalls {
  readonly of: readonly Registration[];
  readonly byName: Map<string, CallChains>;
}

/** The chains for calls of a tool, by any of its names; compiled once until a hook is registered or removed. */
export function callChains(internal: HooksInternal, name: string): CallChains {
  const of = internal.registrations();
  if (internal.calls?.of !== of) internal.calls = { of, byName: new Map() };
  const { byName } = internal.calls;
  const known = byName.get(name);
  if (known !== undefined) return known;
  const chains = compile(internal, name);
  byName.set(name, chains);
  return chains;
}

function compile(internal: HooksInternal, name: string): CallChains {
  const toolName = canonicalName(name, internal.options);
  const before = internal.chain(BeforeToolCall, toolName);
  const permission = internal.chain(PermissionRequest, toolName);
  const decided = internal.chain(ToolApprovalDecision, toolName);
  const transform = internal.chain(TransformToolResult, toolName);
  const after = internal.chain(AfterToolCall, toolName);
  const session = [internal.chain(SessionStart), internal.chain(SessionEnd)];
  const concerned = [before, permission, decided, transform, after, ...session].some(({ empty }) => !empty);
  return { toolName, before, permission, decided, transform, after, concerned };
}
