import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';

/** A model that gives these answers, whatever a provider would refuse. */
export class Saying extends BaseChatModel {
  readonly #answers: AIMessage[];

  constructor(...answers: readonly AIMessage[]) {
    super({});
    this.#answers = [...answers, new AIMessage('Done.')];
  }
  override _llmType(): string {
    return 'saying';
  }
  override bindTools(): this {
    return this;
  }
  override async _generate(): Promise<ChatResult> {
    const message = this.#answers.shift() ?? new AIMessage('');
    return { generations: [{ text: message.text, message }] };
  }
}
