import type { ToolCall } from '@hooks/core';
import { concerns, decidesResult } from '@hooks/core/adapter';
import { answerToolCall, beginToolCall, callTool, finishToolCall } from '@hooks/core/tool-call';
import type { ToolHooks } from '@mastra/core/tools';
import { type CallContext, callIdOf, contextOf } from './context.ts';
import { Execution } from './execution.ts';
import { thrownByTool } from './internals.ts';
import { type BegunGate, isTaken, type Link, leaveLink, linkOf } from './link.ts';
import type { NativeToolCall } from './native.ts';
import { type Attachment, bareRun, noteStop, type Run, toolCallOf } from './run.ts';
import type { ToolBelt } from './tool-belt.ts';
import { BlockedCallError, deliver, isBlocked, isValidationError, ReturnedError } from './translate.ts';

/** Where native hooks stand: in one run of an agent, or, without a run, in whatever calls the agent's tools. */
export interface Gate extends Attachment {
  readonly run?: Run;
  /** The hooked copies, which ask the hooks themselves. */
  readonly tools: ToolBelt;
}

/**
 * Mastra's native agent hooks: they run for every tool of an agent, however it came there, after Mastra's approval and
 * before the schema. For a hooked copy they only tell it what the model sent; for a tool that Mastra made itself
 * (`agent-*`, `workflow-*`, memory, workspace) they are the gate.
 */
export function nativeHooks(gate: Gate): Required<ToolHooks> {
  const { hooks } = gate;
  return {
    async beforeToolCall({ toolName, input, context }) {
      const call = contextOf(context);
      const callId = callIdOf(call);
      const heard = concerns(hooks, toolName);
      if (!heard) gate.run?.approvals?.ran(callId);
      if (!heard && gate.run === undefined) return;
      const run = gate.run ?? bareRun(hooks, call);
      const hookedAs = gate.tools.get(toolName)?.name;
      const isGate = hookedAs === undefined;
      // Left also where nobody hears of this call: it may make others, of tools that somebody does hear of.
      const link: Link = { hooks, run, toolName, hookedAs, callId, input, reached: isGate && !heard };
      leaveLink(call, link);
      if (isGate && heard) await begin(gate, link, call);
    },
    async afterToolCall({ output, error, context }) {
      const call = contextOf(context);
      const link = linkOf(hooks, call);
      if (link === undefined) return;
      try {
        if (link.begun?.execution.pauses()) keepGate(link, link.begun);
        else if (link.begun !== undefined) await finish(gate, link, link.begun, output, error);
        else if (!link.reached) await unreached(gate, link, call, output, error);
      } finally {
        await endBare(gate, link);
      }
      const thrown = thrownByTool(error);
      if (isBlocked(thrown)) throw thrown;
    },
  };
}

/** Closes what was opened for this call alone: a run of the agent is closed where it was started. */
async function endBare(gate: Gate, link: Link): Promise<void> {
  if (gate.run === undefined) await link.run.end?.();
}

async function begin(gate: Gate, link: Link, context: CallContext | undefined): Promise<void> {
  const { hooks, options } = gate;
  const { approval } = options;
  const approver = typeof approval === 'function' ? approval : undefined;
  const { run, callId, toolName, input } = link;
  const hold = options.holdStream !== false && decidesResult(hooks, toolName);
  link.begun = run.pausedGates?.get(callId ?? '');
  if (link.begun !== undefined) {
    link.begun.execution.enter(context);
    link.begun.execution.start(hold);
    run.approvals?.ran(callId); // the answer was for what paused inside of it
    return;
  }
  const taken = await run.approvals?.take(callId, toolName, input);
  let begun = taken?.begun;
  if (begun === undefined) {
    const approval = await run.approvals?.resumed(callId, toolName, input);
    begun = await beginToolCall(
      hooks,
      { ...toolCall(link, context), ...approval },
      { can: { ask: approver !== undefined } },
    );
  }
  if (begun.kind === 'ask' && approver !== undefined)
    begun = await answerToolCall(begun.token, { approval: approver });
  if (begun.kind === 'done') {
    noteStop(link.run, begun.outcome);
    await endBare(gate, link);
    deliver(begun.outcome);
  } else if (begun.kind === 'run') {
    const execution = new Execution();
    execution.enter(context);
    execution.start(hold);
    link.begun = { token: begun.token, execution };
    const effective = taken === undefined ? begun.input : withAdded(begun.input, input, taken.args);
    if (effective !== link.input) replaceInPlace(link.input, effective);
  }
}

function keepGate({ run, callId = '' }: Link, begun: BegunGate): void {
  run.pausedGates ??= new Map();
  run.pausedGates.set(callId, begun);
}

async function finish(
  gate: Gate,
  link: Link,
  { token, execution }: BegunGate,
  output: unknown,
  error: unknown,
): Promise<void> {
  const failed = isValidationError(output) ? new ReturnedError(output) : error;
  const thrown = thrownByTool(failed);
  const result = failed === undefined ? { output } : { error: thrown };
  const finished = await finishToolCall(gate.hooks, token, result);
  if (finished.kind !== 'done') return; // beginToolCall was told that it cannot be run again
  link.run.pausedGates?.delete(link.callId ?? '');
  await execution.settle(finished.outcome, failed === undefined ? output : thrown);
  noteStop(link.run, finished.outcome);
  const delivered = deliver(finished.outcome);
  if (delivered !== output) link.replaced = { output: delivered };
}

/** The hooked copy was not called: Mastra refused the input before, or hooks further out have answered the call. */
async function unreached(
  gate: Gate,
  link: Link,
  context: CallContext | undefined,
  output: unknown,
  error: unknown,
): Promise<void> {
  if (!concerns(gate.hooks, link.toolName)) return;
  if (isValidationError(output)) {
    const { run, callId, toolName, input } = link;
    const error = new ReturnedError(output);
    const { begun } = (await run.approvals?.take(callId, toolName, input)) ?? {};
    const outcome = await callTool(gate.hooks, toolCall(link, context), () => Promise.reject(error), {
      check: () => ({ message: output.message, error }),
      begun,
    });
    noteStop(run, outcome);
  } else if (error === undefined && !isTaken(context)) {
    throw new BlockedCallError(
      `The result is withheld, because "${link.toolName}" ran as a tool that is not hooked (two tools have that name).`,
    );
  }
}

function toolCall({ run, toolName, callId, input }: Link, context: CallContext | undefined): ToolCall {
  const call = toolCallOf(run, toolName, callId, input);
  return {
    ...call,
    signal: context?.abortSignal ?? run.signal,
    native: { context } satisfies NativeToolCall,
  };
}

/** What a call was begun with, and what Mastra has added to its arguments since. */
function withAdded(effective: unknown, given: unknown, args: string): unknown {
  const sent: unknown = JSON.parse(args);
  if (!isRecord(effective) || !isRecord(given) || !isRecord(sent)) return effective;
  const added = Object.entries(given).filter(([field]) => !(field in sent));
  return { ...Object.fromEntries(added), ...effective };
}

/** What Mastra hands to the tool is this very object. */
function replaceInPlace(target: unknown, value: unknown): void {
  if (!isRecord(target) || !isRecord(value))
    throw new BlockedCallError(
      'Not run, because a hook replaced an input that Mastra can only replace where it is an object with fields.',
    );
  for (const key of Object.keys(target)) if (!(key in value)) delete target[key];
  Object.assign(target, value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
