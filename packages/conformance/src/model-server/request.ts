/**
 * One request to the model, in one shape for both endpoints: what the model was asked, not how the wire
 * spells it. `body` is the wire's own.
 */
export interface ModelRequest {
  readonly endpoint: 'chat.completions' | 'responses';
  readonly model: string;
  /** Every system text, the instructions of the Responses API first, joined by an empty line; `''` if none. */
  readonly system: string;
  /** The whole conversation in order, system messages included. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly settings: ModelSettings;
  readonly stream: boolean;
  /** How many answers the model has given in this conversation: 0 at its first request. */
  readonly turn: number;
  /**
   * How often this server was asked this very conversation of this model, this time included: above 1 when a
   * client tries again. Two conversations that are the same word for word cannot be told apart, and count together.
   */
  readonly attempt: number;
  /** The JSON body as it came. */
  readonly body: unknown;
}

/** A message: the model's with its tool calls, a tool's with the id of the call that it answers. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** The text; a part that is no text stands as its type in brackets, `[image_url]`. */
  readonly content: string;
  readonly toolCalls?: readonly ModelToolCall[];
  readonly toolCallId?: string;
}

/** A call that the model once proposed, as the client sends it back. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** The JSON text as the model wrote it, valid or not. */
  readonly arguments: string;
}

/** A tool as the model sees it. One that the provider would run itself has its type as its name. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  /** The JSON Schema of its input. */
  readonly parameters?: unknown;
}

/** The settings of this call; only those that were sent are present. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  /** The most tokens that the answer may have. */
  readonly maxTokens?: number;
  readonly reasoningEffort?: string;
  /** How the reasoning is to be shown (Responses API). */
  readonly reasoningSummary?: string;
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly parallelToolCalls?: boolean;
}

/**
 * What the model read as the result of each tool call, by call id.
 *
 * @example
 * expect(toolResults(server.requests[1]!)).toEqual({ call_1: 'sunny' });
 */
export function toolResults(request: ModelRequest): Readonly<Record<string, string>> {
  const results = request.messages.filter((message) => message.role === 'tool');
  return Object.fromEntries(results.map(({ toolCallId = '', content }) => [toolCallId, content]));
}
