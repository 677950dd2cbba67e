import type { ToolResultPart } from 'ai';
import type { SdkTool } from '../sdk.ts';

type ToModelOutput = NonNullable<SdkTool['toModelOutput']>;
type ModelOutput = ToolResultPart['output'];

/** How many outputs of a tool are kept. The SDK asks for the model's form of an output when its step ends. */
const KEPT = 1000;

/** The objects that hooks have put in the place of an output. */
const objects: WeakSet<object> = new WeakSet();

/** The other values, by the tool: each with the id of its call. */
const values: WeakMap<object, Set<string>> = new WeakMap();

/**
 * Keeps that hooks have replaced the output of a call. Ids repeat, also in runs at the same time, so what counts is the
 * output itself.
 */
export function noteReplaced(tool: SdkTool, callId: string, output: unknown): void {
  if (output instanceof Object) {
    objects.add(output);
    return;
  }
  const known = values.get(tool) ?? new Set();
  const key = keyOf(callId, output);
  known.delete(key);
  values.set(tool, known.add(key));
  for (const oldest of known) {
    if (known.size <= KEPT) return;
    known.delete(oldest);
  }
}

function isReplaced(tool: SdkTool, callId: string, output: unknown): boolean {
  if (output instanceof Object) return objects.has(output);
  return values.get(tool)?.has(keyOf(callId, output)) === true;
}

/** Texts are long: the beginning will do to tell a few outputs apart. */
function keyOf(callId: string, output: unknown): string {
  const text = String(output);
  return JSON.stringify([callId, typeof output, text.length, text.slice(0, 100)]);
}

/**
 * The tool's `toModelOutput`, for outputs that hooks replaced, too. If it cannot read such an output, because that has
 * another shape than the tool's own, the model gets the output itself.
 */
export function readableOutput(tool: SdkTool, own: ToModelOutput): ToModelOutput {
  return async (result: Parameters<ToModelOutput>[0]): Promise<ModelOutput> => {
    const read = async (): Promise<ModelOutput> => own.call(tool, result);
    if (!isReplaced(tool, result.toolCallId, result.output)) return read();
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
