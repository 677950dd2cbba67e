import { BeforeToolCall, type ToolCall } from '@hooks/core';
import { type CallIdentity, type PendingApproval, unknownPending } from '@hooks/core/adapter';
import type { SdkApprovalItem, SdkState } from '../internals.ts';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/hooked-run.ts';
import { standingOf } from '../tool/agent-tools.ts';
import { parseInput } from '../translate.ts';
import { ANSWERED, approvalIdOf, useRejection } from './decision.ts';

const paused: WeakMap<object, HookedRun> = new WeakMap();

/** Keeps a run that has paused with its state. */
export function remember(state: SdkState, run: HookedRun): void {
  paused.set(state, run);
}

/** Takes the run that paused with that state in this process, to resume it. Each run can be taken once. */
export function recall(state: SdkState): HookedRun | undefined {
  const run = paused.get(state);
  paused.delete(state);
  return run;
}

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
  const run = paused.get(state);
  return Promise.all(
    state.getInterruptions().map(async (item) => {
      const call = identityOf(item);
      return (run && ownerOf(run, item)?.pending.waitingFor(call)) ?? unknownPending(call);
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
function ownerOf(run: HookedRun, item: SdkApprovalItem): HookedRun | undefined {
  const call = identityOf(item);
  return run.all.find(({ agent, pending }) => agent === item.agent.name && pending.get(call)?.kind === 'ask');
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
  for (const item of state.getInterruptions()) {
    const { callId, toolName } = identityOf(item);
    const key = item.functionToolStateKey ?? toolName;
    // Of other kinds of tools decisions are kept for all agents.
    const agent = item.rawItem.type === 'function_call' ? item.agent : undefined;
    const refused = context.isToolApproved({ toolName: key, callId, agent }) === false;
    if (!refused) continue;
    const given = context.getRejectionMessage(key, callId);
    const reason = useRejection(state, { tool: key, callId, agent: item.agent }) ? given : ANSWERED;
    const concerned = registriesOf(run, item).concerns(toolName);
    const approvalId = approvalIdOf(run.pausedAs, key, item.agent, callId);
    const no = { decision: 'deny', reason, approvalId } as const;
    const message = concerned ? await deny(run, item, state, no) : reason;
    if (message !== undefined && message !== given) state.reject(item, { message });
  }
}

/**
 * Ends the calls that wait in a run which a hook has ended, or in that of an agent as a tool: nobody is asked any more,
 * and they are answered. Whether there were any.
 */
export async function cancelPending(run: HookedRun, state: SdkState): Promise<boolean> {
  let canceled = false;
  for (const item of state.getInterruptions()) {
    const stop = run.stop ?? ownerOf(run, item)?.stop;
    if (stop === undefined) continue;
    canceled = true;
    const answer = { decision: 'canceled', reason: stop.reason } as const;
    const concerned = registriesOf(run, item).concerns(identityOf(item).toolName);
    const message = concerned ? await deny(run, item, state, answer) : undefined;
    state.reject(item, { message: message ?? stop.reason });
  }
  return canceled;
}

function deny(
  run: HookedRun,
  item: SdkApprovalItem,
  { _context: context }: SdkState,
  { approvalId, ...answer }: Parameters<HookedRun['denyTool']>[1] & Pick<ToolCall, 'approvalId'>,
): Promise<string | undefined> {
  const owner = ownerOf(run, item) ?? run;
  const call = identityOf(item);
  const standing = standingOf(item.agent, call.toolName);
  const principal = standing.principalOfCall(owner, context.context);
  const described = { ...call, agent: item.agent.name, native: item, principal, approvalId };
  return owner.denyTool(described, answer, { inner: standing.attached() });
}

/** Whether hooks decide about one of the calls that wait. */
export function isDecided(run: HookedRun, state: SdkState): boolean {
  return state
    .getInterruptions()
    .some((item) => registriesOf(run, item).decides(BeforeToolCall, identityOf(item).toolName));
}

/** The registries that hook the call that waits. */
function registriesOf(run: HookedRun, item: SdkApprovalItem): Registries {
  return run.hookedBy.around(standingOf(item.agent, identityOf(item).toolName));
}
