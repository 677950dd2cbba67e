import type { ToolCallOutcome } from '@hooks/core';
import { isKnownResult, rememberResult } from '@hooks/core/adapter';
import type { MastraDBMessage } from '@mastra/core/agent';
import type { ProcessInputArgs } from '@mastra/core/processors';
import type { Registries } from '../registries.ts';
import type { MastraRun } from './agent-run.ts';
import { inCore } from './run.ts';

/*
 * The messages of a run may be a history that a client has posted. Hooks decide on the results of tools in it that no run of
 * the session has produced: whoever should have run the tool, the client may have made them up.
 */

type Part = MastraDBMessage['content']['parts'][number];
type ToolPart = Extract<Part, { readonly type: 'tool-invocation' }>;

/** What the model reads of a result, and of which call. */
interface Result {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly output: unknown;
  /** What the model reads in place of the output. */
  readonly modelOutput: unknown;
}

/** Asks hooks about the results in the messages that a run was given. Those that memory recalled are not among them. */
export async function processResults(
  run: MastraRun,
  { messages, messageList }: ProcessInputArgs,
): Promise<ProcessInputArgs['messages']> {
  run.messages = () => messageList.get.all.db();
  const given = new Set(messageList.get.input.db().map(({ id }) => id));
  const plain = messages.map((message) => (given.has(message.id) ? withParts(message) : message));
  const calls = plain.flatMap(({ content }) => content.parts).filter(isToolPart);
  return Promise.all(
    plain.map((message, at) =>
      given.has(message.id) ? decided(run, message, calls) : (messages[at] ?? message),
    ),
  );
}

/** The message with the results of an older form among its parts, as a model would read them. */
function withParts(message: MastraDBMessage): MastraDBMessage {
  const { toolInvocations: old = [], ...content } = message.content;
  if (old.length === 0 || content.parts.some(isToolPart)) return message;
  const parts = old.map((toolInvocation): Part => ({ type: 'tool-invocation', toolInvocation }));
  return { ...message, content: { ...content, parts: [...parts, ...content.parts] } };
}

/** Remembers the results of a run that is over or has paused. */
export async function rememberResults(run: MastraRun): Promise<void> {
  // The session of a run without a thread is over with it.
  if (run.ownsSession) return;
  for (const { content } of run.messages?.() ?? [])
    for (const part of content.parts) {
      const result = resultOf(part);
      if (result === undefined || !isDecided(run, result.toolName)) continue;
      await rememberResult(placeOf(run, result), shown(result));
      // A client may post it without what stands beside it.
      if (result.modelOutput !== undefined)
        await rememberResult(placeOf(run, result), shown({ ...result, modelOutput: undefined }));
    }
}

async function decided(
  run: MastraRun,
  message: MastraDBMessage,
  calls: readonly ToolPart[],
): Promise<MastraDBMessage> {
  const { content } = message;
  const parts = await Promise.all(content.parts.map((part) => decidedPart(run, part, calls)));
  if (parts.every((part, at) => part === content.parts[at])) return message;
  // A copy of the results in an older form.
  const { toolInvocations: _old, ...rest } = content;
  return { ...message, content: { ...rest, parts } };
}

async function decidedPart(run: MastraRun, part: Part, calls: readonly ToolPart[]): Promise<Part> {
  const result = resultOf(part);
  if (result === undefined) return part;
  const { callId, toolName, input, output, modelOutput } = result;
  const called = calledName(part as ToolPart, calls);
  if (!isDecided(run, toolName) && !isDecided(run, called)) return part;
  if (await isKnownResult(placeOf(run, result), shown(result))) return part;
  if (called !== toolName)
    return withOutput(
      part as ToolPart,
      'The result is withheld: it names another tool than the call that it answers.',
    );
  const hooked = run.tools.get(toolName);
  const outcome = await run.finishTool(
    { callId, toolName, input, tool: hooked?.descriptor },
    { output },
    { inner: hooked === undefined ? [] : inCore(hooked.setup.registries) },
  );
  const stands = outcome.status === 'ok' && outcome.output === output && modelOutput === undefined;
  const left = stands ? part : withOutput(part as ToolPart, textOrOutput(outcome));
  const known = resultOf(left);
  if (known !== undefined && !run.ownsSession)
    await rememberResult(placeOf(run, known), shown(known), { ifRoom: true });
  return left;
}

/** The tool of the call that a result answers: the nearest one of that id before it, or behind it. */
function calledName(part: ToolPart, calls: readonly ToolPart[]): string {
  const { toolCallId, toolName } = part.toolInvocation;
  const at = calls.indexOf(part);
  const isOther = (other: ToolPart): boolean =>
    other !== part && other.toolInvocation.toolCallId === toolCallId;
  const call = calls.slice(0, at).findLast(isOther) ?? calls.slice(at).find(isOther);
  return call?.toolInvocation.toolName ?? toolName;
}

function isToolPart(part: Part): part is ToolPart {
  return part.type === 'tool-invocation';
}

function isDecided(run: MastraRun, toolName: string): boolean {
  return registriesOf(run, toolName).decidesResult(toolName);
}

function placeOf(run: MastraRun, { toolName }: Pick<Result, 'toolName'>) {
  return { session: run.session, registries: inCore(registriesOf(run, toolName)), toolName };
}

function registriesOf(run: MastraRun, toolName: string): Registries {
  const own = run.tools.get(toolName)?.setup.registries;
  return own === undefined ? run.hooked : run.hooked.around(own);
}

function textOrOutput({ status, output, message, error }: ToolCallOutcome): unknown {
  if (status === 'ok') return output;
  return message ?? (error instanceof Error ? error.message : String(error));
}

/** The part with another result. What stood beside it may hold the original one. */
function withOutput({ toolInvocation, ...part }: ToolPart, result: unknown): Part {
  const { toolCallId, toolName, args } = toolInvocation;
  const { providerMetadata: _beside, ...rest } = part;
  return { ...rest, toolInvocation: { state: 'result', toolCallId, toolName, args, result } } as Part;
}

function resultOf(part: Part): Result | undefined {
  if (!isToolPart(part)) return undefined;
  const { toolInvocation, providerMetadata } = part;
  const { toolCallId: callId, toolName, args: input } = toolInvocation;
  const { state, result, errorText, approval }: AnyInvocation = toolInvocation;
  // The model reads why a call was denied as its result.
  const output = result ?? errorText ?? (state === 'output-denied' ? approval?.reason : undefined);
  const { modelOutput }: { readonly modelOutput?: unknown } = Object(providerMetadata?.['mastra']);
  if (output === undefined && modelOutput === undefined) return undefined;
  return { callId, toolName, input, output: output ?? null, modelOutput };
}

/** What a tool part may hold in any of its states. */
interface AnyInvocation {
  readonly state: string;
  readonly result?: unknown;
  readonly errorText?: unknown;
  readonly approval?: { readonly reason?: unknown } | undefined;
}

function shown({ callId, toolName, input, output, modelOutput }: Result): unknown {
  return JSON.parse(JSON.stringify([callId, toolName, input ?? null, output, modelOutput ?? null]));
}
