import type {
  DelegationCompleteContext,
  DelegationStartContext,
  IterationCompleteContext,
  MastraDBMessage,
} from '@mastra/core/agent';
import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';

/** `native` of tool events. */
export interface NativeToolCall {
  /** The tool that you passed to the adapter; undefined for a tool that Mastra created itself. */
  readonly tool?: object;
  /** What Mastra passed to the tool, or to its native hook, besides the input. */
  readonly context: object | undefined;
}

/** `native` of `UserPromptSubmit`: the user's message, with its files. */
export interface NativePrompt {
  readonly message: MastraDBMessage;
}

/** `native` of `BeforeModelCall`: the whole prompt in the AI SDK's format, and the options of the provider. */
export interface NativeModelCall {
  readonly prompt: ProcessLLMRequestArgs['prompt'];
  readonly providerOptions?: ProcessInputStepArgs['providerOptions'];
}

/** `native` of `BeforeCompaction`: the messages that observations will replace. */
export interface NativeCompaction {
  readonly messages: readonly MastraDBMessage[];
}

/** `native` of `Stop`. */
export interface NativeStop {
  readonly context: IterationCompleteContext;
}

/** `native` of `AgentSwitch`. */
export interface NativeDelegation {
  readonly context: DelegationStartContext | DelegationCompleteContext;
}
