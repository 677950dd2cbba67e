import type { ToolCallOutcome } from '@hooks/core';
import { decidesResult, isKnownResult, rememberResult } from '@hooks/core/adapter';
import type { MastraDBMessage } from '@mastra/core/agent';
import type { ProcessInputArgs } from '@mastra/core/processors';
import type { MastraRun } from './agent-run.ts';
import { attachedTo } from './run.ts';

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
  return Promise.all(messages.map((message) => (given.has(message.id) ? decided(run, message) : message)));
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

async function decided(run: MastraRun, message: MastraDBMessage): Promise<MastraDBMessage> {
  const { content } = message;
  const parts = await Promise.all(content.parts.map((part) => decidedPart(run, part)));
  if (parts.every((part, at) => part === content.parts[at])) return message;
  // A copy of the results in an older form.
  const { toolInvocations: _old, ...rest } = content;
  return { ...message, content: { ...rest, parts } };
}

async function decidedPart(run: MastraRun, part: Part): Promise<Part> {
  const result = resultOf(part);
  if (result === undefined || !isDecided(run, result.toolName)) return part;
  if (await isKnownResult(placeOf(run, result), shown(result))) return part;
  const { callId, toolName, input, output, modelOutput } = result;
  const hooked = run.tools.get(toolName);
  const inner = hooked?.setup.registries.filter(
    ({ hooks }) => !run.hooked.some((one) => one.hooks === hooks),
  );
  const outcome = await run.finishTool(
    { callId, toolName, input, tool: hooked?.descriptor },
    { output },
    { inner: attachedTo(inner ?? []) },
  );
  const stands = outcome.status === 'ok' && outcome.output === output && modelOutput === undefined;
  const left = stands ? part : withOutput(part as ToolPart, textOrOutput(outcome));
  const known = resultOf(left);
  if (known !== undefined && !run.ownsSession)
    await rememberResult(placeOf(run, known), shown(known), { ifRoom: true });
  return left;
}

function isDecided(run: MastraRun, toolName: string): boolean {
  return placeOf(run, { toolName }).registries.some(({ hooks }) => decidesResult(hooks, toolName));
}

function placeOf(run: MastraRun, { toolName }: Pick<Result, 'toolName'>) {
  const registries = [...run.hooked, ...(run.tools.get(toolName)?.setup.registries ?? [])];
  return { session: run.session, registries, toolName };
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
  if (part.type !== 'tool-invocation') return undefined;
  const { toolInvocation, providerMetadata }: ToolPart = part;
  const { toolCallId: callId, toolName, args: input } = toolInvocation;
  const { result, errorText }: { readonly result?: unknown; readonly errorText?: unknown } = toolInvocation;
  const output = result ?? errorText;
  const { modelOutput }: { readonly modelOutput?: unknown } = Object(providerMetadata?.['mastra']);
  if (output === undefined && modelOutput === undefined) return undefined;
  return { callId, toolName, input, output: output ?? null, modelOutput };
}

function shown({ callId, toolName, input, output, modelOutput }: Result): unknown {
  return JSON.parse(JSON.stringify([callId, toolName, input ?? null, output, modelOutput ?? null]));
}
