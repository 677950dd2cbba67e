import { failureText, PostedResults } from '@hooks/core/adapter';
import type { MastraDBMessage } from '@mastra/core/agent';
import type { ProcessInputArgs } from '@mastra/core/processors';
import type { Registries } from '../registries.ts';
import type { MastraRun } from './agent-run.ts';

/*
 * The messages of a run may be a history that a client has posted. Hooks decide on the results of tools in it that no run of
 * the session has produced: whoever should have run the tool, the client may have made them up.
 */

type Part = MastraDBMessage['content']['parts'][number];
type ToolPart = Extract<Part, { readonly type: 'tool-invocation' }>;

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
  if (run.ownsSession) return;
  const results = resultsOf(run);
  const parts = (run.messages?.() ?? []).flatMap(({ content }) => content.parts).filter(isToolPart);
  for (const part of parts) {
    const { toolName } = part.toolInvocation;
    const result = resultOf(part);
    if (result === undefined || !registriesOf(run, toolName).decidesResult(toolName)) continue;
    await results.remember(part, toolName);
    // A client may post it without what stands beside it.
    if (result.modelOutput !== undefined) await results.remember(withoutMetadata(part), toolName);
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
  const result = isToolPart(part) ? resultOf(part) : undefined;
  if (!isToolPart(part) || result === undefined) return part;
  const { toolCallId: callId, toolName, args: input } = part.toolInvocation;
  return resultsOf(run).decide({
    item: part,
    call: { callId, toolName, input, tool: run.tools.get(toolName)?.descriptor },
    result: { output: result.output },
    names: [calledName(part, calls)],
  });
}

function resultsOf(run: MastraRun): PostedResults<ToolPart> {
  return new PostedResults(run, {
    registriesOf: (toolName) => registriesOf(run, toolName),
    shown(part) {
      const { toolCallId, toolName, args } = part.toolInvocation;
      return [toolCallId, toolName, args, resultOf(part)];
    },
    write(part, outcome) {
      if (outcome.status !== 'ok') return withOutput(part, failureText(outcome));
      const { output, modelOutput } = resultOf(part) ?? {};
      const stands = outcome.output === output && modelOutput === undefined;
      return stands ? part : withOutput(part, outcome.output);
    },
    withhold: withOutput,
  });
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

function registriesOf(run: MastraRun, toolName = ''): Registries {
  const own = run.tools.get(toolName)?.setup.registries;
  return own === undefined ? run.hooked : run.hooked.around(own);
}

/** The part with another result. What stood beside it may hold the original one. */
function withOutput(part: ToolPart, result: unknown): ToolPart {
  const { toolCallId, toolName, args } = part.toolInvocation;
  const left = { state: 'result', toolCallId, toolName, args, result };
  return { ...withoutMetadata(part), toolInvocation: left } as ToolPart;
}

function withoutMetadata({ providerMetadata: _beside, ...part }: ToolPart): ToolPart {
  return part;
}

/** What the model reads of a result, and what it reads in place of the output. */
interface Result {
  readonly output: unknown;
  readonly modelOutput: unknown;
}

function resultOf({ toolInvocation, providerMetadata }: ToolPart): Result | undefined {
  const { state, result, errorText, approval }: AnyInvocation = toolInvocation;
  // The model reads why a call was denied as its result.
  const output = result ?? errorText ?? (state === 'output-denied' ? approval?.reason : undefined);
  const { modelOutput }: { readonly modelOutput?: unknown } = Object(providerMetadata?.['mastra']);
  if (output === undefined && modelOutput === undefined) return undefined;
  return { output: output ?? null, modelOutput };
}

/** What a tool part may hold in any of its states. */
interface AnyInvocation {
  readonly state: string;
  readonly result?: unknown;
  readonly errorText?: unknown;
  readonly approval?: { readonly reason?: unknown } | undefined;
}
