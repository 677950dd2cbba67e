import OpenAI from 'openai';
import { z } from 'zod';

/** A message, as the reference framework keeps it: that of chat completions. */
export type Message = OpenAI.ChatCompletionMessageParam;

/** What the model is asked. */
export interface Question {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly schema: z.ZodType;
  }[];
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
}

/** What the model says. */
export interface Spoken {
  readonly text: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** Asks the model; streamed, each piece of text is given to `onText`. */
export async function askModel(
  url: string,
  { model, messages, tools, temperature, maxTokens }: Question,
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
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, schema }) => ({
        type: 'function' as const,
        function: { name, description, parameters: z.toJSONSchema(schema, { io: 'input' }) },
      })),
    }),
  };
  const options = signal === undefined ? {} : { signal };
  if (!stream) return spoken((await completions.create(body, options)).choices[0]?.message);
  const streamed = completions.stream(body, options).on('content', onText);
  return spoken(await streamed.finalMessage());
}

function spoken(message: OpenAI.ChatCompletionMessage | undefined): Spoken {
  return {
    text: message?.content ?? '',
    toolCalls: (message?.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [{ id: call.id, ...call.function }] : [],
    ),
  };
}
