import type { Hooks } from './hooks.ts';

/** A named bundle of hooks, as guards and policies are shipped. */
export interface HookProvider {
  /** Unique in a registry; ids of its hooks become `name/id`. */
  readonly name: string;
  /** Registers its hooks; a throw leaves nothing registered. */
  register(hooks: HookRegistrar): void;
}

/** What a provider may do with the registry it is used by. */
export type HookRegistrar = Pick<Hooks, 'on' | 'guard' | 'observe' | 'session' | 'dispatch'>;
