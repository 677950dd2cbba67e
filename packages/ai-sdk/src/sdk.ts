import type {
  LanguageModel,
  LanguageModelMiddleware,
  ModelMessage,
  Experimental_Steering as Steering,
  ToolApprovalStatus,
  ToolSet,
  UserModelMessage,
} from 'ai';

/** The AI SDK's types, without the parameters that matter only to its users. */

type Middle = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0];

/** A model object of a provider, in the newest form. */
export type ProviderModel = Middle['model'];
export type ModelParams = Middle['params'];
export type GenerateResult = Awaited<ReturnType<Middle['doGenerate']>>;
export type StreamResult = Awaited<ReturnType<Middle['doStream']>>;
export type ContentPart = GenerateResult['content'][number];
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;

/** A tool of a set. */
export type SdkTool = ToolSet[string];
export type ToolOptions = Parameters<NonNullable<SdkTool['execute']>>[1];

/** A tool call, as approval and the parts of a step describe it. */
export interface SdkCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly invalid?: boolean | undefined;
  readonly error?: unknown;
  readonly providerExecuted?: boolean | undefined;
}

/** The result of a step. */
export interface Step {
  readonly text: string;
  readonly finishReason: string;
  readonly content: readonly StepPart[];
  readonly toolCalls: readonly SdkCall[];
  readonly toolsContext?: unknown;
  readonly response: { readonly messages: readonly ModelMessage[] };
}

/** A part of a step's content. */
interface StepPart {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly approvalId?: string;
  readonly isAutomatic?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly toolCall?: SdkCall;
}

export interface StepOptions {
  readonly stepNumber: number;
  readonly messages: ModelMessage[];
  readonly initialMessages: readonly ModelMessage[];
  readonly responseMessages: readonly ModelMessage[];
  readonly runtimeContext?: unknown;
  readonly experimental_steeringMessages?: readonly UserModelMessage[];
}

interface StepSettings {
  readonly model?: LanguageModel;
  readonly messages?: ModelMessage[];
}

export interface ApprovalOptions {
  readonly toolCall: SdkCall;
  readonly tools: ToolSet | undefined;
  readonly toolsContext: unknown;
  readonly messages: ModelMessage[];
  readonly runtimeContext: unknown;
}

export type ApprovalAnswer = Exclude<ToolApprovalStatus, string | undefined>;

type MaybePromise<T> = T | PromiseLike<T>;
export type StopWhen = (about: { readonly steps: Step[] }) => MaybePromise<boolean>;

/** The options of `generateText` and `streamText` that hooks need. */
export interface CallSettings {
  readonly model: LanguageModel;
  readonly tools?: ToolSet | undefined;
  readonly prompt?: string | ModelMessage[] | undefined;
  readonly messages?: ModelMessage[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly timeout?:
    | number
    | { readonly firstChunkMs?: number | undefined; readonly chunkMs?: number | undefined }
    | undefined;
  readonly runtimeContext?: unknown;
  readonly toolsContext?: unknown;
  readonly stopWhen?: unknown;
  readonly toolApproval?: unknown;
  readonly experimental_toolApprovalSecret?: string | Uint8Array | undefined;
  readonly experimental_refineToolInput?:
    | { readonly [tool: string]: ((input: never) => unknown) | undefined }
    | undefined;
  readonly repairToolCall?: unknown;
  readonly experimental_repairToolCall?: unknown;
  readonly experimental_steering?: Steering | undefined;
  readonly telemetry?: { readonly functionId?: string | undefined } | undefined;
  prepareStep?(options: StepOptions): MaybePromise<StepSettings | undefined>;
  onStepEnd?(step: Step): MaybePromise<void>;
  onStepFinish?(step: Step): MaybePromise<void>;
  onStepError?(event: { readonly error: unknown }): MaybePromise<void>;
  onEnd?(event: { readonly steps: readonly Step[] }): MaybePromise<void>;
  onFinish?(event: { readonly steps: readonly Step[] }): MaybePromise<void>;
  onAbort?(event: object): MaybePromise<void>;
  onError?(event: { readonly error: unknown }): unknown;
}
