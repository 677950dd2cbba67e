import { type Chain, compileChain, isSameChain, type Registration } from '../dispatch/chain.ts';
import { fail } from '../error.ts';
import type { PointData } from '../event/event.ts';

/**
 * How many chains of an event are kept, and the longest name of a tool that is: the model chooses the names, so there may
 * be any number, of any length.
 */
const MOST_CHAINS = 1000;
const LONGEST_NAME = 256;

/** The hooks of a registry. Every change makes a new list, so that it does not disturb a dispatch that is running. */
export class Registrations {
  /** By id, in order of registration. */
  readonly #byId: Map<string, Registration> = new Map();
  /** How many hooks a provider has, with those of the providers that it uses. */
  readonly #ofProvider: Map<string, number> = new Map();
  /** The list, once somebody has asked for it. */
  #all: readonly Registration[] | undefined;
  /** The compiled chains by event, then by tool. */
  #chains: Map<string, Map<string | undefined, Chain>> = new Map();
  /** Those that differ, by event: invented names of tools mostly have the same hooks. */
  #distinct: Map<string, Chain[]> = new Map();

  get all(): readonly Registration[] {
    this.#all ??= [...this.#byId.values()];
    return this.#all;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** @throws HooksError `DUPLICATE_HOOK` if the id is taken */
  add(hook: Registration): Disposable {
    const { id } = hook.info;
    if (this.#byId.has(id)) fail('DUPLICATE_HOOK', `The hook id "${id}" is taken`);
    this.#byId.set(id, hook);
    this.#count(hook, 1);
    this.#change();
    return { [Symbol.dispose]: () => this.remove([hook]) };
  }

  remove(gone: readonly Registration[]): void {
    for (const hook of gone) {
      // Another may have its id by now.
      if (this.#byId.get(hook.info.id) !== hook) continue;
      this.#byId.delete(hook.info.id);
      this.#count(hook, -1);
    }
    this.#change();
  }

  /** Whether a provider of that name has hooks. */
  hasProvider(name: string): boolean {
    return (this.#ofProvider.get(name) ?? 0) > 0;
  }

  /** The hooks of an event and a tool, in the order in which they run. */
  chain({ spec }: PointData, toolName?: string): Chain {
    let byTool = this.#chains.get(spec.type);
    const known = byTool?.get(toolName);
    if (known) return known;
    const compiled = compileChain(this.all, spec, toolName);
    if (toolName !== undefined && toolName.length > LONGEST_NAME) return compiled;
    let distinct = this.#distinct.get(spec.type);
    if (byTool === undefined || distinct === undefined || byTool.size >= MOST_CHAINS) {
      byTool = new Map();
      distinct = [];
      this.#chains.set(spec.type, byTool);
      this.#distinct.set(spec.type, distinct);
    }
    let chain = distinct.find((other) => isSameChain(other, compiled));
    if (chain === undefined) {
      chain = compiled;
      distinct.push(chain);
    }
    byTool.set(toolName, chain);
    return chain;
  }

  #change(): void {
    this.#all = undefined;
    this.#chains = new Map();
    this.#distinct = new Map();
  }

  /** Counts a hook for its provider, and for those around that. */
  #count({ info: { provider } }: Registration, by: number): void {
    if (provider === undefined) return;
    for (let end = provider.length; end > 0; end = provider.lastIndexOf('/', end - 1)) {
      const name = provider.slice(0, end);
      const count = (this.#ofProvider.get(name) ?? 0) + by;
      if (count === 0) this.#ofProvider.delete(name);
      else this.#ofProvider.set(name, count);
    }
  }
}
