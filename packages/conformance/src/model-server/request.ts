/** A request to the model, in one shape for both endpoints. `body` has the original. */
export interface ModelRequest {
  readonly endpoint: 'chat.completions' | 'responses';
  readonly model: string;
  /**
   * All system texts, joined by empty lines, with the instructions of the Responses API first; `''` if there are none.
   */
  readonly system: string;
  /** The whole conversation in order, system messages included. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly settings: ModelSettings;
  readonly stream: boolean;
  /** The number of answers that the model has given in this conversation: 0 for the first request. */
  readonly turn: number;
  /**
   * How often this server got this very conversation for this model, including this time: above 1 when a client
   * retries. Two conversations with the same words cannot be told apart and count together.
   */
  readonly attempt: number;
  /** The JSON body as received. */
  readonly body: unknown;
}

/** A message. The model's has its tool calls, a tool's has the id of the call that it answers. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** The text. A part without text becomes its type in brackets: `[image_url]`. */
  readonly content: string;
  readonly toolCalls?: readonly ModelToolCall[];
  readonly toolCallId?: string;
}

/** A call of an earlier answer, as the client sends it back. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** The JSON text as the model wrote it, valid or not. */
  readonly arguments: string;
}

/** A tool as the model sees it. A tool that the provider runs itself has its type as its name. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  /** The JSON Schema of its input. */
  readonly parameters?: unknown;
}

/** The settings of this call. Only those that were sent are present. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  /** Limit of tokens in the answer. */
  readonly maxTokens?: number;
  readonly reasoningEffort?: string;
  /** How to show the reasoning (Responses API). */
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
