import {
  AfterModelCall,
  BeforeModelCall,
  BeforeRun,
  type Hooks,
  Stop,
  TurnEnd,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { decides, hears } from '@hooks/core/adapter';
import type { Holding } from '../model/hooked-model.ts';
import type { HookedOptions } from '../options.ts';

/** What the hooks that are registered when a run starts need of its processors. */
export class Needs {
  readonly #hooks: Hooks;
  /** How the answers of a model reach the run. */
  readonly holding: Holding;

  constructor(hooks: Hooks, options: HookedOptions) {
    this.#hooks = hooks;
    const watched = hears(hooks, AfterModelCall) ? 'passing' : 'unwatched';
    this.holding = this.answer && options.holdStream !== false ? 'held' : watched;
  }

  /** The user's message, which events of the model's answer tell, too. */
  get prompt(): boolean {
    return this.#any(UserPromptSubmit, BeforeRun, AfterModelCall, Stop);
  }

  /** What the model is asked: a hook that answers, on whatever event, may contribute context or end the run. */
  get request(): boolean {
    return this.#hooks.list().some(({ verb }) => verb !== 'observe');
  }

  /** When a turn begins, before which the user may have sent more. */
  get step(): boolean {
    return this.model || this.prompt || this.#any(TurnStart, TurnEnd);
  }

  /** The model itself, to stand around it. */
  get model(): boolean {
    return this.#any(BeforeRun, BeforeModelCall, AfterModelCall);
  }

  /** Whether hooks are asked before a model call. */
  get before(): boolean {
    return hears(this.#hooks, BeforeModelCall);
  }

  /** Whether hooks may refuse or change a model's answer. */
  get answer(): boolean {
    return decides(this.#hooks, AfterModelCall);
  }

  #any(...points: Parameters<typeof hears>[1][]): boolean {
    return points.some((point) => hears(this.#hooks, point));
  }
}
