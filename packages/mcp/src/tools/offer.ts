import {
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  type EventPayload,
  type EventToken,
  HookEvent,
  type HookProvider,
  type Hooks,
  type Principal,
  proceed,
  type Session,
} from '@hooks/core';
import { concerns, hears, isSamePrincipal, registered } from '@hooks/core/adapter';
import { PINNED_TOOLS } from '@hooks/core/tool-call';
import type { Fields } from '../message/message.ts';

/** A tool, as the server describes it in `tools/list`. */
export interface ToolDefinition extends Fields {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Fields;
  readonly outputSchema?: Fields;
  readonly annotations?: Fields;
}

/**
 * A server offers a tool. Fires for each tool of `tools/list`, and for a tool that is called before it was listed, of
 * which only the name is known. A blocked tool is not in the list, and its calls are refused with the reason.
 *
 * - Permits Block.
 * - A failed hook blocks.
 */
export interface OfferTool extends EventPayload {
  readonly tool: ToolDefinition;
  /** Whether the server has listed the tool, so that `tool` is the whole definition. */
  readonly listed: boolean;
  /** The prefix of the server in a gateway. */
  readonly server?: string;
}
export const OfferTool: EventToken<OfferTool, 'block'> = defineEvent<OfferTool>()({
  type: 'mcp_offer_tool',
  permits: ['block'],
  extends: HookEvent,
});

/**
 * Hides tools and refuses their calls.
 *
 * @param names a regular expression for whole names, `delete_.*|drop_.*`
 * @throws HooksError `CONFIG_INVALID` if it is none, or cannot be matched in linear time
 */
export function hideTools(names: string): HookProvider {
  // Core matches in linear time: the names come from servers.
  const matcher = createHooks();
  matcher.guard(BeforeToolCall.matching(names), () => proceed(), { allowUnknown: true });
  return {
    name: 'mcp:hide-tools',
    register(hooks) {
      hooks.guard(OfferTool, ({ tool }) =>
        concerns(matcher, tool.name) ? block(`The tool ${tool.name} is not available here.`) : proceed(),
      );
    },
  };
}

/** A listed tool. */
export interface KnownTool {
  readonly definition: ToolDefinition;
  /** Why the tool is hidden. Undefined if it is not. */
  readonly hidden: string | undefined;
  readonly pinned: boolean;
  /** The hooks that have decided on it: see `registered` of core. */
  readonly decidedBy: object;
  /** For whom they have decided. */
  readonly decidedFor: Caller;
}

/** The tools that a server has listed to a user, by name. */
export type KnownTools = Map<string, KnownTool>;

/** Who lists or calls a tool. */
interface Caller {
  readonly agent: string | undefined;
  readonly principal: Principal | undefined;
}

/** From which server to whom a tool is offered. */
interface Offering extends Caller {
  readonly server: string | undefined;
}

/** An offer without its session. */
type Offered = Offering & Pick<OfferTool, 'tool' | 'listed'>;

/** Whether the hooks of today have decided on a tool for this caller: a user's roles may differ in each request. */
export function isDecided({ decidedBy, decidedFor }: KnownTool, hooks: Hooks, caller: Caller): boolean {
  return (
    decidedBy === registered(hooks) &&
    decidedFor.agent === caller.agent &&
    isSamePrincipal(decidedFor.principal, caller.principal)
  );
}

/** Runs the hooks that decide whether a tool is offered. */
export async function offer(hooks: Hooks, session: Session, offered: Offered): Promise<KnownTool> {
  const { tool, listed, server, agent, principal } = offered;
  const decided = { definition: tool, decidedBy: registered(hooks), decidedFor: { agent, principal } };
  if (!hears(hooks, OfferTool)) return { ...decided, hidden: undefined, pinned: false };
  const decision = await hooks.dispatch(OfferTool, {
    session,
    tool,
    listed,
    ...(server !== undefined && { server }),
    ...(agent !== undefined && { agent }),
    ...(principal !== undefined && { principal }),
  });
  const hidden = decision.kind === 'block' ? decision.reason : undefined;
  return { ...decided, hidden, pinned: isPinned(session, tool.name) };
}

/** Marks a tool as pinned in a session. A call may come in another session than the list. */
export function markPinned(session: Session, name: string): void {
  session.get(PINNED_TOOLS, () => new Set()).add(name);
}

function isPinned(session: Session, name: string): boolean {
  return session.get(PINNED_TOOLS)?.has(name) ?? false;
}
