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
   * Milliseconds for one handler's promise, unless the hook sets its own; 30,000 unless set, Infinity is no limit. A
   * timeout comes up to 40 milliseconds late, never early: one timer serves all waits.
   */
  readonly timeoutMs?: number;
  /** How often a tool call runs at most when `AfterToolCall` answers Retry; 3 unless set. */
  readonly maxAttempts?: number;
  readonly sessions?: SessionLimits;
  /** What the model reads of a blocked call, in place of the plain reason. */
  readonly formatBlocked?: (blocked: {
    readonly reason: string;
    readonly toolName: string;
    readonly ran: boolean;
  }) => string;
  /** Gets every failure of a hook. Unless set, failures are seen in the trace and in the reasons only. */
  readonly onError?: (error: HooksError) => void;
  /** Gets what an adapter wants the developer to know, once each; `console.warn` unless set. */
  readonly onWarning?: (message: string) => void;
}

/** Options of one registration. */
export interface HookOptions {
  /** Unique within its provider; a name is made unless given. */
  readonly id?: string;
  /** Higher is asked first; 0 unless set. 100 and above are for security, negative ones for logging. */
  readonly priority?: number;
  /** Milliseconds for the handler's promise. */
  readonly timeoutMs?: number;
  /** Overrides what the event says of failed hooks. */
  readonly onFailure?: 'block' | 'proceed';
  /** Only for agents of these names. */
  readonly agents?: NamePattern;
  /** A matcher that meets none of `knownTools` is no error: those tools come later. */
  readonly allowUnknown?: boolean;
  /**
   * For a hook that runs a program, or asks a service or a model: what it asks about this event, as a text that changes whenever that
   * does; nothing where it answers by itself. A replay does not ask it again: it takes the answer on record.
   */
  readonly external?: (event: EventPayload) => string | undefined;
}

// A Promise is a PromiseLike, but the compiler explains a wrong one in a third of the lines.
/** An interceptor: answers anything that its point permits. */
export type Interceptor<E, Answer> = (
  event: E,
  context: HandlerContext,
) => Answer | Promise<Answer> | PromiseLike<Answer>;

/** An observer: sees the final event and the final decision. What it returns is ignored. */
export type Observer<E> = (event: E, decision: HookDecision, context: HandlerContext) => unknown;

/** A bound question: asks the hooks of one event and tool. Synchronous until a hook answers with a promise. */
export type Ask<E, Answer> = (
  event: E,
  options?: DispatchOptions,
) => Answered<Answer> | PromiseLike<Answered<Answer>>;

/** The decision of a dispatch: one of those that the event permits. */
export type Answered<Answer> = Exclude<Answer, void>;

/** A registry of hooks, and the door to dispatching them. */
export interface Hooks extends AsyncDisposable {
  /**
   * Intercepts: the handler runs in order and may answer anything that the point permits.
   *
   * @throws HooksError `DUPLICATE_HOOK`, `UNKNOWN_TOOL`, `UNSUPPORTED_EVENT`, `CONFIG_INVALID`, `INVALID_INPUT`
   */
  on<E, Answer, G>(
    point: HookPoint<E, Answer, G>,
    handler: NoInfer<Interceptor<E, Answer>>,
    options?: HookOptions,
  ): Disposable;
  /**
   * Refuses: the handler runs after every interceptor, on the values that will really be used, and may answer only
   * Proceed, Block or, before a tool call, `requireApproval`. Asynchronous guards run concurrently.
   */
  guard<E, Answer, G>(
    point: HookPoint<E, Answer, G>,
    handler: NoInfer<Interceptor<E, G>>,
    options?: HookOptions,
  ): Disposable;
  /** Looks: runs last, with the final event and decision; it changes nothing and is not waited for. */
  observe<E>(point: ObservePoint<E>, handler: Observer<NoInfer<E>>, options?: HookOptions): Disposable;
  /**
   * Registers what a provider brings, all or nothing.
   *
   * @param options `name`: needed where the same provider is used twice
   */
  use(provider: HookProvider, options?: { readonly name?: string }): Disposable;

  /** The hooks registered, in order of registration. */
  list(): readonly HookInfo[];
  /** The hooks that would be asked about an event of a tool, in order. */
  get(point: PointData, toolName?: string): readonly HookInfo[];
  /** Removes the hook of that id, or all of that provider. Whether there was one. */
  remove(id: string): boolean;
  /** Removes all hooks. */
  clear(): void;
  /** Matchers by name that meet none of the tools that adapters have told of, with the nearest names. */
  unmatched(): readonly UnmatchedHook[];

  /**
   * Asks all hooks of an event and returns the fold of their answers. `type` is filled in. A Modify's patch holds the
   * final values of the fields that were changed.
   *
   * @throws HooksError `INVALID_INPUT` where the event is not one of the token's
   */
  dispatch<E extends EventPayload, Answer, G>(
    token: Point<E, Answer, G> & { readonly type: string },
    event: Omit<E, 'type'> | E,
    options?: DispatchOptions,
  ): Answered<Answer> | PromiseLike<Answered<Answer>>;
  /** The fast form of `dispatch` for one event and tool; `event.type` must be there. Follows later registrations. */
  bind<E extends EventPayload, Answer, G>(
    token: Point<E, Answer, G> & { readonly type: string },
    toolName?: string,
  ): Ask<E, Answer>;

  /** The open session of that id, made if there is none; without an id one is minted. */
  session(id?: string, options?: SessionOptions): Session;
  /** Watches every dispatch that asks somebody. With no listener it costs nothing. */
  trace(listener: TraceListener): Disposable;
  /** Adds a listener for failures of hooks. */
  onError(listener: (error: HooksError) => void): Disposable;
  /** Resolves when the promises of all observers so far have settled. */
  settled(): Promise<void>;
  /** Closes all sessions, firing `SessionEnd` for each. */
  close(): Promise<void>;

  /** What stands behind the registry; only core's own entries may use it. */
  readonly '~internal': object;
}

/** A named bundle of hooks, as guards and policies are shipped. */
export interface HookProvider {
  /** Unique among those that use it; ids of its hooks become `name/id`. */
  readonly name: string;
  /** Using it again, under the same name, changes nothing; without this it is an error. */
  readonly once?: boolean;
  /** Changes whenever the policy does: a release, or a hash of its files and options. Journals keep it. */
  readonly version?: string;
  /**
   * Registers its hooks, and may use other providers, whose hooks become `name/other/id`. A throw leaves nothing registered.
   */
  register(hooks: HookRegistrar): void;
}

/** What a provider may do with the registry that uses it. */
export type HookRegistrar = Pick<
  Hooks,
  'on' | 'guard' | 'observe' | 'use' | 'list' | 'trace' | 'session' | 'dispatch'
>;
