import type { ToolCall } from '@hooks/core';
import { concerns } from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';
import type { ToolHooks } from '@mastra/core/tools';
import { thrownByTool } from '../internals.ts';
import type { NativeToolCall } from '../native.ts';
import { type Attachment, bareRun, noteStop, type Run, toolCallOf } from '../run/run.ts';
import { BlockedCallError, isBlocked, isValidationError, ReturnedError } from '../translate.ts';
import type { ToolBelt } from './belt.ts';
import { type CallContext, callIdOf, contextOf } from './context.ts';
import { isTaken, type Link, leaveLink, linkOf } from './link.ts';

/** Where native hooks stand: in one run of an agent, or, without a run, in whatever calls the agent's tools. */
export interface Gate extends Attachment {
  readonly run?: Run;
  /** The hooked copies, which ask the hooks themselves. */
  readonly tools: ToolBelt;
}

/**
 * Mastra's native agent hooks: they run for every tool of an agent, however it came there, after Mastra's approval and
 * before the schema. For a hooked copy they only tell it what the model sent; for a tool that Mastra made itself
 * (`agent-*`, `workflow-*`, memory, workspace) they tell the gate inside of them.
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
    },
    async afterToolCall({ output, error, context }) {
      const call = contextOf(context);
      const link = linkOf(hooks, call);
      if (link === undefined) return;
      try {
        if (!link.reached && !link.gated) await unreached(gate, link, call, output, error);
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
