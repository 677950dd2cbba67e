import type { ModelMessage, ModelResponse } from '../event/catalogue/model.ts';

/**
 * Says of which call a tool's message is the result, while an adapter reads a history from its beginning. A result belongs
 * to the latest call before it that has its id.
 */
export class ResultNames {
  readonly #tools = new Map<string, string>();

  /** Notes a call of the model. */
  called({ callId, toolName }: Pick<ModelResponse['toolCalls'][number], 'callId' | 'toolName'>): void {
    this.#tools.set(callId, toolName);
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
