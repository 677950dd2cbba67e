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
  const texts = message?.additional_kwargs?.tool_calls?.filter((call) => call.id === id) ?? [];
  const calls = message?.tool_calls?.filter((call) => call.id === id && call.name === name) ?? [];
  const copy = jsonOfTask(args);
  if (copy === undefined) return args;
  // If a middleware replaced the arguments, in the request or in the message, nothing is equal.
  const written = [...texts.map(parsedText), ...calls.map((call) => call.args)];
  return written.find((own) => isPlain(own) && jsonOfTask(own) === copy) ?? args;
}

/** The model's message. OpenAI's client and others also keep the arguments as text, which a checkpoint does not change. */
interface Answer {
  readonly tool_calls?: readonly GivenCall[];
  readonly additional_kwargs?: { readonly tool_calls?: readonly WrittenCall[] };
}

interface WrittenCall {
  readonly id?: string;
  readonly function?: { readonly arguments?: unknown };
}

function parsedText(call: WrittenCall): unknown {
  try {
    return JSON.parse(String(call.function?.arguments));
  } catch {
    return undefined;
  }
}

/** Whether a value is what `JSON.parse` gives, unless it is nested so deeply that core refuses it anyway. */
function isPlain(value: unknown, depth = 300): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  if (depth === 0) return true;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((nested) => isPlain(nested, depth - 1));
}
