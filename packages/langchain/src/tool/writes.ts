import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { ambientConfig } from '../config.ts';

/** By which methods of its callbacks a tool tells of what it does, and those that make more of the callbacks. */
const TELLS: ReadonlySet<PropertyKey> = new Set(['handleCustomEvent', 'handleToolEvent', 'handleText']);
const MAKES: ReadonlySet<PropertyKey> = new Set(['getChild', 'copy']);

/** The part of a config by which a tool writes to the stream. */
interface Written {
  readonly writer?: unknown;
  readonly callbacks?: unknown;
  readonly configurable?: { readonly [key: string]: unknown } | undefined;
  /** The config of the node, which a ToolNode hands to the tool beside what it makes of it. */
  readonly config?: unknown;
}

/**
 * What a tool writes to the stream itself in one attempt (`config.writer`, `getWriter`, `dispatchCustomEvent`). It may
 * hold pieces of the result, so it is held back until hooks have decided on that. A model or a graph that runs inside of
 * the tool streams by itself.
 */
export class HeldWrites {
  #held: (() => unknown)[] | undefined = [];

  /** The config as the tool is to get it. */
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

  /** The callbacks of a run as the tool is to get them; a list of handlers has no run that could be told of. */
  callbacks<T>(callbacks: T): T {
    if (!isObject(callbacks) || Array.isArray(callbacks)) return callbacks;
    return new Proxy(callbacks, {
      get: (target, property, self) => {
        const value: unknown = Reflect.get(target, property, self);
        if (!isFunction(value)) return value;
        if (MAKES.has(property))
          return (...args: unknown[]) => this.callbacks(Reflect.apply(value, target, args));
        if (TELLS.has(property))
          return async (...args: unknown[]) => this.#take(() => Reflect.apply(value, target, args));
        return value;
      },
    });
  }

  /** Calls what looks for the config around it. */
  around<T>(call: () => T): T {
    const ambient = ambientConfig();
    return ambient === undefined
      ? call()
      : AsyncLocalStorageProviderSingleton.runWithConfig(this.config(ambient), call);
  }

  /** The result stands: what was written passes, and so does what is written from now on. */
  async release(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const write of held) await write();
  }

  /** LangGraph's writer looks for the graph that it is called in. */
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
