import { jsonOfTask } from '../internals.ts';

/** A call as the framework gives it. */
interface GivenCall {
  readonly id?: string | undefined;
  readonly name?: string;
  readonly args: unknown;
}

/**
 * The arguments of a call as the model wrote them. LangGraph copies them into the task of the call field by field, so that a
 * field `__proto__` becomes inherited, and an object that looks like a task becomes one. The message still has what the model
 * wrote. A tool must not run with anything that hooks cannot see.
 *
 * @param state the graph's state, which has the message
 */
export function argumentsOf({ id, name, args }: GivenCall, state: unknown): unknown {
  if (isPlain(args)) return args;
  const messages: unknown = Reflect.get(Object(state), 'messages');
  const message: Answer | undefined = Array.isArray(messages)
    ? messages.findLast((one) => 'tool_calls' in Object(one))
    : undefined;
  const calls = message?.tool_calls?.filter((call) => call.id === id && call.name === name) ?? [];
  const copy = jsonOfTask(args);
  if (copy === undefined) return args;
  // If a middleware replaced the arguments, in the request or in the message, nothing is equal.
  const own = calls.find((call) => isPlain(call.args) && jsonOfTask(call.args) === copy);
  return own === undefined ? args : own.args;
}

/** The model's message. */
interface Answer {
  readonly tool_calls?: readonly GivenCall[];
}

/** Whether a value is what `JSON.parse` gives, unless it is nested so deeply that core refuses it anyway. */
function isPlain(value: unknown, depth = 300): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  if (depth === 0) return true;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((nested) => isPlain(nested, depth - 1));
}
