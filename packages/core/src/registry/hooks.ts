import type { UnmatchedHook } from '../adapter/unmatched.ts';
import type { HookDecision } from '../decision.ts';
import type { HookInfo } from '../dispatch/chain.ts';
import type { DispatchOptions } from '../dispatch/dispatch.ts';
import type { HandlerContext } from '../dispatch/handler.ts';
import type { TraceListener } from '../dispatch/trace.ts';
import type { HooksError } from '../error.ts';
import type { EventPayload, HookPoint, ObservePoint, Point, PointData } from '../event/event.ts';
import type { NamePattern, ToolNames } from '../match.ts';
import type { Session } from '../session/session.ts';
import type { SessionLimits, SessionOptions } from '../session/store.ts';

/** Options of `createHooks`. */
export interface HooksOptions extends ToolNames {
  /**
   * The time limit of a handler's promise in milliseconds. Default: 30,000; Infinity is no limit. Each hook can set its
   * own.
   */
  readonly timeoutMs?: number;
  /** How often a tool call may run when `AfterToolCall` hooks answer Retry. Default: 3. */
  readonly maxAttempts?: number;
  readonly sessions?: SessionLimits;
  /** What the model reads of a blocked call, instead of the plain reason. */
  readonly formatBlocked?: (blocked: {
    readonly reason: string;
    readonly toolName: string;
    readonly ran: boolean;
  }) => string;
  /** Called with every failure of a hook. Without it, each hook's failures are warned of once, without their cause. */
  readonly onError?: (error: HooksError) => void;
  /** Called with warnings for the developer, once for each message. Default: `console.warn`. */
  readonly onWarning?: (message: string) => void;
}

/** Options of one registration. */
export interface HookOptions {
  /** Unique within its provider. Default: a generated one. */
  readonly id?: string;
  /** Higher runs first. Default: 0. Use 100 and above for security, negative numbers for logging. */
  readonly priority?: number;
  /** Milliseconds for the handler's promise. */
  readonly timeoutMs?: number;
  /** What happens when this hook fails, instead of what the event says. */
  readonly onFailure?: 'block' | 'proceed';
  /** Only for agents with these names. */
  readonly agents?: NamePattern;
  /**
   * Where an adapter never fires the event, it leaves the hook out with a warning, instead of an error. Only for a hook
   * that has nothing to decide there: a policy that redacts prompts and results holds where no prompts pass.
   */
  readonly optional?: boolean;
  /** Allows a matcher that matches none of `knownTools`, for tools that are added later. */
  readonly allowUnknown?: boolean;
  /**
   * For a hook that runs a program, or calls a service or a model: a text that identifies what it calls on this event
   * and changes whenever that does. Undefined if the hook decides by itself. A replay does not call it again; it takes
   * the recorded answer.
   */
  readonly external?: (event: EventPayload) => string | undefined;
  /**
   * For a hook that only works while its process lives: what it keeps in memory and what to do about it, as a sentence
   * without its full stop, such as `'it counts in one process; give it a store'`. `hooks run`, where each event is a process, then
   * refuses the policy with this text, instead of a limit that never holds.
   */
  readonly inMemory?: string;
}

// A Promise is a PromiseLike, but the compiler explains a wrong one in a third of the lines.
/** An interceptor: returns any decision that its event permits. */
export type Interceptor<E, Decision> = (
  event: E,
  context: HandlerContext,
) => Decision | Promise<Decision> | PromiseLike<Decision>;

/** What an observer may return, and nobody reads: anything but a decision that would change something. */
export type NoDecision =
  | void
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | (object & { readonly kind?: 'proceed'; readonly then?: never });

/**
 * An observer: sees the final event and the final decision. What it returns is ignored; a decision does not compile, and
 * is reported as `INVALID_DECISION`.
 */
export type Observer<E> = (
  event: E,
  decision: HookDecision,
  context: HandlerContext,
) => NoDecision | Promise<NoDecision> | PromiseLike<NoDecision>;

/** The decision of a dispatch, one that the event permits. */
export type DispatchDecision<Decision> = Exclude<Decision, void>;

/** A registry of hooks, which also dispatches events to them. */
export interface Hooks extends AsyncDisposable {
  /**
   * Registers an interceptor. It runs in order and may return any decision that the event permits.
   *
   * @throws HooksError `DUPLICATE_HOOK`, `UNKNOWN_TOOL`, `UNSUPPORTED_EVENT`, `CONFIG_INVALID`, `INVALID_INPUT`
   */
  on<E, Decision, G>(
    point: HookPoint<E, Decision, G>,
    handler: NoInfer<Interceptor<E, Decision>>,
    options?: HookOptions,
  ): Disposable;
  /**
   * Registers a guard. It runs after all interceptors, on the final values, and may return only Proceed, Block or,
   * before a tool call, `requireApproval`. Asynchronous guards run concurrently.
   */
  guard<E, Decision, G>(
    point: HookPoint<E, Decision, G>,
    handler: NoInfer<Interceptor<E, G>>,
    options?: HookOptions,
  ): Disposable;
  /**
   * Registers an observer. It runs last, with the final event and decision. It changes nothing, and nobody waits for
   * it.
   */
  observe<E>(point: ObservePoint<E>, handler: Observer<NoInfer<E>>, options?: HookOptions): Disposable;
  /**
   * Registers all hooks of a provider, or none if one of them is invalid.
   *
   * @param options `name`: required if you use the same provider twice
   */
  use(provider: HookProvider, options?: { readonly name?: string }): Disposable;

  /** The hooks registered, in order of registration. */
  list(): readonly HookInfo[];
  /**
   * The hooks that would run for an event and a tool, in order. With `agent`, only those that would run for that agent;
   * without, those of every agent.
   */
  get(
    point: PointData,
    toolName?: string,
    options?: { readonly agent?: string | undefined },
  ): readonly HookInfo[];
  /** Removes the hook with that id, or all hooks of that provider. Returns whether there was one. */
  remove(id: string): boolean;
  /** Removes all hooks. */
  clear(): void;
  /**
   * Hooks whose matcher matches no tool of the attached agents, or lists a name that is probably a typo, with the most similar
   * names. In a list, only names are compared with the tools, not expressions: of `srch_.*|read`, nobody knows which tools
   * `srch_.*` means.
   */
  unmatched(): readonly UnmatchedHook[];

  /**
   * Runs the hooks of an event and returns their combined decision. `type` is filled in. The patch of a Modify has the
   * final values of all changed fields.
   *
   * @throws HooksError `INVALID_INPUT` if the event does not fit the token
   */
  dispatch<E extends EventPayload, Decision, G>(
    token: Point<E, Decision, G> & { readonly type: string },
    event: Omit<E, 'type'> | E,
    options?: DispatchOptions,
  ): DispatchDecision<Decision> | PromiseLike<DispatchDecision<Decision>>;
  /** The open session with that id. Creates it if necessary; without an id it generates one. */
  session(id?: string, options?: SessionOptions): Session;
  /** Listens to every dispatch that runs a hook. Without a listener it costs nothing. */
  trace(listener: TraceListener): Disposable;
  /** Adds a listener for failures of hooks. */
  onError(listener: (error: HooksError) => void): Disposable;
  /**
   * Resolves when the promises of all observers so far have settled, and the runs that are ending have ended. A stream may tell its
   * reader before that how it ended. Do not await it in a hook.
   */
  settled(): Promise<void>;
  /** Closes all sessions, firing `SessionEnd` for each. */
  close(): Promise<void>;

  /** Internal; only core's own entries may use it. */
  readonly '~internal': object;
}

/** A named set of hooks, such as a guard or a policy. */
export interface HookProvider {
  /** Unique in the registry. The ids of its hooks become `name/id`. */
  readonly name: string;
  /** `true`: using it again in the same `version` has no effect. By default it is an error. */
  readonly once?: boolean;
  /** Changes whenever the policy does: a release, or a hash of its files and options. Journals store it. */
  readonly version?: string;
  /**
   * Registers the hooks. It may use other providers, whose hooks become `name/other/id`. If it throws, nothing is
   * registered.
   */
  register(hooks: HookRegistrar): void;
}

/** The part of a registry that a provider may use. */
export type HookRegistrar = Pick<
  Hooks,
  'on' | 'guard' | 'observe' | 'use' | 'list' | 'trace' | 'session' | 'dispatch'
>;
