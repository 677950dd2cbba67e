import { AIMessage, type BaseMessage } from '@langchain/core/messages';
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
  const { content, text, tool_calls = [], additional_kwargs, response_metadata } = message;
  const all = { content, additional_kwargs, response_metadata };
  if (!isDeep(all) && !tool_calls.some(({ args }) => isDeep(args))) return message;
  return withFields(message, {
    content: isDeep(content, 1) ? text : content,
    additional_kwargs: shallowIn(additional_kwargs),
    response_metadata: shallowIn(response_metadata),
    tool_calls: tool_calls.map((call) => (isDeep(call.args) ? { ...call, args: { [NOT_KEPT]: CUT } } : call)),
  });
}

/** The fields that are not nested too deep. */
function shallowIn(fields: BaseMessage['additional_kwargs']): BaseMessage['additional_kwargs'] {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isDeep(value, 2)));
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
