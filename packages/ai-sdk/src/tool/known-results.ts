import { failureText, PostedResults } from '@hooks/core/adapter';
import type { ToolCallOutcome, ToolResult } from '@hooks/core/tool-call';
import type { ModelMessage, ToolResultPart } from 'ai';
import type { HookedRun } from '../run/hooked-run.ts';
import type { Hooked } from './call.ts';
import { plainOutput } from './replaced-output.ts';

type Output = ToolResultPart['output'];

/** A call in messages, as far as its result needs it. */
export interface MadeCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly providerExecuted?: boolean | undefined;
}

/** The tools of a run, by the names that a model knows. */
type Tools = ReadonlyMap<string, Hooked>;

/** The results of a call, as parts of messages that runs of a session produce and clients post. */
export function resultsOf(run: HookedRun, tools: Tools, { input }: MadeCall): PostedResults<ToolResultPart> {
  return new PostedResults(run, {
    registriesOf: (toolName = '') => run.registriesOf(tools.get(toolName)),
    shown({ toolCallId, toolName, output }) {
      const read = output.type === 'execution-denied' ? output.reason : output.value;
      return [toolCallId, toolName, input, output.type, read];
    },
    write: written,
    withhold: withheld,
  });
}

/** Remembers the results in messages that a run has produced. */
export async function rememberAll(
  run: HookedRun,
  tools: Tools,
  messages: readonly ModelMessage[],
  calls: Map<string, MadeCall> = new Map(),
): Promise<void> {
  for (const { role, content } of messages) {
    if (typeof content === 'string' || (role !== 'assistant' && role !== 'tool')) continue;
    for (const part of content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      if (part.type !== 'tool-result') continue;
      const call = calls.get(part.toolCallId);
      if (call !== undefined && run.registriesOf(tools.get(call.toolName)).decidesResult(call.toolName))
        await resultsOf(run, tools, call).remember(part, call.toolName);
    }
  }
}

/** The error that a client reports for its tool, or why it did not run it. */
class ClientError extends Error {}

/** What a tool returned or threw, as hooks see it. Undefined if the model reads nothing of it. */
export function resultOf(output: Output): ToolResult | undefined {
  switch (output.type) {
    case 'error-text':
    case 'error-json': {
      const { value } = output;
      return { error: new ClientError(typeof value === 'string' ? value : JSON.stringify(value)) };
    }
    case 'execution-denied':
      return output.reason === undefined ? undefined : { error: new ClientError(output.reason) };
    default:
      return { output: output.value };
  }
}

/** A result as hooks left it. */
function written(part: ToolResultPart, outcome: ToolCallOutcome): ToolResultPart {
  if (outcome.status === 'ok') {
    const same = 'value' in part.output && outcome.output === part.output.value;
    return same ? part : { ...part, output: outputOf(outcome.output, part.output) };
  }
  return outcome.error instanceof ClientError ? part : withheld(part, failureText(outcome));
}

function withheld(part: ToolResultPart, value: string): ToolResultPart {
  if (part.output.type === 'execution-denied')
    return { ...part, output: { type: 'execution-denied', reason: value } };
  return { ...part, output: { type: 'error-text', value } };
}

function outputOf(value: unknown, given: Output): Output {
  const { type } = given;
  const kept = type !== 'content' && given.providerOptions && { providerOptions: given.providerOptions };
  const plain = plainOutput(value);
  return type === 'content' && Array.isArray(plain.value) && plain.value.every(isContentPart)
    ? { type, value: plain.value }
    : { ...plain, ...kept };
}

function isContentPart(value: unknown): boolean {
  return typeof Reflect.get(Object(value), 'type') === 'string';
}
