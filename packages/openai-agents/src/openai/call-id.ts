/** What `runTools` hands to a callback. */
export interface RunToolsRunner {
  readonly messages: readonly object[];
  readonly controller: AbortController;
  abort(): void;
  on(event: 'end', listener: () => void): unknown;
}

const claimed: WeakSet<object> = new WeakSet();

/**
 * The id of a call. A callback is not told its own, so it takes the first call of the newest assistant message with
 * its name and arguments that no other callback took.
 */
export function callIdOf({ messages }: RunToolsRunner, name: string, raw: string): string | undefined {
  const asked = messages.findLast((message) => 'tool_calls' in message && Array.isArray(message.tool_calls));
  const calls: readonly ToolCall[] = asked === undefined ? [] : Reflect.get(asked, 'tool_calls');
  const own = calls.find(
    (call) => !claimed.has(call) && call.function?.name === name && call.function.arguments === raw,
  );
  if (own !== undefined) claimed.add(own);
  return own?.id;
}

interface ToolCall {
  readonly id: string;
  readonly function?: { readonly name: string; readonly arguments: string };
}
