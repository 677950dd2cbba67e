import type { ApprovalRequired } from '../approval/approval.ts';
import type { Block, DecisionKind, Modify, Proceed, Retry } from '../decision.ts';
import type { NamePattern, ToolMatcher } from '../match.ts';
import type { Principal } from '../principal.ts';
import type { StandardSchema } from '../schema.ts';
import type { ContextScope, Session } from '../session/session.ts';
import type { ToolInput, ToolOutput } from './tool-types.ts';

/**
 * The fields of every event. Payloads are plain data. Hooks see a frozen copy, so only their answers change anything.
 * Class instances, and the framework's own objects in `native`, are passed by reference.
 */
export interface EventPayload {
  /** The event's type; a sub-event has its own. */
  readonly type: string;
  readonly session: Session;
  /** The agent's name, if there is one. */
  readonly agent?: string;
  /** The run: from a prompt to its answer. */
  readonly run?: string;
  /** The turn: one model call with its tools. */
  readonly turn?: string;
  /** The user: the principal of the tool call, else of the run, else of the session. */
  readonly principal?: Principal;
  /** The framework's own objects; each adapter exports the type. */
  readonly native?: unknown;
}

/**
 * What happens when a hook throws, times out or answers nonsense.
 *
 * - `block`: the gate stays closed, with a reason that names the hook
 * - `proceed`: as if the hook had answered Proceed
 * - `withhold`: the result is withheld from everybody (TransformToolResult)
 * - `ask`: the person is asked (PermissionRequest)
 */
export type FailureMode = 'block' | 'proceed' | 'withhold' | 'ask';

/** The `typeof` of a field's value (an `object` is not null), or `plain`: data that JSON can show, as a tool's input. */
export type FieldShape = 'string' | 'number' | 'boolean' | 'object' | 'function' | 'plain';

/** An event or group as data. The compiler checks the token, and the dispatcher reads this. */
export interface EventSpec {
  readonly type: string;
  readonly kind: 'event' | 'group';
  readonly permits: readonly DecisionKind[];
  readonly modifies: readonly string[];
  /** What the values of these fields must be. */
  readonly shapes: { readonly [field: string]: FieldShape };
  /** What stays of a field's value, if it is there, whatever a hook puts in its place: facts that no hook changes. */
  readonly keeps?: { readonly [field: string]: string } | undefined;
  readonly onFailure: FailureMode;
  /** `reverse`: each phase runs last-registered first, so that hooks nest like an onion. */
  readonly order: 'forward' | 'reverse';
  /** The schema of its own fields. */
  readonly schema?: StandardSchema | undefined;
  /** Whether its hooks get the run's signal. If not, they complete after an abort. */
  readonly abortable: boolean;
  /** How long contributed context stays in force. Not set if the event takes none or keeps it itself. */
  readonly context?: ContextScope;
  /** Its own type, its parent's, and so on up. */
  readonly lineage: readonly string[];
  /** Made by `defineEvent`, or fired by one adapter alone: other support tables say nothing of it. */
  readonly isCustom?: true;
}

/** What a hook is registered on: an event or group, possibly limited to some tools. */
export interface PointData {
  readonly spec: EventSpec;
  readonly tools?: ToolMatcher;
}

/** A point that can be observed. */
export interface ObservePoint<E> extends PointData {
  /** Exists in types only. Contravariant: an observer of a parent can observe its sub-events. */
  readonly '~observed'?: (event: E) => void;
}

/** What the verbs take. For a group, the answers are texts for the compiler's error message. */
export interface HookPoint<E, Decision, Guarding> extends ObservePoint<E> {
  /** Exists in types only. */
  readonly '~intercepted'?: (event: E) => Decision;
  /** Exists in types only. */
  readonly '~guarded'?: (event: E) => Guarding;
}

/** A point whose hooks answer: interceptors with `Decision`, guards with `Guarding`. */
export interface Point<E, Decision, Guarding> extends HookPoint<E, Decision, Guarding> {
  readonly spec: EventSpec & { readonly kind: 'event' };
}

/** The decisions that an event permits to an interceptor. On an event that permits none, `void` is fine. */
export type InterceptorDecision<E, Kinds extends DecisionKind, Fields extends keyof E> = [Kinds] extends [
  never,
]
  ? Proceed | void
  :
      | Proceed
      | ('block' extends Kinds ? Block : never)
      | ('modify' extends Kinds ? Modify<{ readonly [F in Fields]?: E[F] }> : never)
      | ('retry' extends Kinds ? Retry : never);

/** The decisions that an event permits to a guard: Proceed, Block, and before a tool call `requireApproval`. */
export type GuardDecision<E, Kinds extends DecisionKind, Fields extends keyof E> = 'block' extends Kinds
  ? Proceed | Block | ('approval' extends Fields & keyof E ? RequireOnly<E['approval' & keyof E]> : never)
  : 'This event does not permit Block, so it cannot be guarded.';

type RequireOnly<A> = [Extract<A, ApprovalRequired>] extends [never]
  ? never
  : Modify<{ readonly approval: Extract<A, ApprovalRequired> }>;

type OnlyObserved = 'A group of events can only be observed: hooks.observe(group, handler).';

/** A supertype of events: it can be observed, and extended by events and other groups. */
export interface GroupToken<E extends EventPayload> extends HookPoint<E, OnlyObserved, OnlyObserved> {
  readonly spec: EventSpec & { readonly kind: 'group' };
  readonly type: string;
}

/** An event: the point on which hooks are registered and which is dispatched. */
export interface EventToken<
  E extends EventPayload,
  Kinds extends DecisionKind = never,
  Fields extends keyof E = never,
> extends Point<E, InterceptorDecision<E, Kinds, Fields>, GuardDecision<E, Kinds, Fields>> {
  readonly type: string;
  /** Whether an event, for example one that the observer of a group got, has this type. */
  is(event: EventPayload): event is E;
  /** Exists in types only: a sub-event may permit at most this. */
  readonly '~permits'?: (kind: Kinds) => Kinds;
  /** Exists in types only: a sub-event may modify at most these. */
  readonly '~modifies'?: (field: Fields) => Fields;
}

/** The fields that every tool event has, which `.for` and `.matching` need. */
export interface ToolPayload extends EventPayload {
  readonly toolName: string;
  readonly input: unknown;
}

/** An event about a tool, which can be narrowed to some tools. */
export interface ToolEventToken<
  E extends ToolPayload,
  Kinds extends DecisionKind = never,
  Fields extends keyof E = never,
> extends EventToken<E, Kinds, Fields> {
  /**
   * Only calls of tools with these names. A string is a case-sensitive regular expression for the whole name; `*`
   * matches all, `group:fs` the names of a group. A RegExp is used as it is.
   */
  matching(
    pattern: NamePattern,
  ): Point<E, InterceptorDecision<E, Kinds, Fields>, GuardDecision<E, Kinds, Fields>>;
  /**
   * The same, with the input parsed by a schema. If the model's input does not fit, the call ends as if it did not fit
   * the tool's own schema: no hook runs, and neither does the tool. If the input does not fit after a call, or after a
   * hook changed it, this hook has failed. Observers are not called then.
   *
   * @example
   * ```ts
   * hooks.guard(BeforeToolCall.matching('pay', z.object({ amount: z.number() })), ({ input }) =>
   *   input.amount > 100 ? block('Ask for less than 100.') : proceed(),
   * );
   * ```
   */
  matching<Input, Output>(
    pattern: NamePattern,
    schema: StandardSchema<Input, Output>,
  ): Point<
    WithInput<E, Output>,
    InterceptorDecision<WithInput<E, Input>, Kinds, Fields>,
    GuardDecision<WithInput<E, Input>, Kinds, Fields>
  >;
  /**
   * Only calls of this tool and its hooked copies, with its input and output types. Matches by name if the adapter does
   * not know the object.
   */
  for<T extends object>(
    tool: T,
  ): Point<
    ForTool<E, T>,
    InterceptorDecision<ForTool<E, T>, Kinds, Fields & keyof ForTool<E, T>>,
    GuardDecision<ForTool<E, T>, Kinds, Fields & keyof ForTool<E, T>>
  >;
}

/** An event's payload with another type of input. */
export type WithInput<E, Input> = {
  readonly [F in keyof E]: F extends 'input' ? Input : E[F];
};

/** An event's payload with one tool's input and output types. */
export type ForTool<E, T> = {
  readonly [F in keyof E]: F extends 'input' ? ToolInput<T> : F extends 'output' ? ToolOutput<T> : E[F];
};

/** The payload type of a token. */
export type EventOf<Token extends ObservePoint<never>> = Token extends {
  readonly '~observed'?: (event: infer E) => void;
}
  ? E
  : never;

/** What `extends` takes: a group or an event that permits and modifies at least as much. */
export interface ParentPoint<E, Kinds extends DecisionKind, Fields> extends ObservePoint<E> {
  readonly '~permits'?: (kind: Kinds) => unknown;
  readonly '~modifies'?: (field: Fields) => unknown;
}

/** The declaration of an event, see {@link defineEvent}. */
export interface EventDeclaration<
  E extends EventPayload,
  Kinds extends DecisionKind,
  Fields extends keyof E,
> {
  /** Unique name in snake_case; prefix it with your package's. */
  readonly type: string;
  /** What an interceptor may answer besides Proceed. Default: nothing. */
  readonly permits?: readonly Kinds[];
  /** The fields that a Modify may replace. */
  readonly modifies?: readonly Fields[];
  /** Checks the new values of these fields at run time. A hook that sets another value has failed. */
  readonly shapes?: { readonly [Field in Fields]?: FieldShape };
  /**
   * Validates the event's own fields where it is dispatched and after each Modify. It must be synchronous. Default: the
   * schema of the event that it extends.
   */
  readonly schema?: StandardSchema;
  /** What happens when a hook fails. Default: `block` if the event permits Block, else `proceed`. */
  readonly onFailure?: FailureMode;
  /** `reverse` for events that come after something. */
  readonly order?: 'forward' | 'reverse';
  /** `false`: its hooks do not get the run's signal and complete after an abort. Default: as its parent. */
  readonly abortable?: boolean;
  /** How long a contributed `context` stays in force. */
  readonly context?: ContextScope;
  /** The group or event whose hooks run for this event, too. */
  readonly extends?: ParentPoint<NoInfer<E>, NoInfer<Kinds>, NoInfer<Fields>>;
}

/** How an event's token is declared, once its payload type is known. */
export type DeclareEvent<E extends EventPayload> = <
  const Kinds extends DecisionKind = never,
  const Fields extends keyof E & string = never,
>(
  declaration: EventDeclaration<E, Kinds, Fields>,
) => E extends ToolPayload ? ToolEventToken<E, Kinds, Fields> : EventToken<E, Kinds, Fields>;

/** How a group's token is declared. */
export type DeclareGroup<E extends EventPayload> = (declaration: {
  readonly type: string;
  readonly extends?: ObservePoint<E>;
}) => GroupToken<E>;
