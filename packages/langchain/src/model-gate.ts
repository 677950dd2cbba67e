import { after } from '@hooks/core/adapter';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { Whereabouts } from './run.ts';

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
  return typeof model === 'object' && '_streamResponseChunks' in model && 'bindTools' in model
    ? gated(model, gate)
    : undefined;
}

/** By inheritance, which is faster than a proxy; whatever else is asked of the model finds its own fields. */
function gated<M extends object>(model: M, gate: Gate): M {
  const target: object = model;
  const own = (method: string, args: readonly unknown[]): unknown =>
    Reflect.apply(Reflect.get(target, method), target, args);
  return Object.assign(Object.create(model), {
    invoke: (messages: readonly BaseMessage[], config: Whereabouts | undefined) =>
      after(gate(messages, config), (passed) =>
        Array.isArray(passed) ? own('invoke', [passed, config]) : Promise.resolve(passed),
      ),
    bindTools: (...args: unknown[]) => gated(Object(own('bindTools', args)), gate),
  });
}
