import type { SdkAgent, SdkInput, SdkResult, SdkRunOptions } from './sdk.ts';

/** What a run goes on with: an approved state, or the words of a hook that keeps the agent working. */
export interface Next {
  readonly agent: SdkAgent;
  readonly input: SdkInput;
  readonly options: SdkRunOptions;
}

/** The agent works on at a hook's words: after its history, wherever that is kept. */
export function goOn(result: SdkResult, agent: SdkAgent, reason: string, options: SdkRunOptions): Next {
  const message = { role: 'user' as const, content: reason };
  const { lastAgent = agent, lastResponseId } = result;
  if (options.session !== undefined || options.conversationId !== undefined)
    return { agent: lastAgent, input: [message], options };
  if (options.previousResponseId !== undefined && lastResponseId !== undefined)
    return {
      agent: lastAgent,
      input: [message],
      options: { ...options, previousResponseId: lastResponseId },
    };
  return { agent: lastAgent, input: [...result.history, message], options };
}

/** What an agent has answered. */
export function finalText({ finalOutput }: SdkResult): string {
  return typeof finalOutput === 'string' ? finalOutput : (JSON.stringify(finalOutput) ?? '');
}
