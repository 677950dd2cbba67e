import type { Hooks } from './hooks.ts';

/** A named bundle of hooks, as guards and policies are shipped. */
export interface HookProvider {
  /** Unique in a registry; ids of its hooks become `name/id`. */
  readonly name: string;
  /** Using it again, under the same name, changes nothing; without this it is an error. */
  readonly once?: boolean;
  /** Registers its hooks; a throw leaves nothing registered. */
  register(hooks: HookRegistrar): void;
}

/** What a provider may do with the registry it is used by. */
export type HookRegistrar = Pick<Hooks, 'on' | 'guard' | 'observe' | 'session' | 'dispatch'>;
