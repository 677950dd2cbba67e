import type { Chain } from '../dispatch/chain.ts';
import { SessionEnd, SessionStart } from '../event/catalogue/session.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
} from '../event/catalogue/tool.ts';
import type { PointData } from '../event/event.ts';
import { canonicalName } from '../match.ts';
import type { Hooks } from '../registry/hooks.ts';
import { internalOf } from '../registry/internal.ts';
import { takeContributed } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { pausedAs } from '../tool-call/active-call.ts';
import type { ToolCall } from '../tool-call/types.ts';
import { AttachedAdapters } from './attached.ts';
import type { Attachment } from './support.ts';

/**
 * Says what an adapter cannot do, so that a refusing hook that would never be obeyed there is refused itself: those
 * registered already, and those registered later. Hooks that only look or add are warned of.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`
 */
export function attachAdapter(hooks: Hooks, attachment: Attachment): void {
  const internal = internalOf(hooks);
  internal.adapters ??= new AttachedAdapters(internal.warnOnce);
  // Matchers meet the names that the user has set.
  const tools = attachment.tools?.map((name) => canonicalName(name, internal.options)) ?? [];
  internal.adapters.add({ ...attachment, tools }, internal.registrations());
}

/** Whether anything applies to calls of this tool; where not, the adapter calls the tool directly. */
export function concerns(hooks: Hooks, toolName: string): boolean {
  const { known } = internalOf(hooks);
  const before = known.get(toolName);
  if (before !== undefined) return before;
  const events = [
    BeforeToolCall,
    PermissionRequest,
    ToolApprovalDecision,
    TransformToolResult,
    AfterToolCall,
  ];
  const concerned =
    events.some((point) => hears(hooks, point, toolName)) ||
    hears(hooks, SessionStart) ||
    hears(hooks, SessionEnd);
  known.set(toolName, concerned);
  return concerned;
}

/** Whether no hook is registered at all. */
export function isIdle(hooks: Hooks): boolean {
  return internalOf(hooks).registrations().length === 0;
}

/** Another object whenever a hook has been registered or removed: what follows from the hooks can be kept until then. */
export function registered(hooks: Hooks): object {
  return internalOf(hooks).registrations();
}

/** Whether any hook would be asked or shown an event; where none, the event need not even be made. */
export function hears(hooks: Hooks, point: PointData, toolName?: string): boolean {
  return !chainOf(hooks, point, toolName).empty;
}

/** Whether any hook would be asked about an event, and may thus change or refuse what it is about. */
export function decides(hooks: Hooks, point: PointData, toolName?: string): boolean {
  return chainOf(hooks, point, toolName).deciders.length > 0;
}

/** The hooks of an event, and of a tool under whatever name. */
function chainOf(hooks: Hooks, point: PointData, toolName: string | undefined): Chain {
  const { chain, options } = internalOf(hooks);
  return chain(point, toolName === undefined ? undefined : canonicalName(toolName, options));
}

/** Whether this very call paused for approval in this process, so that taking it up again asks no hook twice. */
export function isPaused(
  hooks: Hooks,
  {
    session,
    callId,
    ...call
  }: Pick<ToolCall, 'session' | 'toolName' | 'input'> & { readonly callId: string },
): boolean {
  return pausedAs(internalOf(hooks).state(session), callId, call) !== undefined;
}

/**
 * What the next model call of a run is to be told, as a system message that is stored nowhere: the session's context, the
 * run's, and that for one call, which is handed out once.
 */
export function takeContext(hooks: Hooks, session: Session, run?: string): readonly string[] {
  // Who asks models uses the session.
  internalOf(hooks).state(session).idle = 0;
  return takeContributed(session, run);
}

/** Forgets a call that paused: what is taken up under its id is another call, about which hooks are asked anew. */
export function forgetPaused(hooks: Hooks, session: Session, callId: string): void {
  internalOf(hooks).state(session).paused?.delete(callId);
}

/** Whether any hook may change or refuse the results of this tool: what it streams meanwhile has to wait for that. */
export function decidesResult(hooks: Hooks, toolName: string): boolean {
  return decides(hooks, TransformToolResult, toolName) || decides(hooks, AfterToolCall, toolName);
}

/** The session of that id, which another process has opened: its `SessionStart` is not fired here. */
export function adoptSession(hooks: Hooks, id: string): Session {
  const session = internalOf(hooks).state(hooks.session(id));
  session.state = 'open';
  return session;
}

/** Tells the developer something, once for each message: to the registry's `onWarning`. */
export function warnOnce(hooks: Hooks, message: string): void {
  internalOf(hooks).warnOnce(message);
}
