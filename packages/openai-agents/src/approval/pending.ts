import type { ApprovalAnswer, Hooks } from '@hooks/core';
import { concerns, refusalText } from '@hooks/core/adapter';
import { answerToolCall, beginToolCall, hashInput } from '@hooks/core/tool-call';
import {
  isAgentTool,
  isFunctionTool,
  type SdkAgent,
  type SdkApprovalItem,
  type SdkContext,
  type SdkFunctionTool,
  type SdkState,
} from '../internals.ts';
import type { Opened } from '../run/run.ts';
import { common, noteStop, type Scope } from '../run/scope.ts';
import { keptScopes } from '../run/single-call.ts';
import { reach } from '../tool/agents.ts';
import { isHooked } from '../tool/hooked-copy.ts';
import { parseInput } from '../translate.ts';
import { approvalReason } from './decisions.ts';
import { textOf } from './mcp-binding.ts';
import { waiting } from './pending-calls.ts';

/** A call that waits for a person. */
export interface PendingApproval {
  readonly callId: string;
  readonly toolName: string;
  /** The effective input: what will run after a yes. */
  readonly input: unknown;
  readonly reason: string;
  /** Hash of the effective input. */
  readonly hash: string;
}

const paused: WeakMap<object, Map<Hooks, Opened>> = new WeakMap();

/** Keeps a run that has paused with its state. */
export function remember(state: SdkState, hooks: Hooks, opened: Opened): void {
  const runs = paused.get(state) ?? new Map<Hooks, Opened>();
  runs.set(hooks, opened);
  paused.set(state, runs);
}

/** The run that has paused with that state in this process, to be taken up now; if that fails, it is not the same any more. */
export function recall(state: SdkState, hooks: Hooks): Opened | undefined {
  const runs = paused.get(state);
  const opened = runs?.get(hooks);
  runs?.delete(hooks);
  return opened;
}

/**
 * The calls of a run that wait for a person, also of agents as tools. A state that another process has saved no longer
 * tells why.
 *
 * @param resultOrState what `run` gave, or a `RunState`
 * @example
 * ```ts
 * for (const call of await pendingApprovals(result)) console.log(call.toolName, call.input, call.reason);
 * ```
 */
export async function pendingApprovals(resultOrState: object): Promise<readonly PendingApproval[]> {
  const state = stateOf(resultOrState);
  const ofRuns = [...(paused.get(state)?.values() ?? [])].map(({ scope }) => scope);
  const scopes = [...ofRuns, ...keptScopes(state._context).map(({ scope }) => scope)];
  return Promise.all(
    state.getInterruptions().map(async (item) => {
      const callId = callIdOf(item);
      const found = scopes.map((scope) => begunOf(scope, item)).find((call) => call !== undefined);
      const toolName = nameOf(item);
      if (found !== undefined) {
        const { input, reason, hash } = found.begun.request;
        return { callId, toolName, input, reason, hash };
      }
      const input = inputOf(item);
      return {
        callId,
        toolName,
        input,
        reason: approvalReason(toolName),
        hash: await hashInput(input),
      };
    }),
  );
}

function stateOf(resultOrState: object): SdkState {
  const state: unknown = 'state' in resultOrState ? resultOrState.state : resultOrState;
  if (typeof state === 'object' && state !== null && 'getInterruptions' in state) return state as SdkState;
  throw new TypeError('pendingApprovals takes what `run` gave, or a RunState.');
}

/** The tool's name, as the model sees it; the SDK puts that of its namespace before it. */
function nameOf({ name = '', rawItem }: SdkApprovalItem): string {
  return rawItem.type === 'function_call' ? (rawItem.name ?? name) : name;
}

/** What the model wrote; of a call that the provider would make, what the provider has sent. */
function inputOf({ arguments: written, rawItem }: SdkApprovalItem): unknown {
  return parseInput(written ?? rawItem.providerData?.arguments ?? '');
}

/** The call as it was begun in this process. */
function begunOf(scope: Scope, item: SdkApprovalItem): ReturnType<typeof waiting> {
  const input = JSON.stringify(inputOf(item));
  return waiting(
    scope,
    callIdOf(item),
    ({ calls: { tool, place }, input: written }) =>
      tool.name === nameOf(item) &&
      (place.agent ?? item.agent).name === item.agent.name &&
      JSON.stringify(written) === input,
  );
}

function callIdOf({ rawItem }: SdkApprovalItem): string {
  const id: unknown = Reflect.get(rawItem, 'callId') ?? Reflect.get(rawItem, 'id');
  return String(id);
}

/**
 * Approves calls of hooked tools whose arguments are no JSON object, which the SDK wants a person to see where approval
 * depends on the arguments: they cannot run, and the SDK or the pipeline answers them with what is wrong. Whether there
 * were any.
 */
export function approveMalformed(state: SdkState, hooks: Hooks): boolean {
  const malformed = state.getInterruptions().filter((item) => {
    const input = inputOf(item);
    const runnable = typeof input === 'object' && input !== null && !Array.isArray(input);
    return !runnable && item.rawItem.type === 'function_call' && concerns(hooks, nameOf(item));
  });
  for (const item of malformed) state.approve(item);
  return malformed.length > 0;
}

/** A person's no: the call ends, hooks are told of it, and the model reads what they have made of the reason. */
export async function settleRejections(scope: Scope, state: SdkState): Promise<void> {
  const { hooks } = scope.attached;
  const context = state._context;
  for (const item of state.getInterruptions()) {
    const callId = callIdOf(item);
    const key = item.functionToolStateKey ?? nameOf(item);
    // Of other kinds of tools decisions are kept for all agents.
    const agent = item.rawItem.type === 'function_call' ? item.agent : undefined;
    const refused = context.isToolApproved({ toolName: key, callId, agent }) === false;
    if (!refused || !concerns(hooks, nameOf(item))) continue;
    const reason = context.getRejectionMessage(key, callId);
    const message = await deny(scope, item, {
      decision: 'deny',
      ...(reason !== undefined && { reason }),
    });
    if (message !== undefined && message !== reason) state.reject(item, { message });
  }
}

/**
 * Ends the calls that wait in a run which a hook has ended, or in that of an agent as a tool: nobody is asked any more,
 * and they are answered. Whether there were any.
 */
export async function cancelPending(scope: Scope, state: SdkState): Promise<boolean> {
  let canceled = false;
  for (const item of state.getInterruptions()) {
    const reason = scope.stop ?? begunOf(scope, item)?.scope.stop;
    if (reason === undefined) continue;
    canceled = true;
    const answer = { decision: 'canceled', reason } as const;
    const message = concerns(scope.attached.hooks, nameOf(item))
      ? await deny(scope, item, answer)
      : undefined;
    state.reject(item, { message: message ?? reason });
  }
  return canceled;
}

async function deny(
  scope: Scope,
  item: SdkApprovalItem,
  answer: ApprovalAnswer,
): Promise<string | undefined> {
  const { hooks } = scope.attached;
  const callId = callIdOf(item);
  const { reason } = answer;
  const found = begunOf(scope, item);
  const begun =
    found?.begun ??
    (await beginToolCall(hooks, {
      ...common(scope),
      agent: item.agent.name,
      toolName: nameOf(item),
      callId,
      input: inputOf(item),
      resumed: { decision: 'deny', ...(reason !== undefined && { reason }) },
      native: item,
    }));
  // The session may know it as one that waits, also where the state was restored.
  const ended = begun.kind === 'ask' ? await answerToolCall(begun.token, answer) : begun;
  found?.scope.begun?.delete(callId);
  if (ended.kind !== 'done') return undefined;
  noteStop(found?.scope ?? scope, ended.outcome);
  return refusalText(ended.outcome, reason);
}

/**
 * A state whose tools are hooked. The SDK looks tools up, and searches for them again, when a state is restored, which
 * may have been before the hooks were attached.
 */
export async function rehydrated(agent: SdkAgent, state: SdkState, hooks: Hooks): Promise<SdkState> {
  const pending = (state._lastProcessedResponse?.functions ?? []).map(({ tool }) => tool);
  const searchers = [...state._toolSearchRuntimeToolsByAgent.keys()];
  const found = searchers.flatMap((searcher) => state.getToolSearchRuntimeTools(searcher));
  const tools = [...pending, ...found.filter(isFunctionTool)];
  const apply = (tool: SdkFunctionTool) => isAgentTool(tool) || concerns(hooks, tool.name);
  if (tools.every((tool) => isHooked(tool, hooks) || !apply(tool))) return state;
  reach(state._currentAgent);
  // The class of the state is that of the SDK's copy which made it.
  const restore = Reflect.get(state.constructor, 'fromStringWithContext') as Restore;
  return restore.call(state.constructor, agent, textOf(state), state._context);
}

type Restore = (agent: SdkAgent, text: string, context: SdkContext) => Promise<SdkState>;
