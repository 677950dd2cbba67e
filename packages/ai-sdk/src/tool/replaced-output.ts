import type { ToolResultPart } from 'ai';
import type { SdkTool } from '../sdk.ts';

type ToModelOutput = NonNullable<SdkTool['toModelOutput']>;
type ModelOutput = ToolResultPart['output'];

/** How many outputs of a tool are kept. The SDK asks for the model's form of an output when its step ends. */
const KEPT = 1000;

/** Where an output is from that the called tool has not given: a hook, or the tool to which a hook renamed the call. */
type Origin = 'hook' | 'other tool';

/** The outputs that others gave: by the output itself or, of one that is no object, by the tool; each with the ids of the calls. */
const origins: WeakMap<object, Map<string, Origin>> = new WeakMap();

/**
 * Keeps that the output of a call is not the tool's. Ids repeat, also in runs at the same time, so what counts is the
 * output itself; another call of the tool may give the same object, which is then its own.
 */
export function noteOrigin(tool: SdkTool, callId: string, output: unknown, origin: Origin): void {
  const by = output instanceof Object ? output : tool;
  const calls = origins.get(by) ?? new Map();
  const key = keyOf(callId, output);
  calls.delete(key);
  origins.set(by, calls.set(key, origin));
  for (const oldest of calls.keys()) {
    if (calls.size <= KEPT) return;
    calls.delete(oldest);
  }
}

function originOf(tool: SdkTool, callId: string, output: unknown): Origin | undefined {
  return origins.get(output instanceof Object ? output : tool)?.get(keyOf(callId, output));
}

/** Texts are long: the beginning will do to tell a few outputs apart. */
function keyOf(callId: string, output: unknown): string {
  if (output instanceof Object) return callId;
  const text = String(output);
  return JSON.stringify([callId, typeof output, text.length, text.slice(0, 100)]);
}

/**
 * The tool's `toModelOutput`, for outputs that hooks replaced, too. If it cannot read such an output, because that has
 * another shape than the tool's own, the model gets the output itself. It gets no output of another tool.
 */
export function readableOutput(tool: SdkTool, own: ToModelOutput): ToModelOutput {
  return async (result: Parameters<ToModelOutput>[0]): Promise<ModelOutput> => {
    const read = async (): Promise<ModelOutput> => own.call(tool, result);
    const origin = originOf(tool, result.toolCallId, result.output);
    if (origin === undefined) return read();
    if (origin === 'other tool') return plainOutput(result.output);
    const output = await read().catch(() => undefined);
    return output !== undefined && isComplete(output) ? output : plainOutput(result.output);
  };
}

/** Whether all that an output names is there. */
function isComplete(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Object.values(value).every(isComplete);
}

/** An output as the SDK writes it into messages. */
export function plainOutput(value: unknown): Extract<ModelOutput, { readonly type: 'text' | 'json' }> {
  if (typeof value === 'string') return { type: 'text', value };
  return { type: 'json', value: JSON.parse(JSON.stringify(value ?? null) ?? 'null') };
}
