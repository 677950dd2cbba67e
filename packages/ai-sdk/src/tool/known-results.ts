import { isKnownResult, type ResultPlace, rememberResult } from '@hooks/core/adapter';
import type { ModelMessage, ToolResultPart } from 'ai';
import type { HookedRun } from '../run/hooked-run.ts';
import type { Hooked } from './call.ts';

/** A call in messages, as far as its result needs it. */
export interface MadeCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly providerExecuted?: boolean | undefined;
}

/** The tools of a run, by the names that a model knows. */
type Tools = ReadonlyMap<string, Hooked>;

/** Whether a run of the session has produced this very result, or decided on it. */
export function isKnown(
  run: HookedRun,
  tools: Tools,
  result: ToolResultPart,
  call: MadeCall,
): Promise<boolean> {
  return isKnownResult(placeOf(run, tools, call), contentOf(result, call));
}

/** Remembers a result: see {@link rememberResult}. */
export function remember(
  run: HookedRun,
  tools: Tools,
  result: ToolResultPart,
  call: MadeCall,
  options?: { readonly ifRoom?: boolean },
): Promise<void> {
  return rememberResult(placeOf(run, tools, call), contentOf(result, call), options);
}

function placeOf(run: HookedRun, tools: Tools, { toolName }: MadeCall): ResultPlace {
  const registries = run.registriesOf(tools.get(toolName)).attached();
  return { session: run.session, registries, toolName };
}

/** Remembers the results in messages that a run has produced. */
export async function rememberAll(
  run: HookedRun,
  tools: Tools,
  messages: readonly ModelMessage[],
  isConcerned: (toolName: string) => boolean,
  calls: Map<string, MadeCall> = new Map(),
): Promise<void> {
  for (const { role, content } of messages) {
    if (typeof content === 'string' || (role !== 'assistant' && role !== 'tool')) continue;
    for (const part of content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      if (part.type !== 'tool-result') continue;
      const call = calls.get(part.toolCallId);
      if (call !== undefined && isConcerned(call.toolName)) await remember(run, tools, part, call);
    }
  }
}

/** What the model reads of a result, and of which call. */
function contentOf(
  { toolCallId, toolName, output }: ToolResultPart,
  { input }: MadeCall,
): readonly unknown[] {
  const read = output.type === 'execution-denied' ? output.reason : output.value;
  return [toolCallId, toolName, input ?? null, output.type, read ?? null];
}

/** An output that is no text, as the SDK writes it into messages. */
export function jsonOutput(value: unknown): Extract<ToolResultPart['output'], { readonly type: 'json' }> {
  return { type: 'json', value: JSON.parse(JSON.stringify(value ?? null) ?? 'null') };
}
