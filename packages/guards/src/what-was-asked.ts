import type { ToolEvent } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';

/** What the model asked, the same in each process that the call goes on in. */
export async function contentOf({
  callId,
  nativeToolName,
  input,
  modelInput = input,
  parsedHash,
}: ToolEvent): Promise<readonly string[]> {
  return [callId, nativeToolName, parsedHash ?? (await hashInput(modelInput))];
}
