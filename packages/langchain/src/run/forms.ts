import { Stop } from '@hooks/core';
import type { Registries } from '../registries.ts';

/** The part of `ReactAgent` that the adapter uses. */
export interface AgentLike {
  invoke(state: unknown, config?: unknown): Promise<unknown>;
  stream(state: unknown, config?: unknown): Promise<AsyncIterable<unknown>>;
  streamEvents(
    state: unknown,
    config?: unknown,
    options?: unknown,
  ): AsyncIterable<unknown> | Promise<unknown>;
  withConfig(config: unknown): AgentLike;
  readonly graph: Pick<AgentLike, 'invoke' | 'stream'>;
}

/** The parts of our middleware, besides those that wrap calls. */
export interface MiddlewareForm {
  /** A node for `UserPromptSubmit` and `BeforeRun`, if they cannot fire before the graph runs. Adds a superstep. */
  readonly prompt: boolean;
  /** A node for `Stop`. Adds a superstep. */
  readonly stop: boolean;
}

/** Creates an agent in a form. `bare` has no hooks. */
export type MakeAgent = (form: MiddlewareForm | 'bare') => AgentLike;

/** Everything that needs no node. */
export const WRAPPED: MiddlewareForm = { prompt: false, stop: false };

const BARE = -1;

/** The forms of one agent, each created when it is first needed, so that events without hooks cost nothing. */
export class AgentForms {
  readonly #registries: Registries;
  readonly #make: MakeAgent;
  readonly #made: Map<number, AgentLike> = new Map();
  readonly #assigned: Map<PropertyKey, unknown> = new Map();

  constructor(registries: Registries, make: MakeAgent) {
    this.#registries = registries;
    this.#make = make;
  }

  /** For a run through the agent's own methods. */
  get running(): AgentLike {
    return this.get({ prompt: false, stop: this.#registries.hears(Stop) });
  }

  /** For users who run the graph themselves, and for a thread that resumes what they began. */
  get standing(): AgentLike {
    return this.get({ prompt: true, stop: this.#registries.hears(Stop) });
  }

  get(form: MiddlewareForm | 'bare'): AgentLike {
    const key = form === 'bare' ? BARE : Number(form.prompt) + 2 * Number(form.stop);
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const agent = this.#make(form);
    for (const [property, value] of this.#assigned) Reflect.set(agent, property, value, agent);
    this.#made.set(key, agent);
    return agent;
  }

  /** Sets a property of the agent in all its forms. */
  assign(property: PropertyKey, value: unknown): boolean {
    this.#assigned.set(property, value);
    return [...this.#made.values()].every((agent) => Reflect.set(agent, property, value, agent));
  }
}
