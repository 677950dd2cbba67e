import type { ModelResponse } from '@hooks/core';
import OpenAI from 'openai';
import { z } from 'zod';

/** A message of the reference framework, in the format of chat completions. */
export type Message = OpenAI.ChatCompletionMessageParam;

/** A request to the model. */
export interface Question {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly schema: z.ZodType;
  }[];
  readonly toolChoice?: 'required' | { readonly name: string } | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
}

/** The model's answer. */
export interface Spoken {
  readonly usage: ModelResponse['usage'];
  readonly text: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** Calls the model. If it streams, `onText` gets each piece of text. */
export async function askModel(
  url: string,
  { model, messages, tools, toolChoice, temperature, maxTokens }: Question,
  {
    stream,
    signal,
    onText,
  }: {
    readonly stream: boolean;
    readonly signal: AbortSignal | undefined;
    readonly onText: (text: string) => void;
  },
): Promise<Spoken> {
  const { completions } = new OpenAI({ baseURL: url, apiKey: 'none', maxRetries: 0 }).chat;
  const body = {
    model,
    messages: [...messages],
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(toolChoice !== undefined && {
      tool_choice:
        toolChoice === 'required' ? toolChoice : { type: 'function' as const, function: toolChoice },
    }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, schema }) => ({
        type: 'function' as const,
        function: { name, description, parameters: z.toJSONSchema(schema, { io: 'input' }) },
      })),
    }),
  };
  const options = signal === undefined ? {} : { signal };
  const { choices, usage } = stream
    ? await completions
        .stream({ ...body, stream_options: { include_usage: true } }, options)
        .on('content', onText)
        .finalChatCompletion()
    : await completions.create(body, options);
  return spoken(choices[0]?.message, usage);
}

function spoken(
  message: OpenAI.ChatCompletionMessage | undefined,
  usage: OpenAI.CompletionUsage | undefined,
): Spoken {
  return {
    usage: usage && { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
    text: message?.content ?? '',
    toolCalls: (message?.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [{ id: call.id, ...call.function }] : [],
    ),
  };
}
