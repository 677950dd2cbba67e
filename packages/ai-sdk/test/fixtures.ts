import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type ModelServer, type Script, type Step, startModelServer, toolResults } from '@hooks/conformance';
import {
  BeforeToolCall,
  createHooks,
  type EventPayload,
  HookEvent,
  type Hooks,
  requireApproval,
} from '@hooks/core';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type Tool,
  type ToolSet,
  tool,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { conversation, type HookedOptions, hookedAgent, hookedCall } from '../src/index.ts';

/** The server's secret for signing approval requests. */
export const secret = 'a secret of the server, long enough';

/** The ways to run a model with tools. */
export const ways = ['generateText', 'streamText', 'agent.generate', 'agent.stream'] as const;

/** The settings of a run, however it is run. */
export interface RunSettings {
  readonly model: LanguageModel;
  readonly tools: ToolSet;
  readonly experimental_toolApprovalSecret?: string | Uint8Array;
  readonly runtimeContext?: Record<string, unknown>;
}

/** Runs hooked, with a limit of four steps. Returns the text and the conversation to continue with. */
export async function runBy(
  way: (typeof ways)[number],
  settings: RunSettings,
  messages: ModelMessage[],
  hooks: Hooks,
  options: HookedOptions = {},
): Promise<{ readonly text: string; readonly messages: ModelMessage[] }> {
  const whole = { ...settings, stopWhen: isStepCount(4), onError: () => {} };
  const { onError: _, ...plain } = whole;
  const result =
    way === 'generateText'
      ? await generateText(hookedCall({ ...plain, messages }, hooks, options))
      : way === 'streamText'
        ? streamText(hookedCall({ ...whole, messages }, hooks, options))
        : way === 'agent.generate'
          ? await hookedAgent(whole, hooks, options).generate({ messages })
          : await hookedAgent(whole, hooks, options).stream({ messages });
  if ('consumeStream' in result) await result.consumeStream();
  return { text: await result.text, messages: await conversation(messages, result) };
}

/** A model server, and the AI SDK's own model in front of it. */
export async function serve(
  script: Script | readonly Step[],
): Promise<AsyncDisposable & { readonly server: ModelServer; readonly model: LanguageModel }> {
  const server = await startModelServer({ script });
  return { server, model: modelOf(server), [Symbol.asyncDispose]: () => server.close() };
}

function modelOf({ url }: ModelServer): LanguageModel {
  return createOpenAICompatible({ name: 'scripted', baseURL: url, includeUsage: true })('gpt-5');
}

type Prompt = Parameters<Exclude<LanguageModel, string>['doGenerate']>[0]['prompt'];
type ReadResult = Extract<
  Extract<Prompt[number], { readonly role: 'tool' }>['content'][number],
  { readonly type: 'tool-result' }
>;

/** A call as a model may write it. */
interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly arguments?: unknown;
  /** The text of the arguments. Default: their JSON. */
  readonly written?: string;
  readonly providerExecuted?: boolean;
}

/** An answer of a model without a server. `cut`: a stream breaks before its end. */
export interface Answer {
  readonly text?: string;
  readonly calls?: readonly MadeCall[];
  readonly cut?: boolean;
}

/** A model without a server: it may answer what a server would refuse, such as two calls with one id. */
export function unruly(answers: readonly Answer[]): {
  readonly model: MockLanguageModelV4;
  /** The tool results that the model has read with its last call. */
  readonly results: () => readonly ReadResult[];
} {
  let prompt: Prompt = [];
  let nth = 0;
  const next = (given: Prompt): Answer => {
    prompt = given;
    return answers[nth++] ?? { text: 'Over.' };
  };
  const partsOf = (calls: readonly MadeCall[]) =>
    calls.map((call) => ({
      type: 'tool-call' as const,
      toolCallId: call.id,
      toolName: call.name,
      input: call.written ?? JSON.stringify(call.arguments),
      ...(call.providerExecuted && { providerExecuted: true }),
    }));
  const reason = (calls: readonly MadeCall[]) =>
    calls.length > 0
      ? ({ unified: 'tool-calls', raw: 'tool_calls' } as const)
      : ({ unified: 'stop', raw: 'stop' } as const);
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt: given }) => {
      const { text, calls = [] } = next(given);
      const texts = text === undefined ? [] : [{ type: 'text' as const, text }];
      return { content: [...texts, ...partsOf(calls)], finishReason: reason(calls), usage, warnings: [] };
    },
    doStream: async ({ prompt: given }) => {
      const { text, calls = [], cut = false } = next(given);
      const texts =
        text === undefined
          ? []
          : [
              { type: 'text-start' as const, id: 't' },
              { type: 'text-delta' as const, id: 't', delta: text },
              { type: 'text-end' as const, id: 't' },
            ];
      const end = cut
        ? { type: 'error' as const, error: new Error('The stream broke.') }
        : { type: 'finish' as const, finishReason: reason(calls), usage };
      return {
        stream: ReadableStream.from([
          { type: 'stream-start' as const, warnings: [] },
          ...texts,
          ...partsOf(calls),
          end,
        ]),
      };
    },
  });
  const results = () =>
    prompt.flatMap(({ role, content }) =>
      role === 'tool' || role === 'assistant' ? content.filter((part) => part.type === 'tool-result') : [],
    );
  return { model, results };
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A call of the tool `pay`, and then an answer. */
export const pays: readonly Step[] = [
  { toolCalls: [{ id: 'c1', name: 'pay', arguments: { sum: 5 } }] },
  { text: 'Paid.' },
];

/** A tool that notes with what it ran. */
export function payTool(
  ran: unknown[],
  options: { readonly needsApproval?: boolean } = {},
): Tool<{ sum: number }, { paid: number }> {
  return tool({
    description: 'Pays.',
    inputSchema: z.object({ sum: z.number() }),
    execute: async (input) => {
      ran.push(input);
      return { paid: input.sum };
    },
    ...options,
  });
}

/** Settings for the AI SDK's own pause, and hooks that want a person to look at each call. */
export interface Asking {
  readonly settings: {
    readonly model: LanguageModel;
    readonly tools: { readonly pay: ReturnType<typeof payTool> };
    readonly experimental_toolApprovalSecret: string;
  };
  readonly hooks: Hooks;
  /** With which inputs the tool ran. */
  readonly ran: unknown[];
  /** Of which calls the hooks were asked. */
  readonly asked: string[];
}

export function asking(model: LanguageModel): Asking {
  const { hooks } = watched();
  const ran: unknown[] = [];
  const asked: string[] = [];
  hooks.on(BeforeToolCall, ({ callId }) => {
    asked.push(callId);
    return requireApproval('It costs money.');
  });
  return {
    settings: { model, tools: { pay: payTool(ran) }, experimental_toolApprovalSecret: secret },
    hooks,
    ran,
    asked,
  };
}

/** A registry, and everything that happens in it. */
export function watched(): { readonly hooks: Hooks; readonly events: readonly EventPayload[] } {
  const hooks = createHooks({ onError: () => {}, onWarning: () => {} });
  const events: EventPayload[] = [];
  hooks.observe(HookEvent, (event) => void events.push(event));
  return { hooks, events };
}

export function typesOf(events: readonly EventPayload[]): readonly string[] {
  return events.map(({ type }) => type);
}

/** What the model read of each call. */
export function read({ requests }: ModelServer): Readonly<Record<string, string>> {
  return Object.assign({}, ...requests.map(toolResults));
}

/** A person's answers to all requests in these messages. */
export function answered(messages: readonly ModelMessage[], approved: boolean): ModelMessage[] {
  const content = messages.flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? message.content.flatMap((part) =>
          part.type === 'tool-approval-request'
            ? [{ type: 'tool-approval-response' as const, approvalId: part.approvalId, approved }]
            : [],
        )
      : [],
  );
  return [...messages, { role: 'tool', content }];
}
