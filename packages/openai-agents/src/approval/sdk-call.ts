import { NO_APPROVER } from '@hooks/core/adapter';
import type { Invocation, SdkFunctionTool } from '../internals.ts';
import type { Definition } from '../tool/definition.ts';

/** A pending call of a run, and the decision that the SDK keeps for it. */
export interface SdkCall {
  /** The hooked tool. Two agents may use the same call id. */
  readonly tool: object;
  /** The model's input, which the SDK shows while the call is paused. */
  readonly input: unknown;
  /** The SDK's invocation: first of `needsApproval`, then of the call itself. */
  invocation: Invocation;
  /** Whether the tool itself requires approval, with or without hooks. */
  asks: boolean;
  /** The tool that ran in place of the called one, because a hook renamed the call. It says how its errors read. */
  ran?: { readonly tool: SdkFunctionTool; readonly definition: Definition };
  /** The person's decision; undefined while there is none. */
  decision(): boolean | undefined;
}

/** Why a call cannot wait where the SDK has not asked a person about it. */
export const CANNOT_PAUSE: string = `${NO_APPROVER} to an approver, or run the agent with a hooked runner`;

/** Why a call does not run whose approval was used before. */
export const ANSWERED: string =
  'the approval of this call was used before, by another run of the same state or by a call with the same id';
