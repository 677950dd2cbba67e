import type { SdkAgent, SdkInput, SdkResult, SdkRunOptions } from '../internals.ts';

/** What a run goes on with: an approved state, or the words of a hook that keeps the agent working. */
export interface Next {
  readonly agent: SdkAgent;
  readonly input: SdkInput;
  readonly options: SdkRunOptions;
}

/** The agent works on at a hook's words: after its history, wherever that is kept. */
export function goOn(result: SdkResult, agent: SdkAgent, reason: string, options: SdkRunOptions): Next {
  const { lastAgent = agent, history } = result;
  // Whoever takes a run up need not give again what its state knows.
  const {
    _context: own,
    _maxTurns: maxTurns,
    _conversationId: conversationId,
    _previousResponseId: previousResponseId,
  } = result.state;
  // A context that the SDK has made is that of one run, with what people have decided in it; the user's own goes on.
  const context = options.context === own ? own : own.context;
  const kept = options.session || conversationId || previousResponseId;
  return {
    agent: lastAgent,
    input: [...(kept ? [] : history), { role: 'user', content: reason }],
    options: { ...options, context, maxTurns, conversationId, previousResponseId },
  };
}

/** What an agent has answered, as it was written: the SDK parses it when it is read, and throws where it does not fit. */
export function finalText({ state }: SdkResult): string {
  return state._currentStep?.output ?? '';
}
