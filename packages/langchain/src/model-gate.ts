import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { Whereabouts } from './run.ts';

/** Asked before a model call: an answer in its place, or the messages that the model is given. */
export type Gate = (
  messages: readonly BaseMessage[],
  config: Whereabouts | undefined,
) => Promise<AIMessage | readonly BaseMessage[]>;

/**
 * A chat model with a gate in front, which costs less than a middleware around each call. `createAgent` binds tools to
 * the model and invokes what it gets: both come through here.
 *
 * @returns undefined for what is no chat model, since an agent takes it apart first
 */
export function gateModel(model: unknown, gate: Gate): object | undefined {
  return typeof model === 'object' &&
    model !== null &&
    '_streamResponseChunks' in model &&
    'bindTools' in model
    ? gated(model, gate)
    : undefined;
}

/** By inheritance, which is faster than a proxy; whatever else is asked of the model finds its own fields. */
function gated(model: object, gate: Gate): object {
  const own = (method: string, args: readonly unknown[]): unknown =>
    Reflect.apply(Reflect.get(model, method), model, args);
  return Object.assign(Object.create(model), {
    async invoke(messages: readonly BaseMessage[], config: Whereabouts | undefined) {
      const passed = await gate(messages, config);
      return Array.isArray(passed) ? own('invoke', [passed, config]) : passed;
    },
    bindTools: (...args: unknown[]) => gated(Object(own('bindTools', args)), gate),
  });
}
