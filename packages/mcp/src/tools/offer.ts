import {
  block,
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
import { hears } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
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
 * A server offers a tool: asked for each tool of `tools/list`, and for a tool that is called before it was listed, of which
 * only the name is known. A tool that is blocked is not in the list, and its calls are refused with the reason.
 *
 * - Permits Block.
 * - A failed hook blocks.
 */
export interface OfferTool extends EventPayload {
  readonly tool: ToolDefinition;
  /** Whether the server has listed it, so that `tool` is the whole definition. */
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
 * Hides tools, and refuses their calls.
 *
 * @param names a regular expression for whole names, `delete_.*|drop_.*`
 */
export function hideTools(names: string): HookProvider {
  const hidden = new RegExp(`^(?:${names})$`, 's');
  return {
    name: 'mcp:hide-tools',
    register(hooks) {
      hooks.guard(OfferTool, ({ tool }) =>
        hidden.test(tool.name) ? block(`The tool ${tool.name} is not available here.`) : proceed(),
      );
    },
  };
}

/** Where pins are kept; a store of `@hooks/store` is one. */
export interface PinStore {
  get(key: string): Promise<{ readonly value: unknown } | undefined>;
  /** Writes a value where there is none yet. */
  set(key: string, value: string, options: { readonly expected: null }): Promise<unknown>;
}

/**
 * Pins tools: what a server says of a tool when it is seen for the first time (title, description, schemas, annotations)
 * is remembered, and the tool is hidden when that changes. To accept a change, delete the pin.
 *
 * @param server a name for the server that stays the same; its pins are under `mcp-pins/<server>/`
 */
export function pinTools(store: PinStore, server: string): HookProvider {
  return {
    name: 'mcp:pin-tools',
    register(hooks) {
      hooks.guard(OfferTool, async ({ tool, listed }) => {
        const { name, title, description, inputSchema, outputSchema, annotations } = tool;
        const key = `mcp-pins/${server}/${await hashInput(name)}`;
        const known = await store.get(key);
        if (!listed) return known ? block(`List the tools before calling ${name}: it is pinned.`) : proceed();
        const shown = { title, description, inputSchema, outputSchema, annotations };
        const pin = await hashInput([name, shown]);
        if (known === undefined) await store.set(key, pin, { expected: null });
        return ((await store.get(key)) ?? { value: pin }).value === pin
          ? proceed()
          : block(
              `The description of ${name} has changed since it was pinned, so the tool is not available. The pin is ${key}.`,
            );
      });
    },
  };
}

/** What is known of a tool. */
export interface KnownTool {
  readonly definition: ToolDefinition;
  /** Why it is hidden. */
  readonly hidden: string | undefined;
}

/** The tools that a server has listed to a user, by name. */
export type KnownTools = Map<string, KnownTool>;

/** What is known of an offer beside the session; who it is for, where anybody tells. */
interface Offered extends Pick<OfferTool, 'tool' | 'listed'> {
  readonly server: string | undefined;
  readonly agent: string | undefined;
  readonly principal: Principal | undefined;
}

/** Asks whether a tool is offered. */
export async function offer(hooks: Hooks, session: Session, offered: Offered): Promise<KnownTool> {
  const { tool, listed, server, agent, principal } = offered;
  if (!hears(hooks, OfferTool)) return { definition: tool, hidden: undefined };
  const decision = await hooks.dispatch(OfferTool, {
    session,
    tool,
    listed,
    ...(server !== undefined && { server }),
    ...(agent !== undefined && { agent }),
    ...(principal !== undefined && { principal }),
  });
  return { definition: tool, hidden: decision.kind === 'block' ? decision.reason : undefined };
}
