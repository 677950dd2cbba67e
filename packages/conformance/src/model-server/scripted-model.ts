import { checkToolCalls, joinAnswers } from './conversation.ts';
import type { WireAnswer, WireRequest } from './endpoint.ts';
import { BadRequest } from './json.ts';
import type { ModelRequest } from './request.ts';
import { type FailedAnswer, isFailure, type Script, type SpokenAnswer } from './script.ts';

/** The model behind both endpoints: records requests and lets the script answer. */
export class ScriptedModel {
  readonly requests: ModelRequest[] = [];
  readonly #script: Script;
  readonly #attempts = new Map<string, number>();
  #answers = 0;
  #calls = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  async answer(wire: WireRequest, body: unknown): Promise<WireAnswer | FailedAnswer> {
    const request = this.#record(wire, body);
    const answer = await this.#script(request);
    if (answer === undefined) {
      const { turn, attempt } = request;
      throw new BadRequest(
        `The script has no answer for turn ${turn} of this conversation (turns count from 0; attempt ${attempt}).`,
      );
    }
    return isFailure(answer) ? checkedFailure(answer) : this.#complete(answer, request);
  }

  #record(wire: WireRequest, body: unknown): ModelRequest {
    const messages = joinAnswers(wire.messages);
    checkToolCalls(messages, wire.endpoint);
    const conversation = JSON.stringify([wire.model, messages]);
    const attempt = (this.#attempts.get(conversation) ?? 0) + 1;
    this.#attempts.set(conversation, attempt);
    const turn = messages.filter((message) => message.role === 'assistant').length;
    const request = { ...wire, messages, turn, attempt, body };
    this.requests.push(request);
    return request;
  }

  #complete(answer: SpokenAnswer, { model, body }: ModelRequest): WireAnswer {
    const {
      text,
      reasoning,
      toolCalls = [],
      pieceLength = 8,
      usage = { inputTokens: 10, outputTokens: 5 },
    } = answer;
    if (text === undefined && toolCalls.length === 0) {
      throw new BadRequest("The script's answer has neither text, toolCalls nor status.");
    }
    return {
      id: ++this.#answers,
      created: Math.floor(Date.now() / 1000),
      model,
      body,
      text,
      reasoning,
      toolCalls: toolCalls.map((call) => ({
        id: call.id === undefined ? `call_${++this.#calls}` : call.id,
        name: call.name,
        arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
      })),
      usage,
      pieceLength,
    };
  }
}

function checkedFailure(answer: FailedAnswer): FailedAnswer {
  const { status } = answer;
  if (Number.isInteger(status) && status >= 400 && status <= 599) return answer;
  throw new BadRequest(`The script's answer has status ${status}; a failure has one from 400 to 599.`);
}
