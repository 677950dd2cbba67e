import { standIn } from '@hooks/core/adapter';
import { hideTracedError, type Invocation, type SdkFunctionTool } from '../internals.ts';

/** What the SDK passes to a tool's `customDataExtractor`. */
interface Extraction {
  readonly runContext: object;
  readonly toolCall: { readonly callId: string };
}

/** The calls of a run of which hooks have replaced or withheld what the tool gave. */
const replaced: WeakMap<object, Set<string>> = new WeakMap();

/** Keeps an output that hooks replaced or withheld out of everything that the SDK stores besides the output. */
export function noteReplaced({ context, details }: Invocation): void {
  const callId = details?.toolCall?.callId;
  if (context === undefined || details === undefined || callId === undefined) return;
  const calls = replaced.get(context) ?? new Set();
  replaced.set(context, calls.add(callId));
  hideTracedError(details);
}

/** With a `customDataExtractor` that gets no call whose output was replaced: an MCP tool's is shown the server's answer. */
export function withoutCustomData<T extends SdkFunctionTool>(tool: T): T {
  const extract = tool.customDataExtractor;
  if (extract === undefined) return tool;
  const customDataExtractor = (extraction: Extraction): unknown =>
    replaced.get(extraction.runContext)?.has(extraction.toolCall.callId) === true
      ? undefined
      : extract.call(tool, extraction as never);
  return standIn(tool, { customDataExtractor });
}
