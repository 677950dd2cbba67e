import { BeforeToolCall, block, type HookProvider, modify, proceed } from '@hooks/core';
import {
  hashInput,
  type PinStore,
  pinTool,
  type ToolParts,
  TransformServerMessage,
} from '@hooks/core/tool-call';
import { type Fields, hasDisguised, isFields } from '../message/message.ts';
import { markPinned, OfferTool } from './offer.ts';

/**
 * Pins what a server says of itself: its instructions, and its tools, prompts, resources and resource templates. When
 * one is first seen, stores hashes of its title, description, schemas, arguments and annotations. If one of them changes,
 * the tool, prompt or resource is hidden and cannot be called, and the instructions are withheld; the reason says which.
 * To accept a change, delete the pin.
 *
 * @param store a store of `@hooks/store`
 * @param server a stable name for the server. Its pins are stored under `mcp-pins/<server>/`
 */
export function pinServer(store: PinStore, server: string): HookProvider {
  return {
    name: 'mcp:pin-server',
    register(hooks) {
      const prefix = `mcp-pins/${server}/`;
      hooks.guard(OfferTool, async ({ session, tool, listed }) => {
        const { name, title, description, inputSchema, outputSchema, annotations } = tool;
        const key = `${prefix}${await hashInput(name)}`;
        if (!listed)
          return (await store.get(key))
            ? block(`List the tools before calling ${name}: it is pinned.`)
            : proceed();
        const parts = { title, description, inputSchema, outputSchema, annotations };
        const changed = await pinTool(store, key, name, parts);
        if (changed.length > 0) return block(reasonOf(`tool ${name}`, changed, key));
        markPinned(session, name);
        return proceed();
      });

      const pins = new MessagePins(store, prefix);
      hooks.on(
        TransformServerMessage,
        (message) => {
          if (message.kind !== 'result') return proceed();
          const kind = LISTS.find(({ method }) => method === message.method);
          if (kind !== undefined) return pins.checkList(message, kind);
          return INTRODUCTIONS.includes(message.method) ? pins.checkInstructions(message) : proceed();
        },
        // Before hooks that change it: what the server says is pinned.
        { id: 'server-message', priority: 1_000 },
      );
      hooks.guard(
        BeforeToolCall.matching('prompts/get|resources/read'),
        ({ toolName, input, tool }) => {
          const { name, uri } = isFields(input) ? input : {};
          const [what, key] = toolName === 'prompts/get' ? ['prompt', name] : ['resource', uri];
          const reason = pins.hidden.get(placeOf(what, key, tool?.server));
          return reason === undefined ? proceed() : block(reason);
        },
        { id: 'hidden', allowUnknown: true },
      );
    },
  };
}

/** The pins of what a server sends beside its tools. */
class MessagePins {
  readonly #store: PinStore;
  readonly #prefix: string;
  /** Why prompts and resources are hidden, by server and name. */
  readonly hidden = new Map<string, string>();

  constructor(store: PinStore, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  async checkInstructions({ content, server }: TransformServerMessage) {
    refuseDisguised(content, INSTRUCTIONS);
    const { instructions } = content;
    const reason = await this.#compare('instructions', '', { instructions }, server);
    return reason === undefined ? proceed() : modify({ content: { ...content, instructions: reason } });
  }

  async checkList({ content, server }: TransformServerMessage, kind: ListKind) {
    refuseDisguised(content, new Set([kind.list]));
    const listed: unknown = content[kind.list];
    if (!Array.isArray(listed)) return proceed();
    const kept: unknown[] = [];
    for (const item of listed) if (await this.#keeps(item, server, kind)) kept.push(item);
    return kept.length === listed.length ? proceed() : modify({ content: { ...content, [kind.list]: kept } });
  }

  /** Whether an item of a list is shown. */
  async #keeps(item: unknown, server: string | undefined, kind: ListKind) {
    if (!isFields(item)) return false;
    const name = item[kind.key];
    if (typeof name !== 'string' || hasDisguised(item, new Set([kind.key, ...kind.parts]))) return false;
    const parts = Object.fromEntries(kind.parts.map((part) => [part, item[part]]));
    const reason = await this.#compare(kind.what, name, parts, server);
    const place = placeOf(kind.what, name, server);
    if (reason === undefined) this.hidden.delete(place);
    else this.hidden.set(place, reason);
    return reason === undefined;
  }

  /** Why it is not available: it differs from its pin. */
  async #compare(what: string, name: string, parts: ToolParts, from: string | undefined) {
    const label = `${what} ${name}`.trim();
    const key = `${this.#prefix}${await hashInput([from ?? null, what, name])}`;
    const changed = await pinTool(this.#store, key, label, parts);
    return changed.length > 0 ? reasonOf(label, changed, key) : undefined;
  }
}

const INSTRUCTIONS: ReadonlySet<string> = new Set(['instructions']);

/** A client that ignores case would read what is not pinned. If a hook throws, the message is withheld. */
function refuseDisguised(content: Fields, names: ReadonlySet<string>): void {
  if (hasDisguised(content, names)) throw new Error(`there is another spelling of ${[...names].join()}`);
}

/** Results in which a server introduces itself. */
const INTRODUCTIONS = ['initialize', 'server/discover'];

/** A list whose items are pinned: where their names are, and what of them. */
interface ListKind {
  readonly method: string;
  readonly what: string;
  readonly list: string;
  readonly key: string;
  readonly parts: readonly string[];
}

const LISTS: readonly ListKind[] = [
  {
    method: 'prompts/list',
    what: 'prompt',
    list: 'prompts',
    key: 'name',
    parts: ['title', 'description', 'arguments'],
  },
  {
    method: 'resources/list',
    what: 'resource',
    list: 'resources',
    key: 'uri',
    parts: ['name', 'title', 'description'],
  },
  {
    method: 'resources/templates/list',
    what: 'resource template',
    list: 'resourceTemplates',
    key: 'uriTemplate',
    parts: ['name', 'title', 'description'],
  },
];

function placeOf(what: string, name: unknown, server: string | undefined): string {
  return JSON.stringify([server, what, name]);
}

function reasonOf(what: string, changed: readonly string[], key: string): string {
  return `The ${what} ${what === 'instructions' ? 'are' : 'is'} not available: the server changed its ${changed.join(', ')} after it was pinned. To accept the change, delete the pin ${key} (\`hooks pins forget\`).`;
}
