import { type Principal, sessionKey } from '@hooks/core';
import { isSamePrincipal } from '@hooks/core/adapter';
import { type Begun, hashInput, type RunCall } from '@hooks/core/tool-call';
import type { ModelMessage, ToolResultPart } from 'ai';
import type { Registries } from '../options.ts';
import type { HookedRun } from '../run/hooked-run.ts';
import type { SdkCall } from '../sdk.ts';
import { descriptorOf, type Hooked, type NativeToolCall } from './call.ts';
import { type MadeCall, resultOf, resultsOf } from './known-results.ts';

/** What is known of the results besides the messages. */
export interface ResultPlace {
  readonly tools: ReadonlyMap<string, Hooked>;
  /** The calls that people denied with this request: hooks have already heard of them. */
  readonly settled: ReadonlyMap<string, unknown>;
  /** The call that waits for approval and that a result answers. */
  readonly approve: (call: SdkCall) => Promise<Begun | undefined>;
}

/**
 * Runs the hooks of tool results on the results in messages. The SDK trusts them, but a client may have written them,
 * whoever should have run the tool. Those that this session has produced are not decided on again.
 *
 * @returns the messages, with the results as hooks left them
 */
export async function decideResults(
  run: HookedRun,
  messages: ModelMessage[],
  place: ResultPlace,
): Promise<ModelMessage[]> {
  const since = messages.findLastIndex(({ role }) => role === 'assistant');
  const calls = new Map<string, MadeCall>();
  let changed = false;
  const decide = async (result: ToolResultPart, at: number): Promise<ToolResultPart> => {
    const { toolCallId, output } = result;
    // What the last message says of a denied call is what hooks left of the denial.
    const isSettled = at === messages.length - 1 && place.settled.has(toolCallId);
    if (isSettled && output.type === 'execution-denied') return result;
    const brought = { result, call: calls.get(toolCallId), isNew: at > since };
    const decided = await decideResult(run, brought, place);
    changed ||= decided !== result;
    return decided;
  };
  const deciding = messages.map(async (message, at): Promise<ModelMessage> => {
    if (message.role === 'tool') {
      const content = message.content.map((part) => (part.type === 'tool-result' ? decide(part, at) : part));
      return { ...message, content: await Promise.all(content) };
    }
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    const content = message.content.map((part) => {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      return part.type === 'tool-result' ? decide(part, at) : part;
    });
    return { ...message, content: await Promise.all(content) };
  });
  const decided = await Promise.all(deciding);
  return changed ? decided : messages;
}

/** A result in messages. */
interface Brought {
  readonly result: ToolResultPart;
  /** The latest call before it that has its id. */
  readonly call: MadeCall | undefined;
  /** It stands behind the model's last answer. */
  readonly isNew: boolean;
}

async function decideResult(
  run: HookedRun,
  { result, call = { toolName: result.toolName, input: {} }, isNew }: Brought,
  { tools, approve }: ResultPlace,
): Promise<ToolResultPart> {
  const { toolCallId: callId } = result;
  const { toolName, input = {} } = call;
  const hooked = tools.get(toolName);
  const registries = run.registriesOf(hooked);
  const names = [result.toolName];
  const given = resultOf(result.output);
  if (given === undefined && result.toolName === toolName) return result;
  // The end of a call that waited for its client.
  const isAnswer = isNew && hooked !== undefined && hooked.tool.execute === undefined;
  const native: NativeToolCall | undefined = hooked && { tool: hooked.tool, options: undefined };
  const tool = hooked
    ? descriptorOf(hooked.tool)
    : call.providerExecuted
      ? ({ kind: 'hosted' } as const)
      : undefined;
  return resultsOf(run, tools, call).decide({
    item: result,
    call: { callId, toolName, input, tool, native },
    result: given ?? { output: undefined },
    names,
    ends: isAnswer && result.toolName === toolName && registries.concerns(toolName),
    async begun() {
      if (!isAnswer) return undefined;
      const approved = await approve({ toolCallId: callId, toolName, input });
      return approved === undefined || approved.kind === 'ask'
        ? takeBegun(run, registries, callId, call)
        : approved;
    },
  });
}

/** A call that the client runs, and that hooks have allowed. */
interface ClientCall {
  readonly toolName: string;
  /** The hash of the input that the client got. */
  readonly hash: string;
  readonly principal: Principal | undefined;
  readonly registries: Registries;
  readonly begun: RunCall;
}

/** The calls of a session that its client runs, by id. */
const CLIENT_CALLS = sessionKey<Map<string, ClientCall>>('@hooks/ai-sdk client calls');

/** The maximum number of them in a session. The results of older ones end as those of another process. */
const WAITING = 100;

/** Remembers a call that goes to the client, so that its result ends it. */
export async function keepBegun(
  run: HookedRun,
  hooked: Hooked,
  { toolCallId, input }: SdkCall,
  begun: RunCall,
): Promise<void> {
  const calls = run.session.get(CLIENT_CALLS, () => new Map());
  const { principal } = run;
  const registries = run.registriesOf(hooked);
  calls.delete(toolCallId);
  calls.set(toolCallId, {
    toolName: hooked.name,
    hash: await hashInput(input),
    principal,
    registries,
    begun,
  });
  for (const oldest of calls.keys()) {
    if (calls.size <= WAITING) return;
    calls.delete(oldest);
  }
}

/** The call that a result ends, if it began in this session, for this user and under the same hooks. */
async function takeBegun(
  { session, principal }: HookedRun,
  registries: Registries,
  callId: string,
  { toolName, input }: MadeCall,
): Promise<RunCall | undefined> {
  const calls = session.get(CLIENT_CALLS);
  const known = calls?.get(callId);
  if (known?.toolName !== toolName || !isSamePrincipal(known.principal, principal)) return undefined;
  if (!known.registries.hasSameHooks(registries)) return undefined;
  if (known.hash !== (await hashInput(input).catch(() => undefined))) return undefined;
  return calls?.delete(callId) ? known.begun : undefined;
}
