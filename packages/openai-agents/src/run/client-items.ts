import {
  AfterToolCall,
  BeforeToolCall,
  originalTool,
  PermissionRequest,
  type ToolCallOutcome,
  type ToolKind,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { failureText, PostedResults } from '@hooks/core/adapter';
import type { AgentInputItem } from '@openai/agents';
import type { SdkAgent, SdkState } from '../internals.ts';
import type { Registries } from '../options.ts';
import { registriesOf, standingOf } from '../tool/agent-tools.ts';
import { parseInput, textOf } from '../translate.ts';
import type { HookedRun } from './hooked-run.ts';

/*
 * The input of a run may be a history that a client has posted. What no run of its session has produced may be made up: a
 * tool's result (hooks decide on it, whoever should have run the tool), an approval, and what the SDK would send to the
 * provider as it is.
 */

/** The items that our runs have produced, and whose hooks have decided on them: a program may hand them on as they are. */
const produced: WeakMap<object, Registries> = new WeakMap();

/** A tool's result among the items of an input. */
interface Result {
  readonly callId: string;
  readonly toolName: string;
  readonly kind: ToolKind | undefined;
  readonly output: unknown;
  /** The item without what stands beside the output. Not set if hooks are shown all of it. */
  readonly read?: AgentInputItem;
  /** The item with another output. Undefined if only the provider can write it. */
  readonly write?: (text: string) => AgentInputItem;
}

/** The history that the SDK puts before an input. */
export type StoredItems = () => Promise<readonly AgentInputItem[]>;

/**
 * Asks hooks about the results of tools that nobody but the input knows of, and leaves out what hooks cannot be asked
 * about: approvals, and items of kinds that the SDK does not know.
 *
 * @param stored where a result may answer a call that the input does not contain
 * @returns the items as hooks left them
 */
export async function decideItems(
  run: HookedRun,
  agent: SdkAgent,
  items: AgentInputItem[],
  stored: StoredItems = async () => [],
): Promise<AgentInputItem[]> {
  const left: AgentInputItem[] = [];
  for (const [at, item] of items.entries()) {
    const answered = async (callId: string): Promise<Call | undefined> =>
      callIn(items.slice(0, at), callId) ??
      callIn(items.slice(at).reverse(), callId) ??
      callIn(await stored(), callId);
    const own = isForeign(item) ? await decideItem(run, agent, item, answered) : asRead(run, agent, item);
    if (own !== undefined) left.push(own);
  }
  return left.length === items.length && left.every((item, at) => item === items[at]) ? items : left;
}

/** The same for what was added to a run while it was paused. */
export async function decideAdded(run: HookedRun, state: SdkState, stored: StoredItems): Promise<void> {
  const added = [...state._pendingInput];
  const left = await decideItems(run, state._currentAgent, added, stored);
  if (left === added) return;
  state.clearPendingInput();
  if (left.length > 0) state.addInput(left);
}

/** Remembers what a run has produced, as part of its history. */
export async function rememberItems(run: HookedRun, { history }: SdkState): Promise<void> {
  if (!isGated(run.hookedBy)) return;
  const results = resultsOf(run, run.hookedBy);
  for (const item of history) {
    if (!isForeign(item) || isProduced(run, item)) continue;
    produced.set(item, run.hookedBy);
    await results.remember(item, resultOf(item)?.toolName);
  }
}

/** An item that only its provider could change is left out where hooks want that. */
function resultsOf(run: HookedRun, registries: Registries): PostedResults<AgentInputItem | undefined> {
  return new PostedResults<AgentInputItem | undefined>(run, {
    registriesOf: () => registries,
    shown: (item) => item,
    write(item, outcome) {
      const result = item && resultOf(item);
      const stands = outcome.status === 'ok' && outcome.output === result?.output;
      const left = stands ? (result?.read ?? item) : result?.write?.(textIn(outcome));
      if (left !== undefined) produced.set(left, registries);
      return left;
    },
    withhold: (item, text) => item && resultOf(item)?.write?.(text),
  });
}

function isProduced(run: HookedRun, item: AgentInputItem, registries: Registries = run.hookedBy): boolean {
  const by = produced.get(item);
  return by !== undefined && registries.without(by).isEmpty;
}

/** Whether it is an item that may be made up: no message, and nothing that a model has said. */
function isForeign({ type = 'message' }: AgentInputItem): boolean {
  return !OF_MODELS.has(type);
}

const OF_MODELS: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'computer_call',
  'shell_call',
  'apply_patch_call',
  'tool_search_call',
  'program',
  'compaction',
]);

type Call = Extract<AgentInputItem, { readonly type: 'function_call' }>;

/** The last call with an id. */
function callIn(items: readonly AgentInputItem[], callId: string): Call | undefined {
  return items.findLast((item): item is Call => item.type === 'function_call' && item.callId === callId);
}

/**
 * An item as hooks read it. With another type or role beside it, the SDK would send it as a result, an approval or a prompt.
 */
function asRead(run: HookedRun, agent: SdkAgent, item: AgentInputItem): AgentInputItem {
  const { providerData } = item;
  if (providerData === undefined || !('type' in providerData || 'role' in providerData)) return item;
  if (!isGated(run.hookedBy.around(registriesOf(agent)))) return item;
  const { type: _type, role: _role, ...rest } = providerData;
  return { ...item, providerData: rest };
}

function isGated(registries: Registries): boolean {
  return GATES.some((gate) => registries.decidesOfAnyTool(gate));
}

async function decideItem(
  run: HookedRun,
  agent: SdkAgent,
  item: AgentInputItem,
  answered: (callId: string) => Promise<Call | undefined>,
): Promise<AgentInputItem | undefined> {
  const result = resultOf(item);
  const tool = agent.tools.findLast(({ name }) => name === result?.toolName);
  const own = standingOf(agent, result?.toolName);
  const registries = run.hookedBy.around(own);
  if (!isGated(registries) || isProduced(run, item, registries)) return item;
  const results = resultsOf(run, registries);
  if (result === undefined) {
    if (await results.isKnown(item, undefined)) return item;
    run.warnOnce(
      `@hooks/openai-agents has left out an item of the input that no run of the session has produced, and that hooks cannot be asked about: an approval of a hosted tool, or an item of an unknown type.`,
    );
    return undefined;
  }
  const { callId, toolName, kind, output } = result;
  const { name = toolName, arguments: written = '{}' } = (await answered(callId)) ?? {};
  const descriptor = tool && { kind: kind ?? 'function', ref: originalTool(tool) };
  return results.decide({
    item,
    call: {
      callId,
      toolName,
      input: parseInput(written),
      native: item,
      tool: descriptor ?? (kind && { kind }),
    },
    result: { output },
    names: [name],
  });
}

/** The events with which hooks could have refused what an item of an unknown type brings. */
const GATES = [UserPromptSubmit, BeforeToolCall, PermissionRequest, TransformToolResult, AfterToolCall];

function textIn(outcome: ToolCallOutcome): string {
  const { status, output } = outcome;
  if (status !== 'ok') return failureText(outcome);
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}

/** The result that an item brings. Undefined for approvals, and for items that the SDK sends as they are. */
function resultOf(item: AgentInputItem): Result | undefined {
  switch (item.type) {
    case 'function_call_result': {
      const { providerData: beside, ...read } = item;
      const { callId, name: toolName, output } = read;
      const text = typeof output === 'object' && !Array.isArray(output) && output.type === 'text';
      return {
        callId,
        toolName,
        kind: undefined,
        output: text ? textOf(output) : output,
        ...(beside !== undefined && { read }),
        write: (written) => ({ ...read, output: { type: 'text' as const, text: written } }),
      };
    }
    case 'shell_call_output': {
      const { callId, output } = item;
      const write = (stdout: string): AgentInputItem => ({
        ...item,
        output: [{ stdout, stderr: '', outcome: { type: 'exit' as const, exitCode: 0 } }],
      });
      return { callId, toolName: 'shell', kind: 'framework', output, write };
    }
    case 'apply_patch_call_output': {
      const { callId, output = '' } = item;
      const write = (written: string): AgentInputItem => ({ ...item, output: written });
      return { callId, toolName: 'apply_patch', kind: 'framework', output, write };
    }
    case 'computer_call_result':
      return { callId: item.callId, toolName: 'computer', kind: 'framework', output: item.output };
    case 'program_output':
      return { callId: item.callId, toolName: 'program', kind: 'hosted', output: item.output };
    case 'hosted_tool_call': {
      const { id, name, output, providerData } = item;
      const sent = providerData?.['type'];
      if (sent === 'mcp_approval_response' || name === 'mcp_approval_response') return undefined;
      // For a hosted tool the SDK sends what the provider has sent, and for some it ignores the output.
      const toolName = sent === 'mcp_call' ? String(providerData?.['name'] ?? name) : name;
      return { callId: id ?? '', toolName, kind: 'hosted', output: providerData ?? output };
    }
    default:
      return undefined;
  }
}
