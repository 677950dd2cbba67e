import { addUsage } from '@hooks/core/adapter';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import {
  boundModel,
  type ChatModel,
  chosenLater,
  eventsOfChunks,
  isChatModel,
  PRIVATE,
  streamsChunks,
  TELLS,
} from '../internals.ts';
import { type Spent, withFields } from '../translate.ts';

/** The answer that counts. */
interface Decided {
  readonly message: AIMessage;
  /** What the answers took that hooks retried, if that answer is the model's own. One of hooks counts it already. */
  readonly spent?: Spent | undefined;
}

/** Decides on a model's answer. Returns the answer that counts, or `again` for a retry. */
export type Decide = (message: AIMessage) => Promise<Decided | 'again'>;

/** An answer whose usage counts the answers that hooks retried, too. */
export function counted<M extends AIMessage>(message: M, spent: Spent | undefined): M {
  if (spent === undefined) return message;
  return withFields<AIMessage>(message, { usage_metadata: addUsage([message.usage_metadata, spent]) }) as M;
}

/** How the answers of a model are decided on. */
export interface Interception {
  readonly decide: Decide;
  /**
   * Whether hooks decide inside the model's run, so that callbacks, traces and streams only get the answer that counts, and
   * the stream is held back until then. Otherwise they decide after it, and the stream passes at once.
   */
  readonly hold: boolean;
}

/**
 * A model whose answers are decided on before anyone uses them.
 *
 * @returns undefined if the model's answers are out of reach
 */
export function interceptModel(model: object, by: Interception): object | undefined {
  const choose = chosenLater(model);
  if (choose !== undefined) {
    const instance = async (...args: unknown[]): Promise<object> => {
      const made = await choose(...args);
      return interceptModel(made, by) ?? made;
    };
    return withProperties(model, new Map([[PRIVATE.instance, instance], ...derivedFrom(model, by)]));
  }
  const bound = boundModel(model);
  if (bound !== undefined) {
    const inner = interceptModel(bound, by);
    return inner && withProperties(model, new Map([[PRIVATE.bound, inner]]));
  }
  if (!isChatModel(model)) return undefined;
  return by.hold ? heldBack(model, by) : decidedAfter(model, by);
}

interface Tokens {
  handleLLMNewToken(text: string, ...rest: unknown[]): Promise<void>;
}

/** Decides on the answers that `invoke` returns. */
function decidedAfter(model: ChatModel, by: Interception): object {
  const invoke = async (...args: unknown[]): Promise<unknown> => {
    for (;;) {
      const answer = await model.invoke(...args);
      if (!AIMessage.isInstance(answer)) return answer;
      const decided = await by.decide(answer);
      if (decided !== 'again') return counted(decided.message, decided.spent);
    }
  };
  return chatWith(model, new Map([['invoke', invoke], ...derivedFrom(model, by)]));
}

/** Decides on the answers inside the model's run. */
function heldBack(model: ChatModel, by: Interception): object {
  const { decide } = by;
  const generate = async (messages: unknown, options: unknown): Promise<ChatResult> => {
    const usages: unknown[] = [];
    for (;;) {
      // Without the callbacks of the run, because some models stream through them from here, too.
      const result = await model._generate(messages, options);
      const generation = result.generations[0];
      if (generation === undefined || !AIMessage.isInstance(generation.message)) return result;
      usages.push(result.llmOutput?.['tokenUsage']);
      const decided = await decide(generation.message);
      if (decided === 'again') continue;
      const { message, spent } = decided;
      const tokenUsage = addUsage(usages);
      const output = tokenUsage !== undefined && { tokenUsage };
      if (message === generation.message)
        return {
          ...result,
          generations: [{ ...generation, message: counted(message, spent) }],
          ...(output && { llmOutput: { ...result.llmOutput, ...output } }),
        };
      // Other details (log probabilities) are about the replaced answer.
      return { generations: [{ text: message.text, message }], ...(output && { llmOutput: output }) };
    }
  };
  const stream = async function* (
    messages: unknown,
    options: unknown,
    run?: Tokens,
  ): AsyncGenerator<ChatGenerationChunk> {
    for (;;) {
      const chunks: ChatGenerationChunk[] = [];
      for await (const chunk of model._streamResponseChunks(messages, options)) chunks.push(chunk);
      const whole = chunks.slice(1).reduce((sum, chunk) => sum.concat(chunk), chunks[0] ?? empty());
      if (!AIMessage.isInstance(whole.message)) return yield* chunks;
      const decided = await decide(whole.message);
      if (decided === 'again') continue;
      const { message, spent } = decided;
      const own = spent === undefined ? chunks : [...chunks, usageChunk(spent, message)];
      for (const chunk of message === whole.message ? own : [asChunk(message)]) {
        yield chunk;
        await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
      }
      return;
    }
  };
  return chatWith(
    model,
    new Map<string, unknown>([
      [PRIVATE.answer, generate],
      ...(streamsChunks(model) ? ([[PRIVATE.chunks, stream]] as const) : []),
      ...derivedFrom(model, by),
      // Hooks would not see cached answers, and the cache would store what hooks made of an answer.
      ['cache', undefined],
      // A provider's own implementation would not go through these chunks.
      [PRIVATE.events, eventsOfChunks],
    ]),
  );
}

/** The methods that return other models, which must be intercepted, too. */
function derivedFrom(model: object, by: Interception): readonly (readonly [string, unknown])[] {
  return ['bindTools', 'withConfig'].map((method) => {
    const own: unknown = Reflect.get(model, method);
    if (typeof own !== 'function') return [method, own];
    const derived = (...args: unknown[]): unknown => {
      const made: object = Reflect.apply(own, model, args);
      return interceptModel(made, by) ?? made;
    };
    return [method, derived];
  });
}

function withProperties(target: object, properties: ReadonlyMap<PropertyKey, unknown>): object {
  return new Proxy(target, {
    get: (model, property, self) =>
      properties.has(property) ? properties.get(property) : Reflect.get(model, property, self),
  });
}

/** Replaces methods of a chat model. Methods that only describe it keep access to its private fields. */
function chatWith(chat: ChatModel, properties: ReadonlyMap<PropertyKey, unknown>): object {
  return new Proxy(chat, {
    get(model, property) {
      if (properties.has(property)) return properties.get(property);
      const value: unknown = Reflect.get(model, property, model);
      const tells = TELLS.has(property) || !(property in BaseChatModel.prototype);
      return typeof value === 'function' && tells && !Object.hasOwn(model, property)
        ? value.bind(model)
        : value;
    },
  });
}

function empty(): ChatGenerationChunk {
  return new ChatGenerationChunk({ text: '', message: new AIMessageChunk('') });
}

/** A piece of a message that only adds to its usage, as models stream theirs. */
function usageChunk(usage_metadata: Spent, { id }: AIMessage): ChatGenerationChunk {
  const message = new AIMessageChunk({ content: '', usage_metadata, ...(id !== undefined && { id }) });
  return new ChatGenerationChunk({ text: '', message });
}

function asChunk(message: AIMessage): ChatGenerationChunk {
  const { content, id, response_metadata, additional_kwargs, usage_metadata, tool_calls = [] } = message;
  return new ChatGenerationChunk({
    text: message.text,
    message: new AIMessageChunk({
      content,
      response_metadata,
      additional_kwargs,
      ...(usage_metadata !== undefined && { usage_metadata }),
      tool_call_chunks: tool_calls.map((call, index) => ({
        type: 'tool_call_chunk',
        index,
        name: call.name,
        args: JSON.stringify(call.args),
        ...(call.id !== undefined && { id: call.id }),
      })),
      ...(id !== undefined && { id }),
    }),
  });
}
