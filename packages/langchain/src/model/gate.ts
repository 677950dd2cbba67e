import { after } from '@hooks/core/adapter';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { dropForgedMark } from '../blocked.ts';
import type { Whereabouts } from '../config.ts';
import { bindsTools } from '../internals.ts';

/** Runs before a model call. Returns the messages for the model, or an answer instead of the model's. */
export type Gate = (
  messages: readonly BaseMessage[],
  config: Whereabouts | undefined,
) => Passed | PromiseLike<Passed>;

type Passed = AIMessage | readonly BaseMessage[];

/**
 * Adds a gate to a chat model, which costs less than a middleware around each call. `createAgent` binds tools to the model
 * and invokes the result; both go through here.
 *
 * @returns undefined for anything but a chat model, because `createAgent` unwraps it first
 */
export function gateModel<M extends object>(model: M | string, gate: Gate): M | undefined {
  return isChatModel(model) ? gated(model, gate) : undefined;
}

interface ChatModel {
  invoke(messages: readonly BaseMessage[], config: Whereabouts | undefined): Promise<AIMessage>;
  bindTools(...args: unknown[]): ChatModel;
}

function isChatModel<M extends object>(model: M | string): model is M & ChatModel {
  return typeof model === 'object' && bindsTools(model);
}

/** Inherits from the model, which is faster than a proxy. */
function gated<M extends ChatModel>(model: M, gate: Gate): M {
  const own: ChatModel = Object.create(model);
  own.invoke = (messages, config) =>
    Promise.resolve(
      after(gate(messages, config), async (passed) => {
        if (!isMessages(passed)) return passed;
        const answer = await model.invoke(passed, config);
        dropForgedMark(answer);
        return answer;
      }),
    );
  own.bindTools = (...args) => gated(model.bindTools(...args), gate);
  return own as M;
}

function isMessages(passed: Passed): passed is readonly BaseMessage[] {
  return Array.isArray(passed);
}
