// approval.d.ts
import { type Modify } from './decision.ts';
export type ApprovalSource = 'yolo' | 'session_permissions_allow' | 'session_permissions_deny' | 'team_permissions_allow' | 'team_permissions_deny' | 'pre_tool_use_hook_allow' | 'pre_tool_use_hook_deny' | 'readonly_hint' | 'user_approved' | 'user_approved_session' | 'user_approved_tool' | 'user_rejected' | 'context_canceled' | (string & {});
export interface ApprovalRequired {
    readonly kind: 'required';
        readonly reason: string;
        readonly by?: 'person';
}
export interface ApprovalGranted {
    readonly kind: 'granted';
    readonly reason: string;
        readonly source?: ApprovalSource;
}
export type Approval = ApprovalRequired | ApprovalGranted;
export declare function requireApproval(reason: string, options?: {
    readonly by?: 'person';
}): Modify<{
    readonly approval: ApprovalRequired;
}>;
export declare function grantApproval(reason: string, options?: {
    readonly source?: ApprovalSource;
}): Modify<{
    readonly approval: ApprovalGranted;
}>;
export interface ApprovalRequest {
    readonly callId: string;
    readonly toolName: string;
    readonly input: unknown;
    readonly reason: string;
        readonly hash: string;
    readonly sessionId: string;
    readonly agent?: string;
}
export interface ApprovalAnswer {
    readonly decision: 'allow' | 'deny' | 'canceled';
        readonly reason?: string;
        readonly input?: unknown;
    readonly source?: ApprovalSource;
}
export type Approver = (request: ApprovalRequest, options: {
    readonly signal: AbortSignal | undefined;
}) => ApprovalAnswer | PromiseLike<ApprovalAnswer>;
export interface Resumed {
    readonly decision: 'allow' | 'deny';
        readonly by?: string;
        readonly reason?: string;
        readonly hash?: string;
}
export declare function strongerApproval(first: Approval | undefined, second: Approval): Approval;
export declare function isApproval(value: unknown): value is Approval;
export declare function hashInput(input: unknown): Promise<string>;
export declare function canonicalJson(value: unknown): string;

// chain.d.ts
import type { EventPayload, EventSpec } from './event.ts';
import { type NamePattern, type ToolMatcher } from './match.ts';
import type { HookVerb } from './trace.ts';
export type AnyHandler = (event: never, second: never, third: never) => unknown;
export interface Registration {
        readonly id: string;
    readonly provider: string | undefined;
    readonly verb: HookVerb;
    readonly spec: EventSpec;
    readonly matcher: ToolMatcher | undefined;
        readonly meets: ((toolName: string) => boolean) | undefined;
    readonly agents: ((agent: string) => boolean) | undefined;
    readonly agentPattern: NamePattern | undefined;
    readonly priority: number;
        readonly timeoutMs: number;
    readonly onFailure: 'block' | 'proceed' | undefined;
    readonly handler: AnyHandler;
}
export interface Chain {
    readonly spec: EventSpec;
    readonly interceptors: readonly Registration[];
    readonly guards: readonly Registration[];
    readonly observers: readonly Registration[];
    readonly empty: boolean;
        readonly sensitive: boolean;
}
export declare function compileChain(all: readonly Registration[], spec: EventSpec, toolName: string | undefined): Chain;
export declare function narrowChain(chain: Chain, event: EventPayload): Chain;

// context.d.ts
export interface HandlerContext {
        readonly signal: AbortSignal;
}
export declare class Context implements HandlerContext {
    private readonly run;
    private made;
    private reason;
    private controller;
    constructor(run: AbortSignal | undefined);
        get read(): boolean;
    get signal(): AbortSignal;
        abort(reason: unknown): void;
}

// contributed.d.ts
import type { HookDecision } from './decision.ts';
import type { EventPayload, EventSpec } from './event.ts';
import type { Session } from './session.ts';
export declare function keepContributed(session: Session, spec: EventSpec, event: EventPayload, decision: HookDecision): HookDecision;

// deadline.d.ts
export declare const LATE: unique symbol;
export declare class Deadlines {
    #private;
        bound<T>(promise: PromiseLike<T>, ms: number, onLate: (error?: unknown) => void): Promise<T | typeof LATE>;
}

// decision.d.ts
export type DecisionKind = 'block' | 'modify' | 'retry';
export interface Proceed {
    readonly kind: 'proceed';
        readonly '~sealed': never;
}
export interface Block {
    readonly kind: 'block';
        readonly reason: string;
        readonly stop?: boolean;
        readonly by?: string;
        readonly failed?: true;
    readonly '~sealed': never;
}
export interface Modify<out Patch = object, out Fields = keyof Patch> {
    readonly kind: 'modify';
        readonly patch: Patch;
    readonly '~sealed': never;
        readonly '~fields': Fields;
}
export interface Retry {
    readonly kind: 'retry';
        readonly reason: string;
        readonly delayMs?: number;
        readonly by?: string;
    readonly '~sealed': never;
}
export type HookDecision<Patch = object> = Proceed | Block | Modify<Patch, PropertyKey> | Retry;
export declare function proceed(): Proceed;
export declare function block(reason: string, options?: {
    readonly stop?: boolean;
}): Block;
export declare function modify<Patch extends object>(patch: Patch): Modify<Patch>;
export declare function retry(reason: string, options?: {
    readonly delayMs?: number;
}): Retry;
export declare function addContext(...texts: readonly string[]): Modify<{
    readonly context: readonly string[];
}>;
export declare function isDecision(value: unknown): value is HookDecision;

// dispatch.d.ts
import { type Chain } from './chain.ts';
import { type Deadlines } from './deadline.ts';
import { type HookDecision } from './decision.ts';
import { HooksError } from './error.ts';
import type { EventPayload } from './event.ts';
import { type Refusal } from './judge.ts';
import type { DispatchTrace } from './trace.ts';
export interface DispatchHost {
    readonly deadlines: Deadlines;
        readonly traced: boolean;
    readonly report: (error: HooksError) => void;
    readonly trace: (trace: DispatchTrace) => void;
        readonly pending: (promise: Promise<unknown>) => void;
}
export interface DispatchOptions extends Refusal {
        readonly signal?: AbortSignal | undefined;
        rechain?(event: EventPayload): Chain;
        verify?(event: EventPayload): string | undefined | PromiseLike<string | undefined>;
        final?(event: EventPayload): void;
}
export declare function ask(host: DispatchHost, chain: Chain, event: EventPayload, options: DispatchOptions): HookDecision | PromiseLike<HookDecision>;

// error.d.ts
export type HooksErrorCode = 'HOOK_FAILED' | 'HOOK_TIMEOUT' | 'LATE_ANSWER' | 'INVALID_DECISION' | 'INVALID_INPUT' | 'INVALID_EVENT' | 'UNKNOWN_TOOL' | 'UNSUPPORTED_EVENT' | 'DUPLICATE_HOOK' | 'CONFIG_INVALID' | 'APPROVER_FAILED' | 'ROUTE_FAILED';
export interface HooksErrorOrigin {
        readonly hook?: string;
        readonly event?: string;
    readonly cause?: unknown;
}
export declare class HooksError extends Error {
    readonly name = "HooksError";
    readonly code: HooksErrorCode;
    readonly hook: string | undefined;
    readonly event: string | undefined;
    constructor(code: HooksErrorCode, message: string, origin?: HooksErrorOrigin);
}
export declare function fail(code: HooksErrorCode, message: string, origin?: HooksErrorOrigin): never;
export declare function isHooksError(value: unknown): value is HooksError;

// event.d.ts
import type { ApprovalRequired } from './approval.ts';
import type { Block, DecisionKind, Modify, Proceed, Retry } from './decision.ts';
import { type NamePattern, type ToolMatcher } from './match.ts';
import type { ContextScope, Session } from './session.ts';
import type { ToolInput, ToolOutput } from './tool-types.ts';
export interface EventPayload {
        readonly type: string;
    readonly session: Session;
        readonly agent?: string;
        readonly run?: string;
        readonly turn?: string;
        readonly native?: unknown;
}
export type FailureMode = 'block' | 'proceed' | 'withhold' | 'ask';
export interface EventSpec {
    readonly type: string;
    readonly kind: 'event' | 'group';
    readonly permits: readonly DecisionKind[];
    readonly modifies: readonly string[];
    readonly onFailure: FailureMode;
        readonly order: 'forward' | 'reverse';
        readonly context?: ContextScope;
        readonly lineage: readonly string[];
}
export interface PointData {
    readonly spec: EventSpec;
    readonly tools?: ToolMatcher;
}
export interface ObservePoint<E> extends PointData {
        readonly '~observed'?: (event: E) => void;
}
export interface Point<E, Answer, GuardAnswer> extends ObservePoint<E> {
    readonly spec: EventSpec & {
        readonly kind: 'event';
    };
        readonly '~intercepted'?: (event: E) => Answer;
        readonly '~guarded'?: (event: E) => GuardAnswer;
}
export type Answer<E, Kinds extends DecisionKind, Fields extends keyof E> = [Kinds] extends [never] ? Proceed | void : Proceed | ('block' extends Kinds ? Block : never) | ('modify' extends Kinds ? Modify<{
    readonly [F in Fields]?: E[F];
}> : never) | ('retry' extends Kinds ? Retry : never);
export type GuardAnswer<E, Kinds extends DecisionKind, Fields extends keyof E> = 'block' extends Kinds ? Proceed | Block | ('approval' extends Fields & keyof E ? RequireOnly<E['approval' & keyof E]> : never) : never;
type RequireOnly<A> = [Extract<A, ApprovalRequired>] extends [never] ? never : Modify<{
    readonly approval: Extract<A, ApprovalRequired>;
}>;
export interface GroupToken<E extends EventPayload> extends ObservePoint<E> {
    readonly spec: EventSpec & {
        readonly kind: 'group';
    };
    readonly type: string;
}
export interface EventToken<E extends EventPayload, Kinds extends DecisionKind = never, Fields extends keyof E = never> extends Point<E, Answer<E, Kinds, Fields>, GuardAnswer<E, Kinds, Fields>> {
    readonly type: string;
        is(event: EventPayload): event is E;
        readonly '~permits'?: (kind: Kinds) => Kinds;
        readonly '~modifies'?: (field: Fields) => Fields;
}
export interface ToolPayload extends EventPayload {
    readonly toolName: string;
    readonly input: unknown;
}
export interface ToolEventToken<E extends ToolPayload, Kinds extends DecisionKind = never, Fields extends keyof E = never> extends EventToken<E, Kinds, Fields> {
        matching(pattern: NamePattern): Point<E, Answer<E, Kinds, Fields>, GuardAnswer<E, Kinds, Fields>>;
        for<T extends object>(tool: T): Point<ForTool<E, T>, Answer<ForTool<E, T>, Kinds, Fields & keyof ForTool<E, T>>, GuardAnswer<ForTool<E, T>, Kinds, Fields & keyof ForTool<E, T>>>;
}
export type ForTool<E, T> = {
    readonly [F in keyof E]: F extends 'input' ? ToolInput<T> : F extends 'output' ? ToolOutput<T> : E[F];
};
export type EventOf<Token extends ObservePoint<never>> = Token extends {
    readonly '~observed'?: (event: infer E) => void;
} ? E : never;
export interface ParentPoint<E, Kinds extends DecisionKind, Fields> extends ObservePoint<E> {
    readonly '~permits'?: (kind: Kinds) => unknown;
    readonly '~modifies'?: (field: Fields) => unknown;
}
export interface EventDeclaration<E extends EventPayload, Kinds extends DecisionKind, Fields extends keyof E> {
        readonly type: string;
        readonly permits?: readonly Kinds[];
        readonly modifies?: readonly Fields[];
        readonly onFailure?: FailureMode;
        readonly order?: 'forward' | 'reverse';
        readonly context?: ContextScope;
        readonly extends?: ParentPoint<NoInfer<E>, NoInfer<Kinds>, NoInfer<Fields>>;
}
export declare function defineEvent<E extends EventPayload>(): <const Kinds extends DecisionKind = never, const Fields extends keyof E & string = never>(declaration: EventDeclaration<E, Kinds, Fields>) => E extends ToolPayload ? ToolEventToken<E, Kinds, Fields> : EventToken<E, Kinds, Fields>;
export declare function defineGroup<E extends EventPayload>(): (declaration: {
    readonly type: string;
    readonly extends?: ObservePoint<E>;
}) => GroupToken<E>;
export {};

// events/agent.d.ts
import { type EventPayload, type EventToken } from '../event.ts';
export interface SubagentStart extends EventPayload {
        readonly subagent: string;
        readonly subagentSession?: string;
}
export declare const SubagentStart: EventToken<SubagentStart>;
export interface SubagentStop extends EventPayload {
    readonly subagent: string;
    readonly subagentSession?: string;
        readonly response: string;
    readonly lastUserMessage?: string;
}
export declare const SubagentStop: EventToken<SubagentStop>;
export interface AgentModel {
    readonly provider?: string;
    readonly model: string;
}
export interface AgentSwitch extends EventPayload {
    readonly from: string;
    readonly to: string;
    readonly switchKind: 'transfer_task' | 'transfer_task_return' | 'handoff';
        readonly models: readonly AgentModel[];
}
export declare const AgentSwitch: EventToken<AgentSwitch>;
export interface Notification extends EventPayload {
    readonly level: 'error' | 'warning';
    readonly message: string;
}
export declare const Notification: EventToken<Notification>;
export interface AgentError extends EventPayload {
    readonly error: unknown;
    readonly message: string;
}
export declare const AgentError: EventToken<AgentError>;
export interface MaxIterations extends EventPayload {
    readonly maxIterations: number;
    readonly message: string;
}
export declare const MaxIterations: EventToken<MaxIterations>;

// events/compaction.d.ts
import { type EventPayload, type EventToken } from '../event.ts';
export interface CompactionPayload extends EventPayload {
    readonly inputTokens: number;
    readonly outputTokens: number;
        readonly contextLimit: number;
    readonly reason: 'threshold' | 'overflow' | 'manual';
    readonly source: 'manual' | 'auto' | 'overflow' | 'tool_overflow';
}
export interface BeforeCompaction extends CompactionPayload {
    readonly summary?: string;
    readonly context?: readonly string[];
}
export declare const BeforeCompaction: EventToken<BeforeCompaction, 'block' | 'modify', 'summary' | 'context'>;
export interface AfterCompaction extends CompactionPayload {
    readonly summary: string;
}
export declare const AfterCompaction: EventToken<AfterCompaction>;

// events/groups.d.ts
import { type EventPayload, type GroupToken, type ToolPayload } from '../event.ts';
export declare const HookEvent: GroupToken<EventPayload>;
export declare const SessionEvent: GroupToken<EventPayload>;
export declare const PromptEvent: GroupToken<EventPayload>;
export declare const ModelEvent: GroupToken<EventPayload>;
export declare const ToolEvent: GroupToken<ToolEvent>;
export declare const AgentEvent: GroupToken<EventPayload>;
export declare const CompactionEvent: GroupToken<EventPayload>;
export type ToolKind = 'function' | 'mcp' | 'agent' | 'framework' | 'hosted';
export interface ToolDescriptor {
    readonly kind: ToolKind;
        readonly ref?: object;
    readonly description?: string;
        readonly annotations?: {
        readonly readOnlyHint?: boolean;
        readonly destructiveHint?: boolean;
    };
}
export interface ToolEvent extends ToolPayload {
        readonly callId: string;
        readonly toolName: string;
        readonly nativeToolName: string;
        readonly input: unknown;
    readonly tool?: ToolDescriptor;
        readonly parentCallId?: string;
}

// events/index.d.ts
export * from './agent.ts';
export * from './compaction.ts';
export * from './groups.ts';
export * from './model.ts';
export * from './prompt.ts';
export * from './session.ts';
export * from './tool.ts';

// events/model.d.ts
import { type EventPayload, type EventToken } from '../event.ts';
export interface ModelSettings {
    readonly temperature?: number;
        readonly reasoningEffort?: 'off' | 'low' | 'medium' | 'high';
        readonly reasoningVisible?: boolean;
        readonly maxTokens?: number;
}
export interface ModelMessage {
    readonly role: 'system' | 'user' | 'assistant' | 'tool';
        readonly text: string;
    readonly native?: unknown;
}
export interface ModelTool {
    readonly name: string;
    readonly description?: string;
    readonly native?: unknown;
}
export interface ModelResponse {
    readonly text: string;
    readonly toolCalls: readonly {
        readonly callId: string;
        readonly toolName: string;
        readonly input: unknown;
    }[];
        readonly usage?: {
        readonly inputTokens?: number;
        readonly outputTokens?: number;
    };
    readonly native?: unknown;
}
export interface TurnStart extends EventPayload {
        readonly iteration: number;
    readonly context?: readonly string[];
}
export declare const TurnStart: EventToken<TurnStart, 'modify', 'context'>;
export interface BeforeModelCall extends EventPayload {
        readonly iteration: number;
    readonly provider?: string;
    readonly model?: string;
    readonly instructions?: string;
    readonly messages: readonly ModelMessage[];
    readonly tools: readonly ModelTool[];
    readonly settings?: ModelSettings;
    readonly context?: readonly string[];
}
export declare const BeforeModelCall: EventToken<BeforeModelCall, 'block' | 'modify', 'instructions' | 'messages' | 'tools' | 'settings' | 'context'>;
export interface AfterModelCall extends EventPayload {
    readonly iteration: number;
    readonly provider?: string;
    readonly model?: string;
    readonly response: ModelResponse;
    readonly lastUserMessage?: string;
        readonly attempt: number;
}
export declare const AfterModelCall: EventToken<AfterModelCall, 'block' | 'modify' | 'retry', 'response'>;
export type TurnEndReason = 'normal' | 'continue' | 'steered' | 'error' | 'canceled' | 'hook_blocked' | 'loop_detected';
export interface TurnEnd extends EventPayload {
    readonly reason: TurnEndReason;
    readonly iteration: number;
}
export declare const TurnEnd: EventToken<TurnEnd>;
export interface Stop extends EventPayload {
        readonly response: string;
    readonly lastUserMessage?: string;
        readonly continuations: number;
}
export declare const Stop: EventToken<Stop, 'retry'>;

// events/prompt.d.ts
import { type EventPayload, type EventToken } from '../event.ts';
import type { ModelSettings } from './model.ts';
export interface UserPromptSubmit extends EventPayload {
        readonly prompt: string;
    readonly provider?: string;
    readonly model?: string;
    readonly metadata?: {
        readonly [name: string]: unknown;
    };
    readonly context?: readonly string[];
}
export declare const UserPromptSubmit: EventToken<UserPromptSubmit, 'block' | 'modify', 'prompt' | 'context' | 'metadata'>;
export interface BeforeRun extends EventPayload {
        readonly message: string;
        readonly metadata: {
        readonly [name: string]: unknown;
    };
    readonly provider?: string;
    readonly model?: string;
    readonly settings?: ModelSettings;
}
export declare const BeforeRun: EventToken<BeforeRun, 'block' | 'modify', 'model' | 'settings'>;
export interface UserInputRequired extends EventPayload {
        readonly message?: string;
}
export declare const UserInputRequired: EventToken<UserInputRequired>;

// events/session.d.ts
import { type EventPayload, type EventToken } from '../event.ts';
import type { SessionEndReason, SessionSource } from '../session.ts';
export interface SessionStart extends EventPayload {
    readonly source: SessionSource;
    readonly context?: readonly string[];
}
export declare const SessionStart: EventToken<SessionStart, 'modify', 'context'>;
export interface SessionEnd extends EventPayload {
    readonly reason: SessionEndReason;
}
export declare const SessionEnd: EventToken<SessionEnd>;
export interface SessionResume extends EventPayload {
    readonly previousMaxIterations: number;
    readonly newMaxIterations: number;
}
export declare const SessionResume: EventToken<SessionResume>;

// events/tool.d.ts
import type { Approval, ApprovalGranted, ApprovalSource, Resumed } from '../approval.ts';
import { type ToolEventToken } from '../event.ts';
import type { Execute } from '../execute.ts';
import { ToolEvent } from './groups.ts';
export type { ToolEvent } from './groups.ts';
export interface BeforeToolCall extends ToolEvent {
    readonly approval?: Approval;
        readonly execute?: Execute;
    readonly context?: readonly string[];
        readonly resumed?: Resumed;
}
export declare const BeforeToolCall: ToolEventToken<BeforeToolCall, 'block' | 'modify', 'toolName' | 'input' | 'approval' | 'execute' | 'context'>;
export interface PermissionRequest extends ToolEvent {
        readonly reason: string;
        readonly by?: 'person';
    readonly approval?: ApprovalGranted;
}
export declare const PermissionRequest: ToolEventToken<PermissionRequest, 'block' | 'modify', 'approval' | 'input'>;
export interface ToolApprovalDecision extends ToolEvent {
    readonly approval: 'allow' | 'deny' | 'canceled';
    readonly source: ApprovalSource;
    readonly reason?: string;
}
export declare const ToolApprovalDecision: ToolEventToken<ToolApprovalDecision>;
export interface TransformToolResult extends ToolEvent {
    readonly status: 'ok' | 'error';
    readonly output?: unknown;
    readonly error?: unknown;
    readonly errorMessage?: string;
        readonly attempt: number;
}
export declare const TransformToolResult: ToolEventToken<TransformToolResult, 'modify', 'output' | 'errorMessage'>;
export type ToolCallStatus = 'ok' | 'error' | 'blocked' | 'denied';
export interface AfterToolCall extends ToolEvent {
    readonly status: ToolCallStatus;
        readonly ran: boolean;
    readonly output?: unknown;
    readonly error?: unknown;
    readonly errorMessage?: string;
        readonly code?: 'INVALID_INPUT';
        readonly reason?: string;
        readonly durationMs: number;
        readonly attempt: number;
    readonly context?: readonly string[];
}
export declare const AfterToolCall: ToolEventToken<AfterToolCall, 'block' | 'modify' | 'retry', 'output' | 'context'>;

// execute.d.ts
import { type Modify } from './decision.ts';
import type { ToolEvent } from './events/groups.ts';
export interface ExecuteOptions {
        readonly signal: AbortSignal | undefined;
        readonly call: ToolEvent;
}
export interface Route {
        readonly provider: string;
        readonly isolated: boolean;
}
export interface Execute {
    (input: unknown, options: ExecuteOptions): unknown;
    readonly route?: Route;
}
export declare function answer(output: unknown): Modify<{
    readonly execute: Execute;
}>;

// global.d.ts
import type { Hooks, HooksOptions } from './hooks.ts';
export declare function globalHooks(options?: HooksOptions): Hooks;
export declare function resetGlobalHooks(): Promise<void>;

// handler.d.ts
import type { Registration } from './chain.ts';
import type { Context } from './context.ts';
import { type Deadlines } from './deadline.ts';
import type { HookDecision } from './decision.ts';
import { HooksError, type HooksErrorCode } from './error.ts';
import type { EventPayload } from './event.ts';
export declare class Failed {
    readonly error: HooksError;
    constructor(error: HooksError);
}
export declare function callHandler(hook: Registration, event: EventPayload, context: Context, decision?: HookDecision): unknown;
interface HandlerHost {
    readonly deadlines: Deadlines;
    readonly report: (error: HooksError) => void;
}
export declare function bounded(host: HandlerHost, hook: Registration, promise: PromiseLike<unknown>): PromiseLike<unknown>;
export declare function timedOut(hook: Registration, context: Context): Failed;
export declare function settleHandler(host: HandlerHost, hook: Registration, promise: PromiseLike<unknown>, context: Context): Promise<unknown>;
export declare function failure(hook: Registration, code: HooksErrorCode, what: string, cause?: unknown): Failed;
export {};

// history.d.ts
import type { ToolCallStatus } from './events/tool.ts';
export interface ToolCallRecord {
    readonly callId: string;
    readonly toolName: string;
        readonly input: unknown;
    readonly status: ToolCallStatus;
    readonly ran: boolean;
        readonly reason?: string;
        readonly by?: string;
    readonly attempts: number;
    readonly durationMs: number;
        readonly at: number;
}

// hooks.d.ts
import type { Chain } from './chain.ts';
import type { HandlerContext } from './context.ts';
import type { HookDecision } from './decision.ts';
import type { DispatchHost, DispatchOptions } from './dispatch.ts';
import type { HooksError } from './error.ts';
import type { EventPayload, ObservePoint, Point, PointData } from './event.ts';
import type { NamePattern, ToolNames } from './match.ts';
import type { HookProvider } from './provider.ts';
import type { Session, SessionState } from './session.ts';
import type { SessionLimits, SessionOptions } from './session-store.ts';
import type { SupportTable } from './support.ts';
import type { CallChains } from './tool-call/chains.ts';
import type { HookVerb, TraceListener } from './trace.ts';
export interface HooksOptions extends ToolNames {
        readonly timeoutMs?: number;
        readonly maxAttempts?: number;
    readonly sessions?: SessionLimits;
        readonly formatBlocked?: (blocked: {
        readonly reason: string;
        readonly toolName: string;
        readonly ran: boolean;
    }) => string;
        readonly onError?: (error: HooksError) => void;
        readonly onWarning?: (message: string) => void;
}
export interface HookOptions {
        readonly id?: string;
        readonly priority?: number;
        readonly timeoutMs?: number;
        readonly onFailure?: 'block' | 'proceed';
        readonly agents?: NamePattern;
        readonly allowUnknown?: boolean;
}
export type Interceptor<E, Answer> = (event: E, context: HandlerContext) => Answer | PromiseLike<Answer>;
export type Observer<E> = (event: E, decision: HookDecision, context: HandlerContext) => unknown;
export interface HookInfo {
        readonly id: string;
    readonly provider?: string;
    readonly verb: HookVerb;
        readonly event: string;
    readonly priority: number;
        readonly matcher?: string;
        readonly agents?: string;
}
export interface UnmatchedHook {
    readonly id: string;
    readonly matcher: string;
        readonly nearest: readonly string[];
}
export interface Attachment {
        readonly supports: SupportTable;
        readonly allowUnsupported?: readonly string[];
        readonly tools?: readonly string[];
}
export type Ask<E, Answer> = (event: E, options?: DispatchOptions) => Answered<Answer> | PromiseLike<Answered<Answer>>;
export type Answered<Answer> = Exclude<Answer, void>;
export interface Hooks extends AsyncDisposable {
        on<E, Answer, G>(point: Point<E, Answer, G>, handler: Interceptor<NoInfer<E>, NoInfer<Answer>>, options?: HookOptions): Disposable;
        guard<E, Answer, G>(point: Point<E, Answer, G>, handler: Interceptor<NoInfer<E>, NoInfer<G>>, options?: HookOptions): Disposable;
        observe<E>(point: ObservePoint<E>, handler: Observer<NoInfer<E>>, options?: HookOptions): Disposable;
        use(provider: HookProvider, options?: {
        readonly name?: string;
    }): Disposable;
        list(): readonly HookInfo[];
        get(point: PointData, toolName?: string): readonly HookInfo[];
        remove(id: string): boolean;
        clear(): void;
        unmatched(): readonly UnmatchedHook[];
        dispatch<E extends EventPayload, Answer, G>(token: Point<E, Answer, G> & {
        readonly type: string;
    }, event: Omit<E, 'type'> | E, options?: DispatchOptions): Answered<Answer> | PromiseLike<Answered<Answer>>;
        bind<E extends EventPayload, Answer, G>(token: Point<E, Answer, G> & {
        readonly type: string;
    }, toolName?: string): Ask<E, Answer>;
        session(id?: string, options?: SessionOptions): Session;
        trace(listener: TraceListener): Disposable;
        onError(listener: (error: HooksError) => void): Disposable;
        settled(): Promise<void>;
        close(): Promise<void>;
        attach(attachment: Attachment): void;
        concerns(toolName: string): boolean;
        readonly '~internal': HooksInternal;
}
export interface HooksInternal {
    readonly options: HooksOptions;
    readonly host: DispatchHost;
        chain(point: PointData, toolName?: string): Chain;
        callChains(): Map<string, CallChains>;
        state(session: Session): SessionState;
    warnOnce(message: string): void;
}

// index.d.ts
export { type Approval, type ApprovalAnswer, type ApprovalGranted, type ApprovalRequest, type ApprovalRequired, type ApprovalSource, type Approver, grantApproval, hashInput, type Resumed, requireApproval, } from './approval.ts';
export type { Chain, Registration } from './chain.ts';
export type { HandlerContext } from './context.ts';
export { addContext, type Block, block, type DecisionKind, type HookDecision, isDecision, type Modify, modify, type Proceed, proceed, type Retry, retry, } from './decision.ts';
export type { DispatchOptions } from './dispatch.ts';
export { HooksError, type HooksErrorCode, type HooksErrorOrigin, isHooksError } from './error.ts';
export { type Answer, defineEvent, defineGroup, type EventDeclaration, type EventOf, type EventPayload, type EventSpec, type EventToken, type FailureMode, type ForTool, type GroupToken, type GuardAnswer, type ObservePoint, type ParentPoint, type Point, type PointData, type ToolEventToken, type ToolPayload, } from './event.ts';
export * from './events/index.ts';
export { answer, type Execute, type ExecuteOptions, type Route } from './execute.ts';
export { globalHooks, resetGlobalHooks } from './global.ts';
export type { ToolCallRecord } from './history.ts';
export type { Answered, Ask, Attachment, HookInfo, HookOptions, Hooks, HooksInternal, HooksOptions, Interceptor, Observer, UnmatchedHook, } from './hooks.ts';
export { markHooked, type NamePattern, originalTool, type ToolMatcher, type ToolNames } from './match.ts';
export { openclawTools } from './presets/openclaw.ts';
export type { HookProvider, HookRegistrar } from './provider.ts';
export { createHooks } from './registry.ts';
export { type ContextScope, type Run, type Session, type SessionEndReason, type SessionKey, type SessionSource, sessionKey, } from './session.ts';
export type { SessionLimits, SessionOptions } from './session-store.ts';
export type { EventSupport, SupportCell, SupportTable } from './support.ts';
export * from './tool-call/index.ts';
export type { ToolInput, ToolOutput } from './tool-types.ts';
export { type DispatchTrace, type HookVerb, recordTraces, type TracedHook, type TraceListener, type TraceRecorder, } from './trace.ts';

// judge.d.ts
import type { Registration } from './chain.ts';
import { type HookDecision } from './decision.ts';
import type { HooksError } from './error.ts';
import type { EventPayload, EventSpec } from './event.ts';
export type Fields = {
    readonly [field: string]: unknown;
};
export interface Verdict {
    readonly decision: HookDecision;
    readonly error?: HooksError;
}
export interface Refusal {
        refuse?(decision: HookDecision, event: EventPayload): string | undefined;
}
export declare function judge(hook: Registration, answer: unknown, spec: EventSpec, event: EventPayload, refusal: Refusal): Verdict;
export declare function mergePatch(event: EventPayload, patch: Fields): Fields;

// match.d.ts
export type NamePattern = string | RegExp;
export type ToolMatcher = {
    readonly kind: 'name';
    readonly pattern: NamePattern;
} | {
    readonly kind: 'tool';
    readonly tool: object;
    readonly name: string | undefined;
};
export interface ToolNames {
        readonly aliases?: {
        readonly [alias: string]: string;
    };
        readonly groups?: {
        readonly [group: string]: readonly string[];
    };
        readonly knownTools?: readonly string[];
}
export declare function canonicalName(name: string, names: ToolNames): string;
export declare function compileMatcher(pattern: NamePattern, names: ToolNames): (name: string) => boolean;
export declare function describeMatcher(matcher: ToolMatcher): string;
export declare function toolName(tool: object): string | undefined;
export declare function markHooked<T extends object>(copy: T, original: object): T;
export declare function originalTool(tool: object): object;
export declare function nearestNames(written: string, names: readonly string[]): readonly string[];

// node.d.ts
import type { Hooks } from './hooks.ts';
export interface CloseOnExitOptions {
        readonly signals?: readonly NodeJS.Signals[];
        readonly timeoutMs?: number;
}
export declare function closeOnExit(hooks: Hooks, options?: CloseOnExitOptions): Disposable;

// presets/openclaw.d.ts
import type { ToolNames } from '../match.ts';
export declare const openclawTools: Required<ToolNames>;

// provider.d.ts
import type { Hooks } from './hooks.ts';
export interface HookProvider {
        readonly name: string;
        readonly once?: boolean;
        register(hooks: HookRegistrar): void;
}
export type HookRegistrar = Pick<Hooks, 'on' | 'guard' | 'observe' | 'session' | 'dispatch'>;

// registration.d.ts
import type { AnyHandler, Registration } from './chain.ts';
import type { PointData } from './event.ts';
import type { HookInfo, HookOptions, HooksOptions } from './hooks.ts';
import type { HookVerb } from './trace.ts';
export declare function makeRegistration(verb: HookVerb, point: PointData, handler: AnyHandler, { id, priority, timeoutMs, onFailure, agents, allowUnknown }: HookOptions, provider: string | undefined, registry: HooksOptions, made: number): Registration;
export declare function describe({ id, provider, verb, spec, matcher, agentPattern, priority, }: Registration): HookInfo;

// registry.d.ts
import type { Hooks, HooksOptions } from './hooks.ts';
export declare function createHooks(options?: HooksOptions): Hooks;

// session-store.d.ts
import { type Session, type SessionEndReason, type SessionSource, SessionState } from './session.ts';
export interface SessionLimits {
        readonly idleMs?: number;
        readonly max?: number;
        readonly historyLength?: number;
}
export interface SessionOptions {
    readonly parent?: Session;
        readonly source?: SessionSource;
}
export interface SessionEvents {
    start(session: SessionState): undefined | PromiseLike<undefined>;
    end(session: SessionState, reason: SessionEndReason): Promise<void>;
}
export declare class SessionStore {
    #private;
    constructor(limits: SessionLimits, events: SessionEvents);
        open(id: string | undefined, { parent, source }: SessionOptions): SessionState;
        touch(session: SessionState): SessionState;
        close(reason: SessionEndReason): Promise<void>;
}

// session.d.ts
import type { ToolCallRecord } from './history.ts';
export interface SessionKey<T> {
    readonly name: string;
        readonly '~value'?: (value: T) => T;
}
export declare function sessionKey<T>(name: string): SessionKey<T>;
export type SessionSource = 'startup' | 'resume' | 'clear' | 'compact';
export type SessionEndReason = 'clear' | 'logout' | 'prompt_input_exit' | 'evicted' | 'other';
export type ContextScope = 'session' | 'run' | 'call';
export interface Run {
    readonly id: string;
        readonly metadata: {
        readonly [name: string]: unknown;
    };
}
export interface Session extends AsyncDisposable {
    readonly id: string;
        readonly parent: Session | undefined;
    readonly source: SessionSource;
    readonly state: 'new' | 'opening' | 'open' | 'closed';
        open(): undefined | PromiseLike<undefined>;
        get<T>(key: SessionKey<T>): T | undefined;
    get<T>(key: SessionKey<T>, initial: () => T): T;
    set<T>(key: SessionKey<T>, value: T): void;
        readonly history: readonly ToolCallRecord[];
        run(id: string): Run;
        endRun(id: string): void;
        tag(runId: string, metadata: {
        readonly [name: string]: unknown;
    }): void;
        addContext(texts: readonly string[], scope: ContextScope, runId?: string): void;
        takeContext(runId?: string): readonly string[];
        close(reason?: SessionEndReason): Promise<void>;
        toJSON(): {
        readonly id: string;
        readonly parent?: string;
    };
}
export interface SessionHost {
        open(): undefined | PromiseLike<undefined>;
        end(reason: SessionEndReason): Promise<void>;
}
export declare class SessionState implements Session {
    #private;
    readonly id: string;
    readonly parent: Session | undefined;
    readonly source: SessionSource;
    state: 'new' | 'opening' | 'open' | 'closed';
        opening: PromiseLike<undefined> | undefined;
        epoch: number;
        readonly paused: Map<string, object>;
    constructor(id: string, parent: Session | undefined, source: SessionSource, historyLength: number, host: SessionHost);
    open(): undefined | PromiseLike<undefined>;
    get<T>(key: SessionKey<T>): T | undefined;
    get<T>(key: SessionKey<T>, initial: () => T): T;
    set<T>(key: SessionKey<T>, value: T): void;
    get history(): readonly ToolCallRecord[];
    record(call: ToolCallRecord): void;
    run(id: string): Run;
    endRun(id: string): void;
    tag(runId: string, metadata: {
        readonly [name: string]: unknown;
    }): void;
    addContext(texts: readonly string[], scope: ContextScope, runId?: string): void;
    takeContext(runId?: string): readonly string[];
    close(reason?: SessionEndReason): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    toJSON(): {
        readonly id: string;
        readonly parent?: string;
    };
}

// support.d.ts
import type { Registration } from './chain.ts';
import type { ToolKind } from './events/groups.ts';
import type { Attachment } from './hooks.ts';
export interface SupportCell {
    readonly level: 'native' | 'emulated' | 'none';
        readonly note?: string;
}
export interface EventSupport {
        readonly fires: SupportCell;
        readonly decisions?: {
        readonly [decision: string]: SupportCell;
    };
        readonly tools?: {
        readonly [Kind in ToolKind]?: SupportCell;
    };
        readonly streamed?: {
        readonly [decision: string]: SupportCell;
    };
}
export interface SupportTable {
        readonly adapter: string;
    readonly events: {
        readonly [eventType: string]: EventSupport;
    };
}
export declare function checkSupport(hook: Registration, { supports, allowUnsupported }: Attachment, warn: (message: string) => void): void;

// thenable.d.ts
export declare function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T>;
export declare function after<T, R>(value: T | PromiseLike<T>, next: (value: T) => R | PromiseLike<R>): R | PromiseLike<R>;

// tool-call/approve.d.ts
import { type ApprovalAnswer, type ApprovalSource } from '../approval.ts';
import type { HookDecision } from '../decision.ts';
import type { Flight } from './flight.ts';
import type { BegunStep } from './step.ts';
export declare function approve(flight: Flight): BegunStep | PromiseLike<BegunStep>;
export declare function takeAnswer(flight: Flight, answer: ApprovalAnswer): Promise<BegunStep>;
export declare function announce(flight: Flight, approval: 'allow' | 'deny' | 'canceled', source: ApprovalSource, reason: string | undefined): HookDecision | PromiseLike<HookDecision>;
export declare function run(flight: Flight): BegunStep | PromiseLike<BegunStep>;

// tool-call/before.d.ts
import type { Flight } from './flight.ts';
import type { BegunStep } from './step.ts';
export declare function begin(flight: Flight): BegunStep | PromiseLike<BegunStep>;

// tool-call/call.d.ts
import type { ApprovalAnswer } from '../approval.ts';
import type { Execute } from '../execute.ts';
import type { Hooks } from '../hooks.ts';
import type { BeginOptions, Begun, CallOptions, CallToken, Finished, ToolCall, ToolCallOutcome, ToolResult } from './types.ts';
export declare function beginToolCall(hooks: Hooks, call: ToolCall, options?: BeginOptions): Begun | PromiseLike<Begun>;
export declare function answerToolCall(token: CallToken, answer: ApprovalAnswer): Promise<Begun>;
export declare function finishToolCall(hooks: Hooks, token: CallToken, result: ToolResult): Finished | PromiseLike<Finished>;
export declare function callTool(hooks: Hooks, call: ToolCall, execute: Execute, options?: CallOptions): Promise<ToolCallOutcome>;

// tool-call/chains.d.ts
import type { Chain } from '../chain.ts';
import type { HooksInternal } from '../hooks.ts';
export interface CallChains {
    readonly before: Chain;
    readonly permission: Chain;
    readonly decided: Chain;
    readonly transform: Chain;
    readonly after: Chain;
}
export declare function callChains(internal: HooksInternal, toolName: string): CallChains;

// tool-call/check.d.ts
import type { Block } from '../decision.ts';
import type { Flight } from './flight.ts';
export declare function misfit(flight: Flight, input: unknown): string | undefined | PromiseLike<string | undefined>;
export declare function recheck(flight: Flight, input: unknown): Block | undefined | PromiseLike<Block | undefined>;

// tool-call/flight.d.ts
import type { ApprovalRequest } from '../approval.ts';
import type { Chain } from '../chain.ts';
import { type HookDecision } from '../decision.ts';
import { type DispatchOptions } from '../dispatch.ts';
import type { EventPayload } from '../event.ts';
import type { ToolEvent } from '../events/groups.ts';
import type { BeforeToolCall } from '../events/tool.ts';
import type { Execute } from '../execute.ts';
import type { Hooks, HooksInternal } from '../hooks.ts';
import type { SessionState } from '../session.ts';
import { type CallChains } from './chains.ts';
import type { BeginOptions, CallToken, RenameTarget, ToolCall } from './types.ts';
export declare class Flight {
    #private;
    readonly internal: HooksInternal;
    readonly session: SessionState;
    readonly options: BeginOptions;
        call: ToolCall;
        event: BeforeToolCall;
        chains: CallChains;
        target: RenameTarget | undefined;
        cleared: boolean;
    attempt: number;
    startedAt: number;
    exhausted: boolean;
    context: readonly string[];
        request: ApprovalRequest | undefined;
    constructor(hooks: Hooks, call: ToolCall, options: BeginOptions);
        ask(chain: Chain, event: EventPayload, options: DispatchOptions): HookDecision | PromiseLike<HookDecision>;
        tell(type: string): Writable<ToolEvent>;
        get running(): {
        readonly input: unknown;
        readonly execute?: Execute;
    };
        get token(): CallToken;
}
export type Writable<T> = {
    -readonly [Field in keyof T]: T[Field];
};

// tool-call/index.d.ts
export { answerToolCall, beginToolCall, callTool, finishToolCall } from './call.ts';
export type * from './types.ts';

// tool-call/paused.d.ts
import { Flight } from './flight.ts';
export declare function takePaused(flight: Flight): Flight | undefined;

// tool-call/result.d.ts
import { type ToolCallStatus } from '../events/tool.ts';
import type { Flight } from './flight.ts';
import type { BegunStep, FinishedStep } from './step.ts';
import type { DoneCall, ToolResult } from './types.ts';
interface Ending {
    readonly status: ToolCallStatus;
    readonly ran: boolean;
    readonly output?: unknown;
    readonly error?: unknown;
    readonly code?: 'INVALID_INPUT';
    readonly reason?: string;
    readonly by?: string | undefined;
    readonly stop?: boolean | undefined;
    readonly aborted?: boolean;
}
export declare function finish(flight: Flight, result: ToolResult): FinishedStep | PromiseLike<FinishedStep>;
export declare function conclude(flight: Flight, ending: Ending): FinishedStep | PromiseLike<FinishedStep>;
export declare function refused(flight: Flight, status: 'blocked' | 'denied', { reason, by, stop }: {
    readonly reason: string;
    readonly by?: string;
    readonly stop?: boolean;
}): BegunStep | PromiseLike<BegunStep>;
export declare function aborted(flight: Flight, error: unknown, ran?: boolean): DoneCall | PromiseLike<DoneCall>;
export {};

// tool-call/step.d.ts
import type { DoneCall } from './types.ts';
export type BegunStep = {
    readonly kind: 'run';
} | {
    readonly kind: 'ask';
} | DoneCall;
export type FinishedStep = {
    readonly kind: 'again';
    readonly delayMs: number;
} | DoneCall;

// tool-call/types.d.ts
import type { ApprovalRequest, Approver, Resumed } from '../approval.ts';
import type { ToolDescriptor } from '../events/groups.ts';
import type { ToolCallStatus } from '../events/tool.ts';
import type { Execute } from '../execute.ts';
import type { Session } from '../session.ts';
export interface ToolCall {
    readonly session: Session;
    readonly agent?: string | undefined;
    readonly run?: string | undefined;
    readonly turn?: string | undefined;
        readonly toolName: string;
        readonly callId?: string | undefined;
        readonly input: unknown;
    readonly tool?: ToolDescriptor | undefined;
    readonly parentCallId?: string | undefined;
        readonly signal?: AbortSignal | undefined;
        readonly needsApproval?: string | undefined;
        readonly resumed?: Resumed | undefined;
        readonly native?: unknown;
}
export interface InvalidInput {
        readonly message: string;
        readonly error?: unknown;
}
export type InputCheck = (input: unknown) => InvalidInput | undefined | PromiseLike<InvalidInput | undefined>;
export interface RenameTarget {
    readonly tool?: ToolDescriptor;
    readonly check?: InputCheck;
    readonly execute: Execute;
}
export interface Can {
        readonly retry?: boolean;
        readonly route?: boolean;
        readonly rename?: ((toolName: string) => RenameTarget | string) | undefined;
        readonly ask?: boolean;
}
export interface BeginOptions {
    readonly can?: Can;
        readonly check?: InputCheck | undefined;
}
export interface CallOptions {
    readonly check?: InputCheck | undefined;
    readonly rename?: Can['rename'];
        readonly approval?: Approver | 'deny' | undefined;
        readonly isControlFlow?: ((error: unknown) => boolean) | undefined;
        readonly begun?: Begun | undefined;
}
export interface CallToken {
    readonly callId: string;
    readonly toolName: string;
    readonly nativeToolName: string;
        readonly input: unknown;
    readonly session: string;
    readonly agent?: string;
    readonly run?: string;
    readonly turn?: string;
    readonly parentCallId?: string;
        readonly attempt: number;
        readonly startedAt: number;
        readonly retry: boolean;
}
export interface RunCall {
    readonly kind: 'run';
    readonly input: unknown;
        readonly execute?: Execute;
    readonly token: CallToken;
}
export interface AskApproval {
    readonly kind: 'ask';
    readonly request: ApprovalRequest;
    readonly token: CallToken;
}
export interface DoneCall {
    readonly kind: 'done';
    readonly outcome: ToolCallOutcome;
}
export interface AgainCall {
    readonly kind: 'again';
    readonly input: unknown;
    readonly delayMs: number;
    readonly execute?: Execute;
    readonly token: CallToken;
}
export type Begun = RunCall | AskApproval | DoneCall;
export type Finished = DoneCall | AgainCall;
export type ToolResult = {
    readonly output: unknown;
} | {
    readonly error: unknown;
};
export interface ToolCallOutcome {
    readonly callId: string;
        readonly toolName: string;
        readonly input: unknown;
    readonly status: ToolCallStatus;
        readonly ran: boolean;
        readonly output?: unknown;
        readonly error?: unknown;
        readonly code?: 'INVALID_INPUT';
        readonly reason?: string;
        readonly message?: string;
        readonly by?: string;
        readonly attempts: number;
        readonly exhausted: boolean;
        readonly durationMs: number;
        readonly context: readonly string[];
        readonly stop: boolean;
        readonly aborted: boolean;
}

// tool-types.d.ts
export type ToolInput<T> = T extends {
    readonly inputSchema?: infer S;
} ? SchemaInput<NonNullable<S>, T> : T extends {
    readonly schema: infer S;
} ? SchemaInput<S, T> : T extends {
    readonly parameters: infer S;
} ? SchemaInput<S, T> : CallbackInput<T>;
export type ToolOutput<T> = T extends {
    readonly func: (...args: never[]) => infer R;
} ? Final<R> : T extends {
    readonly execute?: infer F;
} ? NonNullable<F> extends (...args: never[]) => infer R ? Final<R> : unknown : T extends {
    readonly invoke: (...args: never[]) => infer R;
} ? Final<R> : unknown;
type SchemaInput<S, T> = S extends {
    readonly '~standard': {
        readonly types?: infer Types;
    };
} ? NonNullable<Types> extends {
    readonly input: infer I;
} ? I : CallbackInput<T> : CallbackInput<T>;
type CallbackInput<T> = T extends {
    readonly needsApproval: (context: never, input: infer I, ...rest: never[]) => unknown;
} ? I : unknown;
type Final<R> = R extends AsyncGenerator<unknown, infer Last> ? Last : Awaited<R>;
export {};

// trace.d.ts
import type { HookDecision } from './decision.ts';
import type { HooksError } from './error.ts';
import type { EventPayload } from './event.ts';
export type HookVerb = 'on' | 'guard' | 'observe';
export interface TracedHook {
        readonly id: string;
    readonly verb: HookVerb;
        readonly decision?: HookDecision;
    readonly error?: HooksError;
        readonly durationMs: number;
}
export interface DispatchTrace {
        readonly before: EventPayload;
        readonly event: EventPayload;
        readonly hooks: readonly TracedHook[];
    readonly decision: HookDecision;
        readonly at: number;
    readonly durationMs: number;
}
export type TraceListener = (trace: DispatchTrace) => void;
export interface TraceRecorder {
    readonly listener: TraceListener;
    readonly traces: readonly DispatchTrace[];
        lines(): readonly string[];
}
export declare function recordTraces(): TraceRecorder;
