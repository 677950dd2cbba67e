import { type Principal, sessionKey } from '@hooks/core';
import { Attachment, isSamePrincipal } from '@hooks/core/adapter';
import {
  type Begun,
  hashInput,
  type RunCall,
  type ToolCallOutcome,
  type ToolResult,
} from '@hooks/core/tool-call';
import type { ModelMessage, ToolResultPart } from 'ai';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/hooked-run.ts';
import type { SdkCall } from '../sdk.ts';
import { descriptorOf, type Hooked, type NativeToolCall } from './call.ts';
import { isKnown, jsonOutput, type MadeCall, remember } from './known-results.ts';

type Output = ToolResultPart['output'];

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
  const { toolCallId: callId, output } = result;
  const { toolName, input = {} } = call;
  const hooked = tools.get(toolName);
  const registries = run.registriesOf(hooked);
  // The end of a call that waited for its client; what only looks on hears of each result once.
  const isAnswer = isNew && hooked !== undefined && hooked.tool.execute === undefined;
  if (result.toolName !== toolName)
    return [toolName, result.toolName].some((name) => registries.decidesResult(name))
      ? withheld(result, OTHER_TOOL)
      : result;
  if (!registries.decidesResult(toolName) && !(isAnswer && registries.concerns(toolName))) return result;
  if (await isKnown(run, tools, result, call)) return result;
  const given = resultOf(output);
  if (given === undefined) return result;
  const approved = isAnswer ? await approve({ toolCallId: callId, toolName, input }) : undefined;
  if (approved?.kind === 'done') return withheld(result, approved.outcome.message ?? '');
  const begun =
    approved?.kind === 'run'
      ? approved
      : isAnswer
        ? await takeBegun(run, registries, callId, call)
        : undefined;
  const native: NativeToolCall | undefined = hooked && { tool: hooked.tool, options: undefined };
  const tool = hooked
    ? descriptorOf(hooked.tool)
    : call.providerExecuted
      ? ({ kind: 'hosted' } as const)
      : undefined;
  const inner = run.inner(hooked?.own ?? Attachment.none);
  const outcome = await run.finishTool({ callId, toolName, input, tool, native }, given, { inner, begun });
  const decided = written(result, given, outcome);
  await remember(run, tools, decided, call, { ifRoom: true });
  return decided;
}

const OTHER_TOOL = 'The result is withheld: it names another tool than the call that it answers.';

/** The error that a client reports for its tool, or why it did not run it. */
class ClientError extends Error {}

/** What a tool returned or threw, as hooks see it. Undefined if the model reads nothing of it. */
function resultOf(output: Output): ToolResult | undefined {
  switch (output.type) {
    case 'error-text':
    case 'error-json': {
      const { value } = output;
      return { error: new ClientError(typeof value === 'string' ? value : JSON.stringify(value)) };
    }
    case 'execution-denied':
      return output.reason === undefined ? undefined : { error: new ClientError(output.reason) };
    default:
      return { output: output.value };
  }
}

/** A result as hooks left it. */
function written(part: ToolResultPart, given: ToolResult, outcome: ToolCallOutcome): ToolResultPart {
  if (outcome.status === 'ok') {
    const same = 'output' in given && outcome.output === given.output;
    return same ? part : { ...part, output: outputOf(outcome.output, part.output) };
  }
  const { error, message = error instanceof Error ? error.message : String(error) } = outcome;
  return error instanceof ClientError ? part : withheld(part, message);
}

function withheld(part: ToolResultPart, value: string): ToolResultPart {
  if (part.output.type === 'execution-denied')
    return { ...part, output: { type: 'execution-denied', reason: value } };
  return { ...part, output: { type: 'error-text', value } };
}

function outputOf(value: unknown, given: Output): Output {
  const { type } = given;
  const kept = type !== 'content' && given.providerOptions && { providerOptions: given.providerOptions };
  if (typeof value === 'string') return { type: 'text', value, ...kept };
  const json = jsonOutput(value);
  return type === 'content' && Array.isArray(json.value) && json.value.every(isContentPart)
    ? { type, value: json.value }
    : { ...json, ...kept };
}

function isContentPart(value: unknown): boolean {
  return typeof Reflect.get(Object(value), 'type') === 'string';
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
