import type { ModelMessage } from '../event/catalogue/model.ts';

/**
 * Says of which call a tool's message is the result, while an adapter reads a history from its beginning. A result belongs
 * to the latest call before it that has its id.
 */
export class ResultNames {
  readonly #tools = new Map<string, string>();

  /** Notes the calls of a message, and returns them as its `calls`. */
  called(calls: readonly Called[]): Pick<ModelMessage, 'calls'> {
    for (const { callId, toolName } of calls) this.#tools.set(callId, toolName);
    return calls.length > 0 ? { calls } : {};
  }

  /**
   * The names of a result.
   *
   * @param own the tool that the result itself names, which counts only where no call before it has its id: models read
   *   what a result says as that of its call
   */
  of(callId: string | undefined, own?: string): Pick<ModelMessage, 'toolName' | 'callId'> {
    const toolName = (callId === undefined ? undefined : this.#tools.get(callId)) ?? own;
    return {
      ...(toolName !== undefined && toolName !== '' && { toolName }),
      ...(callId !== undefined && callId !== '' && { callId }),
    };
  }
}

type Called = NonNullable<ModelMessage['calls']>[number];
