import { AIMessage } from '@langchain/core/messages';
import type { WrapModelCallHook } from 'langchain';
import { withFields } from '../translate.ts';

type Response = Awaited<ReturnType<Parameters<WrapModelCallHook>[1]>>;

/**
 * How deep an answer may be nested. LangChain loads no message that is nested deeper than 50 levels, and with it none of its
 * checkpoint: whoever writes such arguments would make the thread unreadable for ever.
 */
const MAX_DEPTH = 40;

/** A field of arguments that were not kept. A model that writes it itself is refused, too. */
const NOT_KEPT = '__hooks_not_kept';

const CUT = `nested deeper than ${MAX_DEPTH} levels`;

/** A model's response as a checkpoint can keep it. The calls in it whose arguments were cut do not run. */
export function storable(response: Response): Response {
  if (AIMessage.isInstance(response)) return storableAnswer(response);
  const { messages }: { readonly messages?: unknown } = Object(response);
  if (!Array.isArray(messages)) return response;
  const kept = messages.map((one) => (AIMessage.isInstance(one) ? storableAnswer(one) : one));
  return kept.every((one, at) => one === messages[at]) ? response : { ...Object(response), messages: kept };
}

function storableAnswer(message: AIMessage): AIMessage {
  const { content, tool_calls = [], additional_kwargs, response_metadata } = message;
  const fields = { content, additional_kwargs, response_metadata };
  if (!isDeep(fields) && !tool_calls.some(({ args }) => isDeep(args))) return message;
  const calls = tool_calls.map((call) => (isDeep(call.args) ? { ...call, args: { [NOT_KEPT]: CUT } } : call));
  return withFields(message, { ...cut(fields), tool_calls: calls });
}

/** Why a call does not run whose arguments were not kept. */
export function refusalOfCut(args: unknown): string | undefined {
  return Object.hasOwn(Object(args), NOT_KEPT)
    ? `The call did not run: its arguments are ${CUT}, which a checkpoint cannot keep. Call it with flatter arguments.`
    : undefined;
}

function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_DEPTH || Object.values(value).some((nested) => isDeep(nested, depth + 1));
}

/** A copy without what is nested too deep. */
function cut<T>(value: T, depth?: number): T;
function cut(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return CUT;
  if (Array.isArray(value)) return value.map((nested) => cut(nested, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, nested]) => [key, cut(nested, depth + 1)]));
}
