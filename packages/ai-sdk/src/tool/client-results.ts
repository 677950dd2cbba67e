import { concernsTool, joinRegistries } from '@hooks/core/adapter';
import type { ModelMessage, ToolResultPart } from 'ai';
import type { HookedRun } from '../run/hooked-run.ts';
import { describe, type Hooked } from './call.ts';

type Output = ToolResultPart['output'];

/**
 * Runs the hooks of tool results on results that a client sent back, because the SDK trusts them.
 *
 * @returns the messages, with the results as hooks left them
 */
export async function decideClientResults(
  run: HookedRun,
  messages: ModelMessage[],
  tools: ReadonlyMap<string, Hooked>,
): Promise<ModelMessage[]> {
  const since = messages.findLastIndex(({ role }) => role === 'assistant');
  const called = messages[since];
  if (called?.role !== 'assistant' || typeof called.content === 'string') return messages;
  if (!messages.some(({ role }, at) => at > since && role === 'tool')) return messages;
  const sent = called.content.filter((part) => part.type === 'tool-call');
  const decide = async (part: ToolResultPart): Promise<ToolResultPart> => {
    const { toolCallId: callId, toolName, output } = part;
    const hooked = tools.get(toolName);
    const concerned = hooked && concernsTool(joinRegistries(run.hookedBy, hooked.own), toolName);
    if (!concerned || hooked.tool.execute !== undefined || output.type === 'execution-denied') return part;
    const input = sent.find(({ toolCallId }) => toolCallId === callId)?.input;
    const given = output.value;
    const outcome = await run.callTool(
      describe(run, { hooked, sent: input, callId }),
      () => {
        if (output.type === 'error-text' || output.type === 'error-json') throw new ClientError(given);
        return given;
      },
      { inner: run.inner(hooked.own), approval: run.ofTool },
    );
    if (outcome.status === 'ok')
      return outcome.output === given ? part : { ...part, output: outputOf(outcome.output) };
    const { error, message = String(error) } = outcome;
    if (error instanceof ClientError) return part;
    return { ...part, output: { type: 'error-text', value: message } };
  };
  return Promise.all(
    messages.map(async (message, at) => {
      if (at < since || message.role !== 'tool') return message;
      const parts = message.content.map((part) => (part.type === 'tool-result' ? decide(part) : part));
      return { ...message, content: await Promise.all(parts) };
    }),
  );
}

/** The error that a client reports for its tool. */
class ClientError extends Error {
  constructor(given: unknown) {
    super(typeof given === 'string' ? given : JSON.stringify(given));
  }
}

function outputOf(value: unknown): Output {
  return typeof value === 'string'
    ? { type: 'text', value }
    : { type: 'json', value: JSON.parse(JSON.stringify(value ?? null)) };
}
