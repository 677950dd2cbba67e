import type { ToolResultPart } from 'ai';
import type { SdkTool } from '../sdk.ts';

type ToModelOutput = NonNullable<SdkTool['toModelOutput']>;
type ModelOutput = ToolResultPart['output'];

/** How many calls of a tool are kept. The SDK asks for the model's form of an output right after the call. */
const KEPT = 1000;

/** The calls of a tool whose outputs hooks replaced. */
const replaced: WeakMap<object, Set<string>> = new WeakMap();

/** Keeps whether hooks have replaced the output of a call. */
export function noteOutput(tool: SdkTool, callId: string, isReplaced: boolean): void {
  const calls = replaced.get(tool) ?? new Set();
  calls.delete(callId);
  if (isReplaced) replaced.set(tool, calls.add(callId));
  for (const oldest of calls) {
    if (calls.size <= KEPT) break;
    calls.delete(oldest);
  }
}

/**
 * The tool's `toModelOutput`, for outputs that hooks replaced, too. If it cannot read such an output, because that has
 * another shape than the tool's own, the model gets the output itself.
 */
export function readableOutput(tool: SdkTool, own: ToModelOutput): ToModelOutput {
  return async (result: Parameters<ToModelOutput>[0]): Promise<ModelOutput> => {
    const read = async (): Promise<ModelOutput> => own.call(tool, result);
    if (replaced.get(tool)?.has(result.toolCallId) !== true) return read();
    const output = await read().catch(() => undefined);
    return output !== undefined && isComplete(output) ? output : plainOutput(result.output);
  };
}

/** Whether all that an output names is there. */
function isComplete(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Object.values(value).every(isComplete);
}

function plainOutput(value: unknown): ModelOutput {
  return typeof value === 'string'
    ? { type: 'text', value }
    : { type: 'json', value: JSON.parse(JSON.stringify(value ?? null)) };
}
