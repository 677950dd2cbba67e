import { type Chain, compileChain, type Registration } from '../dispatch/chain.ts';
import { fail } from '../error.ts';
import type { PointData } from '../event/event.ts';

/** How many chains of an event are kept. The model chooses the names of tools, so there may be any number. */
const MOST_CHAINS = 1000;

/** The hooks of a registry. Every change makes a new list, so that it does not disturb a dispatch that is running. */
export class Registrations {
  #all: readonly Registration[] = [];
  /** The compiled chains by event, then by tool. */
  #chains: Map<string, Map<string | undefined, Chain>> = new Map();
  readonly #changed: () => void;

  /** @param changed called after every change */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get all(): readonly Registration[] {
    return this.#all;
  }

  /** @throws HooksError `DUPLICATE_HOOK` if the id is taken */
  add(hook: Registration): Disposable {
    const { id } = hook.info;
    if (this.#all.some(({ info }) => info.id === id)) fail('DUPLICATE_HOOK', `The hook id "${id}" is taken`);
    this.replace([...this.#all, hook]);
    return this.removal([hook]);
  }

  replace(next: readonly Registration[]): void {
    this.#all = next;
    this.#chains = new Map();
    this.#changed();
  }

  /** Removes these hooks when it is disposed. */
  removal(gone: readonly Registration[]): Disposable {
    return { [Symbol.dispose]: () => this.replace(this.#all.filter((hook) => !gone.includes(hook))) };
  }

  /** The hooks of an event and a tool, in the order in which they run. */
  chain({ spec }: PointData, toolName?: string): Chain {
    let byTool = this.#chains.get(spec.type);
    const known = byTool?.get(toolName);
    if (known) return known;
    const chain = compileChain(this.#all, spec, toolName);
    if (byTool === undefined || byTool.size >= MOST_CHAINS) {
      byTool = new Map();
      this.#chains.set(spec.type, byTool);
    }
    byTool.set(toolName, chain);
    return chain;
  }
}
