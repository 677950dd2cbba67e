import type {
  DelegationCompleteContext,
  DelegationStartContext,
  IterationCompleteContext,
  MastraDBMessage,
} from '@mastra/core/agent';
import type { ProcessLLMRequestArgs } from '@mastra/core/processors';

/** What tool events carry under `native`. */
export interface NativeToolCall {
  /** The tool as it was given to the adapter; none for a tool that Mastra made itself. */
  readonly tool?: object;
  /** What Mastra gave to the tool, or to its native hook, beside the input. */
  readonly context: object | undefined;
}

/** What `UserPromptSubmit` carries under `native`: the user's message, with its files. */
export interface NativePrompt {
  readonly message: MastraDBMessage;
}

/** What `BeforeModelCall` carries under `native`: the whole prompt in the AI SDK's form. */
export interface NativeModelCall {
  readonly prompt: ProcessLLMRequestArgs['prompt'];
}

/** What `BeforeCompaction` carries under `native`: the messages that observations are to stand for. */
export interface NativeCompaction {
  readonly messages: readonly MastraDBMessage[];
}

/** What `Stop` carries under `native`. */
export interface NativeStop {
  readonly context: IterationCompleteContext;
}

/** What `AgentSwitch` carries under `native`. */
export interface NativeDelegation {
  readonly context: DelegationStartContext | DelegationCompleteContext;
}
