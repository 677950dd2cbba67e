import type { Chain } from '../dispatch/chain.ts';
import { SessionEnd, SessionStart } from '../event/catalogue/session.ts';
import type { PointData } from '../event/event.ts';
import { canonicalName } from '../match.ts';
import type { Hooks } from '../registry/hooks.ts';
import { internalOf } from '../registry/internal.ts';
import { takeContributed } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { pausedAs, TOOL_POINTS } from '../tool-call/active-call.ts';
import { abandonPaused } from '../tool-call/split.ts';
import type { ToolCall } from '../tool-call/types.ts';
import { AttachedAdapters } from './attached.ts';
import type { AdapterDeclaration } from './support.ts';

/**
 * Declares what an adapter supports. Throws for hooks that may refuse but would never be obeyed, now and at later
 * registrations. Logs a warning for other hooks on unsupported events.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`
 */
export function attachAdapter(
  hooks: Hooks,
  {
    supports,
    tools = [],
    allowUnsupported = [],
  }: AdapterDeclaration & { readonly allowUnsupported?: readonly string[] | undefined },
): void {
  const internal = internalOf(hooks);
  internal.adapters ??= new AttachedAdapters(internal.warnOnce, internal.options);
  // Matchers meet the names that the user has set.
  const canonical = tools.map((name) => canonicalName(name, internal.options));
  internal.adapters.add({ supports, tools: canonical }, allowUnsupported, internal.registrations());
}

/**
 * Whether any hook applies to calls of this tool. If not, call the tool directly. Warns of typos in matchers: a hook whose
 * matcher has one does not apply, and a tool that is hooked on its own has no run that would warn.
 */
export function concerns(hooks: Hooks, toolName: string): boolean {
  const { adapters, registrations } = internalOf(hooks);
  adapters?.warnOfTypos(registrations());
  return (
    TOOL_POINTS.some((point) => hears(hooks, point, toolName)) ||
    [SessionStart, SessionEnd].some((point) => hears(hooks, point))
  );
}

/** Returns a new object whenever a hook is registered or removed, so that you can cache what depends on the hooks. */
export function registered(hooks: Hooks): object {
  return internalOf(hooks).registrations();
}

/**
 * Whether any hook would run for an event. If not, you need not even create the event. Without a tool's name, hooks that are
 * limited to some tools do not count; see `Attachment.hearsOfAnyTool`.
 */
export function hears(hooks: Hooks, point: PointData, toolName?: string): boolean {
  return !chainOf(hooks, point, toolName).empty;
}

/** Whether any hook may change or refuse an event, so observers do not count. */
export function decides(hooks: Hooks, point: PointData, toolName?: string): boolean {
  return chainOf(hooks, point, toolName).deciders.length > 0;
}

/** The hooks for an event and, if given, a tool. */
function chainOf(hooks: Hooks, point: PointData, toolName: string | undefined): Chain {
  const { chain, options } = internalOf(hooks);
  return chain(point, toolName === undefined ? undefined : canonicalName(toolName, options));
}

/**
 * Whether this very call paused in this process, so that no hook runs twice when it resumes. Describe it as for
 * `callTool`: with its `run`, too, if it had one.
 */
export function isPaused(
  hooks: Hooks,
  { session, ...call }: Pick<ToolCall, 'session' | 'callId' | 'run' | 'principal' | 'toolName' | 'input'>,
): boolean {
  return pausedAs(internalOf(hooks).state(session), call) !== undefined;
}

/**
 * The context for the next model call of a run, for a system message that is not stored: the session's, the run's, and
 * that for one call, which is returned only once.
 */
export function takeContext(hooks: Hooks, session: Session, run?: string): readonly string[] {
  // Who asks models uses the session.
  internalOf(hooks).state(session).idle = 0;
  return takeContributed(session, run);
}

/**
 * Forgets the paused calls with that id. If one resumes, it is a new call, and hooks run again. One that paused while its
 * tool ran ends for hooks, with this reason.
 */
export function forgetPaused(hooks: Hooks, session: Session, callId: string, reason: string): Promise<void> {
  return abandonPaused(internalOf(hooks).state(session), { callId }, reason);
}

/** The session with that id, which another process opened. `SessionStart` does not fire here. */
export function adoptSession(hooks: Hooks, id: string): Session {
  const session = internalOf(hooks).state(hooks.session(id));
  session.state = 'open';
  return session;
}

/** Calls the registry's `onWarning`, once for each message. */
export function warnOnce(hooks: Hooks, message: string): void {
  internalOf(hooks).warnOnce(message);
}
