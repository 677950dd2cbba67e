import {
  type AgentInputItem,
  type OpenAIResponsesCompactionAwareSession,
  RequestUsage,
} from '@openai/agents';
import type OpenAI from 'openai';
import { FileSession } from './file-session.ts';

/** A session that has a model of any provider summarize its history, by the SDK's contract for sessions that compact. */
export class CompactingSession extends FileSession implements OpenAIResponsesCompactionAwareSession {
  readonly #client: OpenAI;
  readonly #after: number;

  constructor(id: string, directory: string, client: OpenAI, after: number) {
    super(id, directory);
    this.#client = client;
    this.#after = after;
  }

  async shouldTriggerCompaction(): Promise<boolean> {
    return (await this.getItems()).length > this.#after;
  }

  async runCompaction(): Promise<{ usage: RequestUsage } | null> {
    if (!(await this.shouldTriggerCompaction())) return null;
    const history = JSON.stringify(await this.getItems());
    const { choices, usage } = await this.#client.chat.completions.create({
      model: 'scripted',
      messages: [{ role: 'user', content: `Summarize: ${history}` }],
    });
    const summary: AgentInputItem = { role: 'user', content: choices[0]?.message.content ?? '' };
    await this.clearSession();
    await this.addItems([summary]);
    const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = usage ?? {};
    return { usage: new RequestUsage({ inputTokens, outputTokens }) };
  }
}
