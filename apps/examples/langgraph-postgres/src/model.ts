import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';

/** Reads "Refund 120 for A7", calls the tool, and repeats what the tool answered. Each answer costs 13 cents. */
export class ScriptedModel extends BaseChatModel {
  _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const last = messages.at(-1);
    const [, euros, order] =
      /^refund (\d+) for (\w+)/i.exec(last?.text ?? '') ?? [];
    const answered = last?.type === 'tool' ? last.text : 'I can refund orders.';
    const args = { order, euros: Number(euros) };
    const call = { id: crypto.randomUUID(), name: 'refund', args };
    const message =
      last?.type === 'human' && order !== undefined
        ? new AIMessage({ content: '', tool_calls: [call] })
        : new AIMessage(answered);
    const usage = { input_tokens: 96_000, output_tokens: 1_000 };
    Object.assign(message, { usage_metadata: usage });
    return { generations: [{ text: message.text, message }] };
  }
}
