import { Stop } from '@hooks/core';
import type { Whereabouts } from '../config.ts';
import type { Registries } from '../registries.ts';

/** The part of `ReactAgent` that the adapter uses. */
export interface AgentLike {
  invoke(state: unknown, config?: Whereabouts): Promise<unknown>;
  stream(state: unknown, config?: Whereabouts): Promise<AsyncIterable<unknown>>;
  streamEvents(
    state: unknown,
    config?: Whereabouts,
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

/** Creates an agent in a form. */
export type MakeAgent = (form: MiddlewareForm) => AgentLike;

/** The forms of one agent, each created when it is first needed, so that events without hooks add no superstep. */
export class AgentForms {
  readonly #registries: Registries;
  readonly #make: MakeAgent;
  readonly #made: Map<string, AgentLike> = new Map();
  readonly #assigned: Map<PropertyKey, unknown> = new Map();

  constructor(registries: Registries, make: MakeAgent) {
    this.#registries = registries;
    this.#make = make;
  }

  /** For a run through the agent's own methods. */
  get running(): AgentLike {
    return this.#form(false);
  }

  /** For users who run the graph themselves, and for a thread that resumes what they began. */
  get standing(): AgentLike {
    return this.#form(true);
  }

  #form(prompt: boolean): AgentLike {
    const form = { prompt, stop: this.#registries.hears(Stop) };
    const key = JSON.stringify(form);
    const agent = this.#made.get(key) ?? this.#make(form);
    if (!this.#made.has(key))
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
