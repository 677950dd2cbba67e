import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { markOf } from './blocked.ts';

/** Decides on what a model answered: the answer that counts, or `again`. */
export interface Decide {
  (message: AIMessage): Promise<AIMessage | 'again'>;
  /** The hooks of another registry have made this of what was decided to be the answer. */
  readonly settle?: (answer: AIMessage) => void;
}

/**
 * A model whose answer is decided on inside its own run, so that callbacks, traces and streams only ever get the answer
 * that counts: what it streams is held back until then.
 *
 * @returns undefined for what is no chat model whose answers could be reached
 */
export function interceptModel(model: object, decide: Decide): object | undefined {
  const closer = deciders.get(model);
  const decider = closer === undefined ? decide : behind(closer, decide);
  const made = intercepted(model, decider);
  if (made !== undefined) deciders.set(made, decider);
  return made;
}

/** Who decides on the answers of a model that was made here. */
const deciders: WeakMap<object, Decide> = new WeakMap();

/** Decides on what another registry's hooks have left of an answer: it is theirs still, whatever becomes of it. */
function behind(closer: Decide, decide: Decide): Decide {
  const settle = (answer: AIMessage) => {
    closer.settle?.(answer);
    decide.settle?.(answer);
  };
  const decided: Decide = async (message) => {
    if (markOf(message) !== undefined) {
      decide.settle?.(message);
      return message;
    }
    const answer = await decide(message);
    if (answer !== 'again') closer.settle?.(answer);
    return answer;
  };
  return Object.assign(decided, { settle });
}

function intercepted(model: object, decide: Decide): object | undefined {
  const instance: unknown = Reflect.get(model, '_getModelInstance');
  if (typeof instance === 'function') {
    const instanceOf = async (...args: unknown[]): Promise<unknown> => {
      const made: object = await Reflect.apply(instance, model, args);
      return interceptModel(made, decide) ?? made;
    };
    return withProperties(model, new Map([['_getModelInstance', instanceOf], ...derivedFrom(model, decide)]));
  }
  const bound: unknown = Reflect.get(model, 'bound');
  if (typeof bound === 'object' && bound !== null) {
    const inner = interceptModel(bound, decide);
    return inner && withProperties(model, new Map([['bound', inner]]));
  }
  return isChatModel(model) ? interceptChatModel(model, decide) : undefined;
}

interface Chat {
  _generate(messages: unknown, options: unknown): Promise<ChatResult>;
  _streamResponseChunks(messages: unknown, options: unknown): AsyncIterable<ChatGenerationChunk>;
}

interface Tokens {
  handleLLMNewToken(text: string, ...rest: unknown[]): Promise<void>;
}

function isChatModel(model: object): model is Chat {
  return typeof Reflect.get(model, '_generate') === 'function' && '_streamResponseChunks' in model;
}

function interceptChatModel(model: Chat, decide: Decide): object {
  const generate = async (messages: unknown, options: unknown): Promise<ChatResult> => {
    for (;;) {
      // Without the run's callbacks, by which a model may stream from here, too.
      const result = await model._generate(messages, options);
      const generation = result.generations[0];
      if (generation === undefined || !AIMessage.isInstance(generation.message)) return result;
      const message = await decide(generation.message);
      if (message === 'again') continue;
      if (message === generation.message) return result;
      // What else a client tells of an answer (the probabilities of its words) is of the one that no longer counts.
      const tokenUsage: unknown = result.llmOutput?.['tokenUsage'];
      return {
        generations: [{ text: message.text, message }],
        ...(tokenUsage !== undefined && { llmOutput: { tokenUsage } }),
      };
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
      const message = await decide(whole.message);
      if (message === 'again') continue;
      for (const chunk of message === whole.message ? chunks : [asChunk(message)]) {
        yield chunk;
        await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
      }
      return;
    }
  };
  const streams = model._streamResponseChunks !== BaseChatModel.prototype._streamResponseChunks;
  return withProperties(
    model,
    new Map<string, unknown>([
      ['_generate', generate],
      ...(streams ? ([['_streamResponseChunks', stream]] as const) : []),
      ...derivedFrom(model, decide),
      // The form that is made of those chunks, in the place of one of the provider's own.
      ['_streamChatModelEvents', BaseChatModel.prototype._streamChatModelEvents],
    ]),
  );
}

/** The methods that make models of their own, out of our sight. */
function derivedFrom(model: object, decide: Decide): readonly (readonly [string, unknown])[] {
  return ['bindTools', 'withConfig'].map((method) => {
    const own: unknown = Reflect.get(model, method);
    if (typeof own !== 'function') return [method, own];
    const derived = (...args: unknown[]): unknown => {
      const made: object = Reflect.apply(own, model, args);
      return interceptModel(made, decide) ?? made;
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

function empty(): ChatGenerationChunk {
  return new ChatGenerationChunk({ text: '', message: new AIMessageChunk('') });
}

function asChunk(message: AIMessage): ChatGenerationChunk {
  const { content, id, response_metadata, additional_kwargs, tool_calls = [] } = message;
  return new ChatGenerationChunk({
    text: message.text,
    message: new AIMessageChunk({
      content,
      response_metadata,
      additional_kwargs,
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
