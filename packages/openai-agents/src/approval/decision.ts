import type { Hooks } from '@hooks/core';
import { UsedApprovals } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import {
  approvalKey,
  decidingAgent,
  type Invocation,
  namePause,
  PAUSE,
  type SdkAgent,
  type SdkContext,
  type SdkFunctionTool,
  type SdkState,
  stateText,
} from '../internals.ts';
import type { Definition } from '../tool/definition.ts';

/** A pending call of a run. */
export interface SdkCall {
  /** The tool without hooks, and its agent: two agents may use the same call id. */
  readonly tool: SdkFunctionTool;
  readonly agent: SdkAgent | undefined;
  /** The model's input, which the SDK shows while the call is paused. */
  readonly input: unknown;
  /** The SDK's invocation: first of `needsApproval`, then of the call itself. */
  invocation: Invocation;
  /** Whether the tool itself requires approval, with or without hooks. */
  asks: boolean;
  /** The tool that ran in place of the called one, because a hook renamed the call. It says how its errors read. */
  ran?: { readonly tool: SdkFunctionTool; readonly definition: Definition };
}

/** Why a call does not run whose approval was used before. */
export const ANSWERED: string =
  'the approval of this call was used before, by another run of the same state or by a call with the same id';

/** The calls that approvals were used for. What they hold may be large, and outlives them here. */
type Uses = UsedApprovals<WeakRef<object>>;

/** The uses of a run, by its usage, which copies of its context share. */
const used: WeakMap<object, Uses> = new WeakMap();

/** The uses of all runs that resumed from one pause, by what identifies the pause. */
const ofPauses: WeakMap<Hooks, UsedApprovals<Uses>> = new WeakMap();

/**
 * Lets a run that resumes share its uses with all others that resume from the same pause under the same hooks. A state that was
 * saved may be resumed twice, also at the same time, and each approval in it counts once.
 *
 * @returns what identifies the pause
 */
export async function shareUses(state: SdkState, hooks: readonly Hooks[]): Promise<string> {
  const id = await pauseOf(state);
  const pauses = hooks.map((registry) => {
    const known = ofPauses.get(registry) ?? new UsedApprovals<Uses>();
    ofPauses.set(registry, known);
    return known;
  });
  const [shared = new UsedApprovals<WeakRef<object>>()] = pauses.flatMap((known) => known.get(id) ?? []);
  for (const known of pauses) known.use(id, shared);
  const { _context: context } = state;
  shared.add(usesIn(context));
  used.set(context.usage, shared);
  return id;
}

/**
 * What identifies a pause. It stays the same while some of the calls that wait run and others do not. The answers of a model that
 * gives them no ids are equal in two runs, so the run has named its pause. Without hooks it has not, and its trace tells.
 */
function pauseOf(state: SdkState): Promise<string> {
  const { originalInput, modelResponses, trace } = JSON.parse(stateText(state));
  const isNamed = modelResponses.at(-1)?.providerData?.[PAUSE] !== undefined;
  return hashInput([originalInput, modelResponses, isNamed ? null : (trace?.id ?? null)]);
}

/** Names the pause of a run, unless it still is the one from which it has resumed. */
export async function nameNewPause(
  state: SdkState,
  resumedFrom: string | undefined,
  session: string | undefined,
): Promise<void> {
  if (resumedFrom === undefined || resumedFrom !== (await pauseOf(state))) namePause(state, session);
}

/**
 * Identifies the pending approval of a call.
 *
 * @param pause what identifies the pause from which the call's run has resumed
 * @param tool the name under which the SDK has its approvals
 */
export function approvalIdOf(
  pause: string | undefined,
  tool: string,
  agent: SdkAgent | undefined,
  callId: string | undefined,
): string | undefined {
  if (pause === undefined || callId === undefined) return undefined;
  return JSON.stringify([pause, agent?.name ?? null, tool, callId]);
}

/**
 * Uses an approval for a call, before it runs: an approval is for one call, a model may repeat its id in a later run with
 * the same context, and two runs may have that context at once.
 */
export function useApproval(call: SdkCall): void {
  usesIn(call.invocation.context).use(keyOf(call), new WeakRef(call));
}

/** Gives the approval back, because the call has not come to an end. */
export function releaseApproval(call: SdkCall): void {
  const uses = usesIn(call.invocation.context);
  if (uses.get(keyOf(call))?.deref() === call) uses.release(keyOf(call));
}

/**
 * Uses a pending approval for a person's no: a yes to the same call of the same pause then counts for nothing. Returns
 * whether the no is the first answer.
 */
export function useRejection(
  { _context: context }: SdkState,
  { tool, callId, agent }: { readonly tool: string; readonly callId: string; readonly agent: SdkAgent },
): boolean {
  const uses = usesIn(context);
  if (uses.get(JSON.stringify([tool, callId])) !== undefined) return false;
  uses.use(rejectionKey(tool, callId, agent), new WeakRef(context.usage));
  return true;
}

/**
 * Whether the approval of the call with that id was used for another call. The SDK lets another one with its id run without
 * asking anybody.
 */
export function isUsed(call: SdkCall): boolean {
  const { tool, agent, invocation } = call;
  const uses = usesIn(invocation.context);
  const user = uses.get(keyOf(call));
  if (user !== undefined) return user.deref() !== call;
  return uses.get(rejectionKey(approvalKey(tool), callIdOf(call) ?? '', agent)) !== undefined;
}

/** The decision of people about a call, or about all calls of the tool. Undefined if it was used for another call. */
export function decisionOn(call: SdkCall): boolean | undefined {
  const { tool, agent, invocation } = call;
  const callId = callIdOf(call);
  if (callId === undefined || isUsed(call)) return undefined;
  const about = { toolName: approvalKey(tool), callId, agent: decidingAgent(agent) };
  return invocation.context?.isToolApproved?.(about);
}

/** The uses of approvals in a context. A bare tool may be invoked without any. */
function usesIn(context: SdkContext | undefined): Uses {
  const uses: Uses = used.get(context?.usage ?? NONE) ?? new UsedApprovals();
  if (context?.usage !== undefined) used.set(context.usage, uses);
  return uses;
}

const NONE = {};

function callIdOf({ invocation: { details } }: SdkCall): string | undefined {
  return details?.toolCall?.callId;
}

function keyOf(call: SdkCall): string {
  return JSON.stringify([approvalKey(call.tool), callIdOf(call) ?? '']);
}

/** A no is about the call of its agent: an agent as a tool may have another one with the same id. */
function rejectionKey(tool: string, callId: string, agent: SdkAgent | undefined): string {
  return JSON.stringify([tool, callId, agent?.name ?? null]);
}

/**
 * Whether a tool asks by itself, whatever hooks want. A policy that looks at the call cannot be asked beforehand, and
 * counts as one that asks.
 */
export async function asksItself({ needsApproval }: SdkFunctionTool, context: unknown): Promise<boolean> {
  if (needsApproval.length > 0) return true;
  try {
    return await needsApproval(context, {});
  } catch {
    // It will throw again where the SDK asks, which knows what to do about it.
    return true;
  }
}
