import { SessionEnd, SessionStart } from '../event/catalogue/session.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
} from '../event/catalogue/tool.ts';
import { canonicalName } from '../match.ts';
import type { Chain, Registration } from '../registry/chain.ts';
import type { HooksInternal } from '../registry/hooks.ts';

/** The compiled hooks of all events of one tool's calls. */
export interface CallChains {
  /** The name under which the tool is called. */
  readonly nativeToolName: string;
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
  /** Those asked for last: about one call an adapter and the pipeline ask several times in a row. */
  last: CallChains | undefined;
}

/** The chains for calls of a tool, by any of its names; compiled once until a hook is registered or removed. */
export function callChains(internal: HooksInternal, name: string): CallChains {
  const of = internal.registrations();
  if (internal.calls?.of !== of) internal.calls = { of, byName: new Map(), last: undefined };
  const { calls } = internal;
  if (calls.last?.nativeToolName === name) return calls.last;
  const chains = calls.byName.get(name) ?? compile(internal, name);
  calls.byName.set(name, chains);
  calls.last = chains;
  return chains;
}

function compile(internal: HooksInternal, nativeToolName: string): CallChains {
  const toolName = canonicalName(nativeToolName, internal.options);
  const before = internal.chain(BeforeToolCall, toolName);
  const permission = internal.chain(PermissionRequest, toolName);
  const decided = internal.chain(ToolApprovalDecision, toolName);
  const transform = internal.chain(TransformToolResult, toolName);
  const after = internal.chain(AfterToolCall, toolName);
  const session = [internal.chain(SessionStart), internal.chain(SessionEnd)];
  const concerned = [before, permission, decided, transform, after, ...session].some(({ empty }) => !empty);
  return { nativeToolName, toolName, before, permission, decided, transform, after, concerned };
}
