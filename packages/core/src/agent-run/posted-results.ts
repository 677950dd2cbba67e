import { hashInput } from '../approval/hash.ts';
import type { Registration } from '../dispatch/chain.ts';
import { AfterToolCall, TransformToolResult } from '../event/catalogue/tool.ts';
import { canonicalName } from '../match.ts';
import { identityOf } from '../principal.ts';
import { internalOf } from '../registry/internal.ts';
import { sessionKey } from '../session/session.ts';
import type { Attached, Begun, ToolCallOutcome, ToolResult } from '../tool-call/types.ts';
import type { AgentRun, RunToolCall } from './agent-run.ts';

/** The registries that hook a tool; an `Attachment` is such a list. */
export interface ResultHooks {
  decidesResult(toolName: string): boolean;
  attached(): readonly Attached[];
}

/** How an adapter reads and writes the messages that hold the results of tools. */
export interface ResultPort<Item> {
  /** The registries that hook a tool; undefined where the adapter cannot tell which tool that is. */
  registriesOf(toolName: string | undefined): ResultHooks;
  /** Everything of a result that the model reads, with its call. What counts is its JSON, because that is what a client posts. */
  shown(item: Item): unknown;
  /** The item as hooks left its result. */
  write(item: Item, outcome: ToolCallOutcome): Item;
  /** The item with a text in place of its result. */
  withhold(item: Item, text: string): Item;
}

/** A result in messages that a client has posted. */
export interface PostedResult<Item> {
  readonly item: Item;
  /** The call that it answers. */
  readonly call: RunToolCall & { readonly callId: string };
  readonly result: ToolResult;
  /** The tool that the result itself names, and others that a model may take it for the result of. */
  readonly names?: Iterable<string>;
  /** Whether hooks that only look on hear of it, too: it ends a call that its client has run. */
  readonly ends?: boolean;
  /** What has begun of that call in this process. */
  readonly begun?: () => Promise<Begun | undefined>;
}

/** The tool results that a session's runs have produced or decided on, as digests: of what, by which hooks, for whom. */
const KNOWN = sessionKey<Set<string>>('@hooks/core/known-results');

/** The maximum number of remembered results in a session. Hooks decide on older ones again. */
const REMEMBERED = 500;

/**
 * The tool results in messages that may be a history that a client has posted. Hooks decide on those that no run of the session
 * has produced: whoever should have run the tool, the client may have made them up.
 */
export class PostedResults<Item> {
  readonly #run: AgentRun;
  readonly #port: ResultPort<Item>;

  constructor(run: AgentRun, port: ResultPort<Item>) {
    this.#run = run;
    this.#port = port;
  }

  /**
   * Whether a run of the session has produced this very result, or hooks have decided on it, under the hooks that decide now,
   * and for the same principal with the same rights.
   */
  async isKnown(item: Item, toolName: string | undefined): Promise<boolean> {
    const known = this.#run.session.get(KNOWN);
    const digest = known && (await this.#digest(item, toolName));
    return digest !== undefined && known?.has(digest) === true;
  }

  /**
   * Remembers a result, for as long as the session is open.
   *
   * @param ifRoom forgets no other result for it: a long history would push out all that is known, each time it comes
   */
  async remember(
    item: Item,
    toolName: string | undefined,
    { ifRoom = false }: { readonly ifRoom?: boolean } = {},
  ): Promise<void> {
    const { session, ownsSession } = this.#run;
    // It is over with the run.
    if (ownsSession) return;
    const known = session.get(KNOWN, () => new Set());
    if (ifRoom && known.size >= REMEMBERED) return;
    const digest = await this.#digest(item, toolName);
    if (digest === undefined) return;
    known.delete(digest);
    known.add(digest);
    for (const oldest of known) {
      if (known.size <= REMEMBERED) return;
      known.delete(oldest);
    }
  }

  /**
   * The item as hooks leave it. A result that names another tool than its call is withheld: hooks of one tool would decide on
   * what the model reads as the other's.
   */
  async decide({
    item,
    call,
    result,
    names = [],
    ends = false,
    begun: begin,
  }: PostedResult<Item>): Promise<Item> {
    const port = this.#port;
    const { toolName } = call;
    const all = new Set([toolName, ...names]);
    if (!ends && ![...all].some((name) => port.registriesOf(name).decidesResult(name))) return item;
    if (await this.isKnown(item, toolName)) return item;
    if (all.size > 1) return this.withhold(item, 'it names another tool than the call that it answers');
    const begun = await begin?.();
    if (begun?.kind === 'done') return port.withhold(item, begun.outcome.message ?? '');
    const outcome = await this.#run.finishTool(call, result, {
      inner: port.registriesOf(toolName).attached(),
      begun: begun?.kind === 'run' ? begun : undefined,
    });
    const left = port.write(item, outcome);
    await this.remember(left, toolName, { ifRoom: true });
    return left;
  }

  /** The item without its result. */
  withhold(item: Item, why: string): Item {
    return this.#port.withhold(item, `The result is withheld: ${why}.`);
  }

  /** 128 bits in hexadecimal. Undefined for what has no JSON form, which no client can post. */
  async #digest(item: Item, toolName: string | undefined): Promise<string | undefined> {
    const { shown, registriesOf } = this.#port;
    try {
      const posted: unknown = JSON.parse(JSON.stringify(shown(item)));
      const deciders = decidersOf(registriesOf(toolName).attached(), toolName);
      return (await hashInput([posted, deciders, identityOf(this.#run.principal)])).slice(0, 32);
    } catch {
      return undefined;
    }
  }
}

/** The hooks that decide on a tool's results, by their ids. */
function decidersOf(registries: readonly Attached[], toolName: string | undefined): readonly string[] {
  const ids = registries.flatMap(({ hooks }) => {
    const { chain, options } = internalOf(hooks);
    const name = toolName === undefined ? undefined : canonicalName(toolName, options);
    return [TransformToolResult, AfterToolCall].flatMap((point) => chain(point, name).deciders.map(idOf));
  });
  return [...new Set(ids)].sort();
}

const ids: WeakMap<Registration, string> = new WeakMap();

/** An id of a registration that no other one has, also where another copy of core registers hooks. */
function idOf(hook: Registration): string {
  const id = ids.get(hook) ?? crypto.randomUUID();
  ids.set(hook, id);
  return id;
}
