import type { Registration } from '../dispatch/chain.ts';
import { fail } from '../error.ts';
import type { ToolNames } from '../match.ts';
import { type AdapterDeclaration, type EventSupport, none, type SupportTable } from './support.ts';
import { type UnmatchedHook, unmatchedHooks } from './unmatched.ts';

/** The adapters that a registry is attached to, each with the declarations of all its attachments. */
export class AttachedAdapters {
  readonly #adapters: Map<SupportTable, Adapter> = new Map();
  readonly #warn: (message: string) => void;
  readonly #names: ToolNames;
  /** The hooks and the number of tools that typos were last looked for in. */
  #checked: { readonly hooks: readonly Registration[]; readonly tools: number } | undefined;

  /** @param names the user's own names for tools, which are no typos */
  constructor(warn: (message: string) => void, names: ToolNames) {
    this.#warn = warn;
    this.#names = names;
  }

  /** @throws HooksError `UNSUPPORTED_EVENT` if a registered hook would never be obeyed there */
  add(
    { supports, tools = [] }: AdapterDeclaration,
    allowUnsupported: readonly string[],
    hooks: readonly Registration[],
  ): void {
    for (const hook of hooks) this.#check(hook, supports, allowUnsupported);
    const known = this.#adapters.get(supports);
    if (known === undefined) this.#adapters.set(supports, { allowUnsupported, tools: new Set(tools) });
    else {
      known.allowUnsupported = known.allowUnsupported.filter((type) => allowUnsupported.includes(type));
      for (const tool of tools) known.tools.add(tool);
    }
  }

  /** @throws HooksError `UNSUPPORTED_EVENT` if the hook would never be obeyed in one of them */
  admit(hook: Registration): void {
    for (const [supports, { allowUnsupported }] of this.#adapters)
      this.#check(hook, supports, allowUnsupported);
  }

  /** The hooks whose matcher matches no tool of any attachment. */
  unmatched(hooks: readonly Registration[]): readonly UnmatchedHook[] {
    const tools = [...this.#adapters.values()].flatMap((adapter) => [...adapter.tools]);
    return unmatchedHooks(hooks, [...new Set(tools)], this.#names);
  }

  /**
   * Warns, at the first run or call, of matchers that look like a typo: they match no tool, and a tool has a similar name. Names
   * of another framework's tools are fine.
   */
  warnOfTypos(hooks: readonly Registration[]): void {
    let tools = 0;
    for (const adapter of this.#adapters.values()) tools += adapter.tools.size;
    if (this.#checked?.hooks === hooks && this.#checked.tools === tools) return;
    this.#checked = { hooks, tools };
    for (const { id, matcher, name, nearest } of this.unmatched(hooks)) {
      if (nearest.length === 0) continue;
      const what =
        name === undefined
          ? `guards no tool: "${matcher}" matches none`
          : `guards no tool "${name}", which its matcher "${matcher}" names`;
      this.#warn(`Hook "${id}" ${what}. Similar: ${nearest.join(', ')}.`);
    }
  }

  /** Rejects a hook that may refuse on an event that never fires there. Warns of other hooks on such events. */
  #check(
    { info: { id, verb, optional }, spec }: Registration,
    supports: SupportTable,
    allowUnsupported: readonly string[],
  ): void {
    const { type } = spec;
    // Of a custom event the table says nothing: it is for who dispatches it. So it is with groups, which only observers hear.
    const isOfCore = spec.kind === 'event' && spec.isCustom !== true;
    const listed = Object.hasOwn(supports.events, type) ? supports.events[type] : undefined;
    const { fires, happens } = listed ?? (isOfCore ? UNLISTED : {});
    if (fires?.level !== 'none') return;
    const message = `${supports.adapter} ${optional ? 'leaves out' : 'cannot honor'} hook "${id}" on ${type}: ${fires.note}`;
    const refuses = verb !== 'observe' && optional !== true && spec.permits.some((kind) => kind !== 'modify');
    if (refuses && happens !== false && !allowUnsupported.includes(type))
      fail('UNSUPPORTED_EVENT', `${message} (or list it in allowUnsupported)`, { hook: id, event: type });
    this.#warn(message);
  }
}

/** An event of core that a table leaves out. */
const UNLISTED: EventSupport = { fires: none("the adapter's support table has no entry for this event") };

interface Adapter {
  /** What every attachment allows. If one does not, a hook would not be obeyed there. */
  allowUnsupported: readonly string[];
  readonly tools: Set<string>;
}
