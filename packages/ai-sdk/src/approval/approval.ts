import { HooksError, type Principal } from '@hooks/core';
import type { ToolApprovalStatus, ToolSet } from 'ai';
import type { ApprovalAnswer, ApprovalOptions, CallSettings } from '../sdk.ts';

/**
 * The SDK's own approval setting of a call: `toolApproval`, a function or a map, otherwise the tool's `needsApproval`.
 */
export async function ownApproval(
  { toolApproval }: Pick<CallSettings, 'toolApproval'>,
  about: ApprovalOptions,
): Promise<ApprovalAnswer> {
  if (typeof toolApproval === 'function') return statusOf(await toolApproval(about));
  const { toolCall, tools, messages, runtimeContext } = about;
  const { toolName, input, toolCallId } = toolCall;
  const context = ownOf<unknown>(about.toolsContext, toolName);
  const listed = ownOf<ToolApprovalStatus | ((input: unknown, options: object) => unknown)>(
    toolApproval,
    toolName,
  );
  if (typeof listed === 'function') {
    const options = { toolCallId, messages, toolContext: context, runtimeContext };
    return statusOf((await listed(input, options)) as ToolApprovalStatus);
  }
  if (listed !== undefined) return statusOf(listed);
  const asks = ownOf<ToolSet[string]>(tools, toolName)?.needsApproval;
  const needed =
    typeof asks === 'function' ? await asks(input, { toolCallId, messages, context } as never) : asks;
  return { type: needed === true ? 'user-approval' : 'not-applicable' };
}

type Settings = Pick<CallSettings, 'toolApproval' | 'tools'>;

/** Whether the SDK may ask a person about calls of a tool. */
export function mayAsk(settings: Settings, name: string): boolean {
  const listed = ownOf<ToolApprovalStatus>(settings.toolApproval, name);
  return maySign(settings, name) && (listed === undefined || statusOf(listed).type !== 'approved');
}

/** Whether the SDK may sign requests for calls of a tool, which a person is to answer or which it answers itself. */
export function maySign({ toolApproval, tools }: Settings, name: string): boolean {
  if (typeof toolApproval === 'function') return true;
  const listed = ownOf<ToolApprovalStatus>(toolApproval, name);
  if (listed !== undefined) return statusOf(listed).type !== 'not-applicable';
  return Boolean(ownOf<ToolSet[string]>(tools, name)?.needsApproval);
}

function statusOf(status: ToolApprovalStatus | undefined): ApprovalAnswer {
  if (status === undefined) return { type: 'not-applicable' };
  return typeof status === 'string' ? { type: status } : status;
}

/** What an object has under a name. A model may use one that every object has as a property. */
export function ownOf<T>(object: unknown, name: string): T | undefined {
  return object instanceof Object && Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

/**
 * Checks the secret that signs a run's approval requests.
 *
 * @param isNeeded calls are approved through the SDK
 * @throws HooksError `INVALID_INPUT` without one that is needed, and for an empty one, with which the SDK fails at each request
 */
export function checkSecret(secret: string | Uint8Array | undefined, isNeeded: boolean): void {
  if (secret?.length === 0)
    throw new HooksError(
      'INVALID_INPUT',
      '`experimental_toolApprovalSecret` is empty: set a long random text.',
    );
  if (secret === undefined && isNeeded)
    throw new HooksError(
      'INVALID_INPUT',
      "`approval: 'native'` needs `experimental_toolApprovalSecret` in the settings: without it the AI SDK believes whatever input a client sends back as approved.",
    );
}

/**
 * The secret that signs a run's approval requests. It is another one in each session and for each user, because the
 * SDK's signature covers only the call.
 */
export function boundSecret(
  secret: string | Uint8Array,
  sessionId: string | undefined,
  principal: Principal | undefined,
): string | Uint8Array {
  if (sessionId === undefined && principal === undefined) return secret;
  const bound = [sessionId ?? null, principal?.id ?? null, principal?.tenant ?? null];
  if (typeof secret === 'string') return JSON.stringify([secret, ...bound]);
  return Uint8Array.from([...secret, ...new TextEncoder().encode(JSON.stringify(bound))]);
}
