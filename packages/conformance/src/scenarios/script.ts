import { expect } from 'vitest';
import type { AdapterHarness } from '../harness.ts';
import type { ModelRequest, ScriptedToolCall, Step } from '../model-server/index.ts';
import type { Played } from '../stage.ts';

/** The model's proposal to call a tool for a city. */
export function call(id: string, name: string, city: string): ScriptedToolCall {
  return { id, name, arguments: { city } };
}

/** A call of the tool whose name contains `part`, with 'Rome' for each text that it takes. */
export function callOf({ tools }: ModelRequest, part: string, id: string): ScriptedToolCall {
  const tool = tools.find(({ name }) => name.includes(part));
  return { id, name: tool?.name ?? part, arguments: Object(valueFor(tool?.parameters)) };
}

function valueFor(schema: unknown): unknown {
  const { properties = {}, required = [] } = Object(schema) as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
  if (required.length === 0) return 'Rome';
  return Object.fromEntries(required.map((field) => [field, valueFor(properties[field])]));
}

/** The model calls tools in parallel, then answers 'Done.'. */
export function calls(...toolCalls: readonly ScriptedToolCall[]): readonly Step[] {
  return [{ toolCalls }, { text: 'Done.' }];
}

/** One call of the tool `weather` for Rome, with the id `c1`, and the answer 'Done.'. */
export const askWeather: readonly Step[] = calls(call('c1', 'weather', 'Rome'));

/** Whether a client can post a history. */
export function takesHistory({ ownsHistory }: AdapterHarness): boolean {
  return ownsHistory !== true;
}

/** A hook that always fails. */
export function outOfOrder(): never {
  throw new Error('out of order');
}

/** The run continued to the model's answer without an error. */
export function expectAnswered({ result }: Played, text = 'Done.'): void {
  if (result.error !== undefined) throw new Error('The run failed.', { cause: result.error });
  expect(result.text).toBe(text);
}

/** The messages of users, tools and the model, without system messages: what a memory would keep. */
export function conversation({ messages }: ModelRequest): ModelRequest['messages'] {
  return messages.filter(({ role }) => role !== 'system');
}
