import { boundedFetch } from '../run/body.ts';
import type { ModelEndpoint } from './endpoint.ts';
import { verdictSchema } from './verdict.ts';

/** A request to a model. */
export interface ModelQuestion {
  readonly system: string;
  readonly prompt: string;
  /** Whether the reply has to be a verdict. */
  readonly judges: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A model's reply. */
export interface ModelReply {
  readonly text: string;
  /** Why the reply is incomplete. */
  readonly unusable?: string;
}

/**
 * Calls a model through its provider's client, which is loaded now. Makes one request, without redirects, for a short
 * answer.
 * @throws MissingClient if the client is not installed
 */
export function askModel(endpoint: ModelEndpoint, question: ModelQuestion): Promise<ModelReply> {
  switch (endpoint.api) {
    case 'openai':
      return askOpenAI(endpoint, question);
    case 'anthropic':
      return askAnthropic(endpoint, question);
    case 'google':
      return askGoogle(endpoint, question);
    default:
      return endpoint.api satisfies never;
  }
}

/** The client of a provider is not installed. */
export class MissingClient extends Error {
  constructor(name: string) {
    super(`its client is not installed; run: npm install ${name}`);
  }
}

async function askOpenAI(
  { model, baseURL, apiKey }: ModelEndpoint,
  question: ModelQuestion,
): Promise<ModelReply> {
  const { OpenAI } = await loaded('openai', import('openai'));
  const client = new OpenAI({
    apiKey,
    baseURL,
    maxRetries: 0,
    timeout: question.timeoutMs,
    fetch: boundedFetch,
  });
  const completion = await client.chat.completions.create(
    {
      model,
      messages: [
        { role: 'system', content: question.system },
        { role: 'user', content: question.prompt },
      ],
      ...(question.judges && {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'pre_tool_use_decision', strict: true, schema: verdictSchema },
        },
      }),
    },
    { signal: question.signal },
  );
  const [choice] = completion.choices;
  const text = choice?.message.content ?? '';
  if (choice?.message.refusal) return { text, unusable: 'the model refused to answer' };
  return { text, ...cutOff(choice?.finish_reason) };
}

async function askAnthropic(
  { model, baseURL, apiKey }: ModelEndpoint,
  question: ModelQuestion,
): Promise<ModelReply> {
  const { createAnthropic } = await loaded('@ai-sdk/anthropic', import('@ai-sdk/anthropic'));
  const provider = createAnthropic({
    apiKey,
    baseURL: versioned(baseURL ?? 'https://api.anthropic.com', 'v1'),
    fetch: boundedFetch,
  });
  return generate(provider(model), question);
}

async function askGoogle(
  { model, baseURL, apiKey }: ModelEndpoint,
  question: ModelQuestion,
): Promise<ModelReply> {
  const { createGoogleGenerativeAI } = await loaded('@ai-sdk/google', import('@ai-sdk/google'));
  const provider = createGoogleGenerativeAI({
    apiKey,
    baseURL: versioned(baseURL ?? 'https://generativelanguage.googleapis.com', 'v1beta'),
    fetch: boundedFetch,
  });
  return generate(provider(model), question);
}

type AiSdkModel = ReturnType<ReturnType<typeof import('@ai-sdk/anthropic').createAnthropic>>;

/** Calls a model through the common interface of the AI SDK's providers. */
async function generate(
  model: Pick<AiSdkModel, 'doGenerate'>,
  { system, prompt, judges, signal }: ModelQuestion,
): Promise<ModelReply> {
  const { content, finishReason } = await model.doGenerate({
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
    ...(judges && {
      responseFormat: { type: 'json', name: 'pre_tool_use_decision', schema: verdictSchema },
    }),
    abortSignal: signal,
  });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { text, ...cutOff(finishReason.unified) };
}

function cutOff(reason: string | undefined): Pick<ModelReply, 'unusable'> {
  const cut = ['length', 'content_filter', 'content-filter', 'error', 'interrupted'].find(
    (one) => one === reason,
  );
  return cut === undefined ? {} : { unusable: `the model's answer was cut off (${cut})` };
}

/** Base URLs may or may not include the API version. */
function versioned(url: string, version: string): string {
  const { pathname } = new URL(url);
  return pathname === '/' ? new URL(version, url).href : url;
}

async function loaded<Module>(name: string, module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    throw missing ? new MissingClient(name) : error;
  }
}
