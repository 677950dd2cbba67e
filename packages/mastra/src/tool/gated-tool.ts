import type { ToolCall, ToolCallOutcome } from '@hooks/core';
import { concerns, decidesResult } from '@hooks/core/adapter';
import {
  type AskOuter,
  answerToolCall,
  type Begun,
  beginToolCall,
  callTool,
  runNested,
} from '@hooks/core/tool-call';
import { type CoreTool, isEagerHandback, thrownByTool } from '../internals.ts';
import type { NativeToolCall } from '../native.ts';
import { noteStop, toolCallOf } from '../run/run.ts';
import { deliver } from '../translate.ts';
import { type CallContext, contextOf } from './context.ts';
import { Execution, Suspended } from './execution.ts';
import { type Link, linkOf } from './link.ts';
import type { Gate } from './native-hooks.ts';

/** A call on its way in; hooks that stand further out tell what to ask of them. */
type Step = (input: unknown, context: CallContext | undefined, outer?: AskOuter) => unknown;

/**
 * A tool as a run calls it, inside of gates of which the first stands outermost: the pipeline of a tool that is hooked
 * nowhere else, because Mastra has made it itself (`agent-*`, `workflow-*`, memory, workspace).
 */
export function gated(tool: CoreTool, gates: readonly Gate[]): CoreTool {
  const { execute } = tool;
  if (execute === undefined) return tool;
  const bare: Step = (input, context) => execute(input, context);
  const step = gates.reduceRight<Step>(
    (inner, gate) => (input, context, outer) => through(gate, inner, input, context, outer),
    bare,
  );
  return { ...tool, execute: (input, context = {}) => step(input, contextOf(context)) };
}

function through(
  gate: Gate,
  inner: Step,
  input: unknown,
  context: CallContext | undefined,
  outer: AskOuter | undefined,
): unknown {
  const link = linkOf(gate.hooks, context);
  // A hooked copy asks by itself.
  if (link === undefined || link.hookedAs !== undefined || link.gated || !concerns(gate.hooks, link.toolName))
    return inner(input, context, outer);
  link.gated = true;
  return call(gate, link, inner, input, context, outer);
}

async function call(
  { hooks, options }: Gate,
  link: Link,
  inner: Step,
  given: unknown,
  context: CallContext | undefined,
  outer: AskOuter | undefined,
): Promise<unknown> {
  const { run, toolName, callId = '' } = link;
  const { approval } = options;
  const hold = options.holdStream !== false && decidesResult(hooks, toolName);
  const paused = run.pausedGates?.get(callId);
  const execution = paused?.execution ?? new Execution();
  const taken = paused === undefined ? await run.approvals?.take(link.callId, toolName, given) : undefined;
  if (paused !== undefined) run.approvals?.ran(link.callId); // the answer was for what paused inside of it
  // Mastra may have added to the arguments since the model wrote them.
  const sent: unknown = taken === undefined ? (paused?.sent ?? given) : JSON.parse(taken.args);
  const isNew = taken?.begun === undefined && paused === undefined;
  const described: ToolCall = {
    ...toolCallOf(run, toolName, link.callId, sent),
    signal: context?.abortSignal ?? run.signal,
    native: { context } satisfies NativeToolCall,
    ...(isNew && (await run.approvals?.resumed(link.callId, toolName, sent))),
  };
  const ask = typeof approval === 'function';
  // It is not run again, elsewhere or under another name.
  let begun: Begun = taken?.begun ?? (await beginToolCall(hooks, described, { can: { ask } }));
  if (begun.kind === 'ask') begun = await answerToolCall(begun.token, { approval });
  const entered = execution.enter(context);
  let outcome: ToolCallOutcome;
  try {
    outcome = await callTool(
      hooks,
      described,
      (effective, running) =>
        execution.during(hold, () =>
          runNested(
            { running, approval, isControlFlow, outer },
            same(effective, sent) ? undefined : { input: effective },
            (left, asking) =>
              unwrapped(() =>
                inner(left === undefined ? given : withAdded(left.input, given, sent), entered, asking),
              ),
          ),
        ),
      { isControlFlow, begun },
    );
  } catch (error) {
    run.pausedGates ??= new Map();
    run.pausedGates.set(callId, { sent, execution });
    if (error instanceof Suspended) return error.output;
    throw error;
  }
  run.pausedGates?.delete(callId);
  await execution.settle(outcome);
  noteStop(run, outcome);
  return execution.deliver(deliver(outcome));
}

/** What a tool throws, without what Mastra puts around it; its own control flow as it is. */
async function unwrapped(attempt: () => unknown): Promise<unknown> {
  try {
    return await attempt();
  } catch (error) {
    throw isControlFlow(error) ? error : thrownByTool(error);
  }
}

function isControlFlow(error: unknown): boolean {
  return error instanceof Suspended || isEagerHandback(thrownByTool(error));
}

/** The input as hooks have left it, and what is given beyond what was sent. */
function withAdded(effective: unknown, given: unknown, sent: unknown): unknown {
  if (!isRecord(effective) || !isRecord(given) || !isRecord(sent)) return effective;
  const added = Object.entries(given).filter(([field]) => !(field in sent));
  return { ...Object.fromEntries(added), ...effective };
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
