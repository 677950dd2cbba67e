import { after } from '@hooks/core/adapter';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { Whereabouts } from '../config.ts';
import { bindsTools } from '../internals.ts';

/** Asked before a model call: an answer in its place, or the messages that the model is given. */
export type Gate = (
  messages: readonly BaseMessage[],
  config: Whereabouts | undefined,
) => Passed | PromiseLike<Passed>;

type Passed = AIMessage | readonly BaseMessage[];

/**
 * A chat model with a gate in front, which costs less than a middleware around each call. `createAgent` binds tools to
 * the model and invokes what it gets: both come through here.
 *
 * @returns undefined for what is no chat model, since an agent takes it apart first
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

/** By inheritance, which is faster than a proxy; whatever else is asked of the model finds its own fields. */
function gated<M extends ChatModel>(model: M, gate: Gate): M {
  const own: ChatModel = Object.create(model);
  own.invoke = (messages, config) =>
    Promise.resolve(
      after(gate(messages, config), (passed) => (isMessages(passed) ? model.invoke(passed, config) : passed)),
    );
  own.bindTools = (...args) => gated(model.bindTools(...args), gate);
  return own as M;
}

function isMessages(passed: Passed): passed is readonly BaseMessage[] {
  return Array.isArray(passed);
}
