import { isKnownResult, rememberResult } from '@hooks/core/adapter';
import type { ToolMessage } from '@langchain/core/messages';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import { otherFields, withoutMetadata } from './result.ts';

/** A call in messages, as far as its result needs it. */
export interface MadeCall {
  readonly name: string;
  readonly input: unknown;
}

/** Whether a run of the session has produced this very result, or decided on it. */
export async function isKnown(
  { session }: HookedRun,
  registries: Registries,
  call: MadeCall,
  result: ToolMessage,
): Promise<boolean> {
  const shown = jsonOf(call, result);
  return (
    shown !== undefined &&
    isKnownResult({ session, registries: registries.attached(), toolName: call.name }, shown)
  );
}

/** Remembers a result: see {@link rememberResult}. */
export async function remember(
  { session, ownsSession }: HookedRun,
  registries: Registries,
  call: MadeCall,
  result: ToolMessage,
  options?: { readonly ifRoom?: boolean },
): Promise<void> {
  // The session of a run without a thread is over with it.
  const shown = ownsSession ? undefined : jsonOf(call, result);
  if (shown === undefined) return;
  await rememberResult({ session, registries: registries.attached(), toolName: call.name }, shown, options);
}

/** Undefined for what has no JSON form, which no client can post. */
function jsonOf(call: MadeCall, result: ToolMessage): unknown {
  const { tool_call_id, name, content, artifact, status = 'success' } = result;
  const fields = otherFields(withoutMetadata(result), { toolName: call.name });
  const all = [tool_call_id, call.name, call.input ?? {}, name, content, artifact, status, fields];
  try {
    return JSON.parse(JSON.stringify(all));
  } catch {
    return undefined;
  }
}
