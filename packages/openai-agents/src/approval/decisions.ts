import type { ToolCall } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import {
  approvalKey,
  decidingAgent,
  type SdkAgent,
  type SdkContext,
  type SdkFunctionTool,
} from '../internals.ts';
import type { Invocation } from '../tool/definition.ts';

/** What people have said about the calls of one tool, as a run's context keeps it. */
export class People {
  readonly #key: string;
  readonly #agent: SdkAgent | undefined;

  constructor(tool: SdkFunctionTool, agent: SdkAgent | undefined) {
    this.#key = approvalKey(tool);
    this.#agent = agent;
  }

  /** Of a call, or of all calls of the tool. */
  decision(context: SdkContext, callId: string): boolean | undefined {
    return context.isToolApproved?.({
      toolName: this.#key,
      callId,
      agent: decidingAgent(this.#agent),
    });
  }

  /** Whether they have said yes to a call. */
  approved({ context, details }: Pick<Invocation, 'context' | 'details'>): boolean {
    const callId = details?.toolCall?.callId;
    return callId !== undefined && context !== undefined && this.decision(context, callId) === true;
  }

  /** Why they have refused a call. */
  rejection(context: SdkContext, callId: string): string | undefined {
    return context.getRejectionMessage(this.#key, callId);
  }
}

/** Why a call of a tool waits for which the SDK itself asks. */
export function approvalReason(toolName: string): string {
  return `The tool "${toolName}" asks for approval.`;
}

/** What a call is described with that people have said yes to: with this input, and with no other that hooks make of it. */
export async function yesTo(
  toolName: string,
  input: unknown,
): Promise<Pick<ToolCall, 'resumed' | 'needsApproval'>> {
  const hash = await hashInput(input);
  return { resumed: { decision: 'allow', hash }, needsApproval: approvalReason(toolName) };
}
