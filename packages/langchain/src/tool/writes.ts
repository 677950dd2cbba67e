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
 * Withholds what a tool writes to the stream (`config.writer`, `getWriter`, `dispatchCustomEvent`). It may contain parts of
 * the result that hooks would replace or refuse, and hooks only see the result. A model or a graph inside the tool streams
 * unfiltered.
 */
export class WithheldWrites {
  /** Called for each write. */
  readonly withheld: () => void;

  constructor(withheld: () => void) {
    this.withheld = withheld;
  }

  /** The config for the tool. */
  config<T>(config: T): T {
    if (!isObject(config)) return config;
    const { writer, callbacks, configurable, config: node }: Written = config;
    return {
      ...config,
      ...(isFunction(writer) && { writer: this.withheld }),
      ...(callbacks !== undefined && { callbacks: this.callbacks(callbacks) }),
      ...(isFunction(configurable?.['writer']) && {
        configurable: { ...configurable, writer: this.withheld },
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
        return WRITES.has(property) ? async () => this.withheld() : value;
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
}

type AnyFunction = (...args: unknown[]) => unknown;

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
