import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { ambientConfig } from '../config.ts';

/** The methods of its callbacks that a tool writes with, and those that return more callbacks. */
const WRITES: ReadonlySet<PropertyKey> = new Set(['handleCustomEvent', 'handleToolEvent', 'handleText']);
const DERIVES: ReadonlySet<PropertyKey> = new Set(['getChild', 'copy']);

/** The parts of a config that a tool can write to the stream with. */
interface Written {
  readonly writer?: unknown;
  readonly callbacks?: unknown;
  readonly configurable?: { readonly [key: string]: unknown } | undefined;
  /** The config of the node, which a ToolNode passes to the tool, too. */
  readonly config?: unknown;
}

/**
 * Holds back what a tool writes to the stream in one attempt (`config.writer`, `getWriter`, `dispatchCustomEvent`) until
 * hooks have decided on its result, because it may contain parts of that. A model or a graph inside the tool streams
 * unfiltered.
 */
export class HeldWrites {
  #held: (() => unknown)[] | undefined = [];

  /** The config for the tool. */
  config<T>(config: T): T {
    if (!isObject(config)) return config;
    const { writer, callbacks, configurable, config: node }: Written = config;
    return {
      ...config,
      ...(isFunction(writer) && { writer: this.#writer(writer) }),
      ...(callbacks !== undefined && { callbacks: this.callbacks(callbacks) }),
      ...(isFunction(configurable?.['writer']) && {
        configurable: { ...configurable, writer: this.#writer(configurable['writer']) },
      }),
      ...(node !== undefined && { config: this.config(node) }),
    };
  }

  /** The callbacks for the tool. A list of handlers belongs to no run, so a tool cannot write with it. */
  callbacks<T>(callbacks: T): T {
    if (!isObject(callbacks) || Array.isArray(callbacks)) return callbacks;
    return new Proxy(callbacks, {
      get: (target, property, self) => {
        const value: unknown = Reflect.get(target, property, self);
        if (!isFunction(value)) return value;
        if (DERIVES.has(property))
          return (...args: unknown[]) => this.callbacks(Reflect.apply(value, target, args));
        if (WRITES.has(property))
          return async (...args: unknown[]) => this.#take(() => Reflect.apply(value, target, args));
        return value;
      },
    });
  }

  /** Calls a function that may read the ambient config. */
  around<T>(call: () => T): T {
    const ambient = ambientConfig();
    return ambient === undefined
      ? call()
      : AsyncLocalStorageProviderSingleton.runWithConfig(this.config(ambient), call);
  }

  /** The result is final: lets everything through that was written, and that will be written. */
  async release(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const write of held) await write();
  }

  /** LangGraph's writer needs the ambient config of its call. */
  #writer(writer: AnyFunction): AnyFunction {
    return (...args) => {
      const ambient = ambientConfig();
      return this.#take(() =>
        AsyncLocalStorageProviderSingleton.runWithConfig(ambient, () => writer(...args)),
      );
    };
  }

  #take(write: () => unknown): unknown {
    if (this.#held === undefined) return write();
    this.#held.push(write);
    return undefined;
  }
}

type AnyFunction = (...args: unknown[]) => unknown;

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
