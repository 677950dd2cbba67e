import type { ModelMessage } from '@hooks/core';
import { parsedJson } from './sources.ts';

/** A call of a model, and what it was made with. */
export interface MadeCall {
  readonly callId: string;
  readonly input: unknown;
}

/** The calls in an answer of a history, as the framework has them: AI SDK and Mastra, OpenAI Agents, LangChain. */
export function callsIn({ role, native }: ModelMessage): readonly MadeCall[] {
  if (role !== 'assistant' || typeof native !== 'object' || native === null) return [];
  const { type, callId, arguments: written, tool_calls: made, content } = native as CallsOf;
  if (type === 'function_call') return typeof callId === 'string' ? [{ callId, input: written }] : [];
  const found: MadeCall[] = [];
  for (const call of Array.isArray(made) ? made : []) {
    const { id, args } = Object(call) as { readonly id?: unknown; readonly args?: unknown };
    if (typeof id === 'string') found.push({ callId: id, input: args });
  }
  for (const part of Array.isArray(content) ? content : []) {
    const { type, toolCallId, input, args = input, providerExecuted } = Object(part) as PartOfCall;
    if (type === 'tool-call' && typeof toolCallId === 'string' && providerExecuted !== true)
      found.push({ callId: toolCallId, input: args });
  }
  return found;
}

interface CallsOf {
  readonly type?: unknown;
  readonly callId?: unknown;
  readonly arguments?: unknown;
  readonly tool_calls?: unknown;
  readonly content?: unknown;
}

interface PartOfCall {
  readonly type?: unknown;
  readonly toolCallId?: unknown;
  readonly input?: unknown;
  readonly args?: unknown;
  readonly providerExecuted?: unknown;
}

/** An input as a text that is the same however JSON is written. */
export function writtenInput(input: unknown): string {
  try {
    return JSON.stringify(sorted(parsedJson(input), 0)) ?? '';
  } catch {
    return String(input);
  }
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH || 'toJSON' in value) return value;
  if (Array.isArray(value)) return value.map((entry) => sorted(entry, depth + 1));
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => [name, sorted(entry, depth + 1)]);
}

const MOST_DEPTH = 256;
