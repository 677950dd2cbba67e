import type { SdkAgent, SdkInput, SdkResult, SdkRunOptions, SdkState } from './sdk.ts';

/** What a run goes on with: an approved state, or the words of a hook that keeps the agent working. */
export interface Next {
  readonly agent: SdkAgent;
  readonly input: SdkInput;
  readonly options: SdkRunOptions;
}

/** The agent works on at a hook's words: after its history, wherever that is kept. */
export function goOn(result: SdkResult, agent: SdkAgent, reason: string, options: SdkRunOptions): Next {
  const message = { role: 'user' as const, content: reason };
  const { lastAgent = agent, lastResponseId, history, state } = result;
  const kept = { ...options, ...keptBy(state, options) };
  const { session, conversationId, previousResponseId } = kept;
  if (session !== undefined || conversationId !== undefined)
    return { agent: lastAgent, input: [message], options: kept };
  if (previousResponseId !== undefined && lastResponseId !== undefined)
    return {
      agent: lastAgent,
      input: [message],
      options: { ...kept, previousResponseId: lastResponseId },
    };
  return { agent: lastAgent, input: [...history, message], options: kept };
}

/** What a run that was taken up has from its state, and not from the options of whoever took it up. */
function keptBy(state: SdkState, options: SdkRunOptions): SdkRunOptions {
  const { _context: context, _maxTurns: maxTurns } = state;
  const conversationId = options.conversationId ?? state._conversationId;
  const previousResponseId = options.previousResponseId ?? state._previousResponseId;
  return {
    // A context that the SDK has made is that of one run, with what people have decided in it; the user's own goes on.
    context: options.context === context ? context : context.context,
    maxTurns,
    ...(conversationId !== undefined && { conversationId }),
    ...(previousResponseId !== undefined && { previousResponseId }),
  };
}

/** What an agent has answered, as it was written: the SDK parses it when it is read, and throws where it does not fit. */
export function finalText({ state }: SdkResult): string {
  return state._currentStep?.output ?? '';
}
