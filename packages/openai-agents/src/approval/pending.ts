import { BeforeToolCall, type ToolCall } from '@hooks/core';
import { type CallIdentity, PausedRuns, type PendingApproval, unknownPending } from '@hooks/core/adapter';
import type { SdkApprovalItem, SdkState } from '../internals.ts';
import type { Registries } from '../options.ts';
import type { HookedRun } from '../run/hooked-run.ts';
import { standingOf } from '../tool/agent-tools.ts';
import { parseInput } from '../translate.ts';
import { ANSWERED, approvalIdOf, useRejection } from './decision.ts';

/** The runs that wait for people, by their states. */
export const pausedRuns: PausedRuns<HookedRun> = new PausedRuns();

/**
 * The calls of a run that wait for a person, including those of agents as tools. A state from another process does not
 * contain the reasons.
 *
 * @param resultOrState what `run` resolved to, or a `RunState`
 * @example
 * ```ts
 * for (const call of await pendingApprovals(result)) console.log(call.toolName, call.input, call.reason);
 * ```
 */
export async function pendingApprovals(resultOrState: object): Promise<readonly PendingApproval[]> {
  const state = stateOf(resultOrState);
  const run = pausedRuns.peek({ of: state });
  return Promise.all(
    state.getInterruptions().map(async (item) => {
      const call = identityOf(item);
      return (run && ownerOf(run, item, call)?.pending.waitingFor(call)) ?? unknownPending(call);
    }),
  );
}

function stateOf(resultOrState: object): SdkState {
  const state: unknown = 'state' in resultOrState ? resultOrState.state : resultOrState;
  if (typeof state === 'object' && state !== null && 'getInterruptions' in state) return state as SdkState;
  throw new TypeError('pendingApprovals takes what `run` gave, or a RunState.');
}

/** The call that waits: its tool's name as the model sees it, and what the model, or for a hosted tool the provider, has sent. */
function identityOf({ name = '', arguments: written, rawItem }: SdkApprovalItem): CallIdentity {
  const id: unknown = Reflect.get(rawItem, 'callId') ?? Reflect.get(rawItem, 'id');
  return {
    callId: String(id),
    // The SDK puts the name of a tool's namespace before it.
    toolName: rawItem.type === 'function_call' ? (rawItem.name ?? name) : name,
    input: parseInput(written ?? rawItem.providerData?.arguments ?? ''),
  };
}

/** The run in which the call was begun in this process: this one, or that of an agent as a tool. */
function ownerOf(
  run: HookedRun,
  { agent: { name } }: SdkApprovalItem,
  call: CallIdentity,
): HookedRun | undefined {
  return run.all.find(({ agent, pending }) => agent === name && pending.get(call)?.kind === 'ask');
}

type Denial = Parameters<HookedRun['denyTool']>[1] & Pick<ToolCall, 'approvalId'>;

/** The calls of a run that wait, with what hooks them. */
function pendingCalls(run: HookedRun, state: SdkState) {
  return state.getInterruptions().map((item) => {
    const call = identityOf(item);
    const standing = standingOf(item.agent, call.toolName);
    const registries = run.hookedBy.around(standing);
    return {
      item,
      call,
      registries,
      get owner() {
        return ownerOf(run, item, call);
      },
      /** Returns what the model reads. */
      async deny({ approvalId, ...answer }: Denial): Promise<string | undefined> {
        if (!registries.concerns(call.toolName)) return answer.reason;
        const owner = this.owner ?? run;
        const principal = standing.principalOfCall(owner, state._context.context);
        const described = { ...call, agent: item.agent.name, native: item, principal, approvalId };
        return owner.denyTool(described, answer, { inner: standing.attached() });
      },
    };
  });
}

/**
 * Approves calls of hooked tools whose arguments are no JSON object, which the SDK wants a person to see where approval
 * depends on the arguments: they cannot run, and the SDK or the pipeline answers them with what is wrong. Whether there
 * were any.
 */
export function approveMalformed(state: SdkState, registries: Registries): boolean {
  const malformed = state.getInterruptions().filter((item) => {
    const { input, toolName } = identityOf(item);
    const runnable = typeof input === 'object' && input !== null && !Array.isArray(input);
    return !runnable && item.rawItem.type === 'function_call' && registries.concerns(toolName);
  });
  for (const item of malformed) state.approve(item);
  return malformed.length > 0;
}

/** A person's no: the call ends, hooks are told of it, and the model reads what they have made of the reason. */
export async function settleRejections(run: HookedRun, state: SdkState): Promise<void> {
  const context = state._context;
  for (const pending of pendingCalls(run, state)) {
    const { item, call } = pending;
    const { callId, toolName } = call;
    const key = item.functionToolStateKey ?? toolName;
    // Of other kinds of tools decisions are kept for all agents.
    const agent = item.rawItem.type === 'function_call' ? item.agent : undefined;
    if (context.isToolApproved({ toolName: key, callId, agent }) !== false) continue;
    const given = context.getRejectionMessage(key, callId);
    const reason = useRejection(state, { tool: key, callId, agent: item.agent }) ? given : ANSWERED;
    const approvalId = approvalIdOf(run.pausedAs, key, item.agent, callId);
    const message = await pending.deny({ decision: 'deny', reason, approvalId });
    if (message !== undefined && message !== given) state.reject(item, { message });
  }
}

/**
 * Ends the calls that wait in a run which a hook has ended, or in that of an agent as a tool: nobody is asked any more,
 * and they are answered. Whether there were any.
 */
export async function cancelPending(run: HookedRun, state: SdkState): Promise<boolean> {
  let canceled = false;
  for (const pending of pendingCalls(run, state)) {
    const stop = run.stop ?? pending.owner?.stop;
    if (stop === undefined) continue;
    canceled = true;
    const message = await pending.deny({ decision: 'canceled', reason: stop.reason });
    state.reject(pending.item, { message: message ?? stop.reason });
  }
  return canceled;
}

/** Whether hooks decide about one of the calls that wait. */
export function isDecided(run: HookedRun, state: SdkState): boolean {
  return pendingCalls(run, state).some(({ call, registries }) =>
    registries.decides(BeforeToolCall, call.toolName),
  );
}
