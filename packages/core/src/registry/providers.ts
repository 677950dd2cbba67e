import { fail } from '../error.ts';
import { checkOptions, optionKinds } from '../options.ts';
import type { HookProvider, HookRegistrar, Hooks } from './hooks.ts';
import type { ProviderName } from './registration.ts';
import type { Registrations } from './registrations.ts';

/** What a provider registers through: verbs that put its name before the ids of its hooks. */
export type Verbs = Pick<Hooks, 'on' | 'guard' | 'observe'>;

/** Uses providers: gives each its scope, and takes back what one registered before it threw. */
export class Providers {
  readonly #hooks: Hooks;
  readonly #registrations: Registrations;
  readonly #verbs: (provider: ProviderName) => Verbs;

  constructor(hooks: Hooks, registrations: Registrations, verbs: (provider: ProviderName) => Verbs) {
    this.#hooks = hooks;
    this.#registrations = registrations;
    this.#verbs = verbs;
  }

  /**
   * Registers all hooks of a provider, or none if it throws.
   *
   * @param within the provider that uses it
   * @throws HooksError `DUPLICATE_HOOK` if a provider of that name is in use
   */
  use(provider: HookProvider, options?: UseOptions, within?: ProviderName): Disposable {
    const { name } = checkOptions<UseOptions>('hooks.use', options ?? {}, { name: optionKinds.text });
    const named = nameOf(provider, name, within);
    if (this.#registrations.hasProvider(named.name)) {
      const { version } = named;
      const isSame = this.#hooks.list().some((hook) => isOf(hook, named.name) && hook.version === version);
      if (provider.once && isSame) return new DisposableList();
      fail('DUPLICATE_HOOK', `Provider "${named.name}" is in use: give the second a { name }`);
    }
    const made = new DisposableList();
    try {
      provider.register(this.#registrarOf(named, made));
    } catch (error) {
      made[Symbol.dispose]();
      throw error;
    }
    return made;
  }

  #registrarOf(named: ProviderName, made: DisposableList): HookRegistrar {
    const { on, guard, observe } = this.#verbs(named);
    return {
      ...this.#hooks,
      on: (...hook) => made.add(on(...hook)),
      guard: (...hook) => made.add(guard(...hook)),
      observe: (...hook) => made.add(observe(...hook)),
      use: (inner, options) => made.add(this.use(inner, options, named)),
      trace: (listener) => made.add(this.#hooks.trace(listener)),
    };
  }
}

interface UseOptions {
  readonly name?: string;
}

/** Whether a hook belongs to a provider, or to one that it uses. */
export function isOf({ provider = '' }: { readonly provider?: string }, name: string): boolean {
  return provider === name || provider.startsWith(`${name}/`);
}

function nameOf(provider: HookProvider, own = provider.name, within?: ProviderName): ProviderName {
  if (!own) fail('CONFIG_INVALID', 'A provider is { name, register(hooks) }');
  return {
    name: within === undefined ? own : `${within.name}/${own}`,
    // It may change what it has registered.
    get version() {
      return provider.version ?? within?.version;
    },
  };
}

/** Disposes of everything that was added to it. */
class DisposableList implements Disposable {
  readonly #all: Disposable[] = [];

  add(one: Disposable): Disposable {
    this.#all.push(one);
    return one;
  }

  [Symbol.dispose](): void {
    for (const one of this.#all) one[Symbol.dispose]();
  }
}
