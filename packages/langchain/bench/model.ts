import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';

/** A model in this process: asks for one tool call, then answers. */
export class ScriptedModel extends BaseChatModel {
  constructor() {
    super({});
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const answered = ToolMessage.isInstance(messages.at(-1));
    const message = answered
      ? new AIMessage('Done.')
      : new AIMessage({
          content: '',
          tool_calls: [{ type: 'tool_call', id: 'c1', name: 'add', args: { a: 1, b: 2 } }],
        });
    return { generations: [{ text: message.text, message }] };
  }
}
