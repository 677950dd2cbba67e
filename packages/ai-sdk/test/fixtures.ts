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
import { type LanguageModel, type ModelMessage, type Tool, tool } from 'ai';
import { z } from 'zod';

const secret = 'a secret of the server, long enough';

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
