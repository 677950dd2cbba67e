import type { ExecuteOptions, Hooks, InvalidInput, ToolCallOutcome } from '@hooks/core';
import { type AskOuter, callTool, type Rechecked } from '@hooks/core/tool-call';
import type { z } from 'zod';
import { approverOf, needOf, resumedOf } from './approval.ts';
import { hides, whereabouts } from './events.ts';
import { isPaused, runFurtherIn } from './nested.ts';
import { type Gate, outermostFirst, Paused, type Run, Stopped } from './run.ts';
import { messageOf, type Tool, text } from './tool.ts';
import { toolsOf } from './tools.ts';

/** Takes a call through every registry, outermost first, to the tool itself, which may have registries of its own. */
export async function hookedCall(
  run: Run,
  [gate, ...inner]: readonly Gate[],
  tool: Tool,
  input: unknown,
  callId: string | undefined,
  outer?: AskOuter,
): Promise<ToolCallOutcome | Plain> {
  const { faults, options } = run;
  if (gate === undefined) {
    const { hooks = [], ...bare } = tool;
    if (hooks.length > 0)
      return withOwnGates(run, hooks, (gates) => hookedCall(run, gates, bare, input, callId, outer));
    return { status: 'plain', output: await execute(run, tool, input) };
  }
  const check = faults.has('does not check a modified input') ? undefined : checkOf(tool);
  const given = faults.has('shows hooks the parsed input') ? tool.schema.parse(input) : input;
  // Core copies plain data; an instance of a class it cannot copy.
  const sent = faults.has('shows hooks its own objects') ? Object.assign(Object.create({}), given) : given;
  let ran: { readonly output: unknown } | undefined;
  const runInner = async (from: Tool, effective: unknown, running?: ExecuteOptions): Promise<unknown> => {
    if (ran !== undefined && faults.has('swallows Retry')) return ran.output;
    if (faults.has('waits for observers')) await gate.hooks.settled();
    const used = faults.has('drops a modified input') ? input : effective;
    try {
      const next = async (left: unknown, ask?: AskOuter) =>
        unwrap(run, await hookedCall(run, inner, from, left, callId, ask));
      const again = ran !== undefined;
      const output = await (running === undefined
        ? next(used)
        : runFurtherIn(run, { came: input, left: used, running, again, outer, anew }, next));
      ran = { output };
      if (faults.has('streams the output before hooks saw it')) run.show('tool_output', output);
      if (faults.has('keeps the raw output in memory'))
        run.history.push({ role: 'system', content: text(output) });
      return output;
    } catch (error) {
      if (faults.has('keeps the raw error in memory'))
        run.history.push({ role: 'system', content: messageOf(error) });
      throw error;
    }
  };
  const anew = async (other: unknown): Promise<Rechecked> => {
    const nothing = { ...tool, hooks: [], execute: () => undefined };
    const outcome = await hookedCall(run, [gate], nothing, other, callId, outer);
    return outcome.status === 'ok' || outcome.status === 'plain'
      ? { kind: 'run', input: other }
      : { kind: 'done', outcome };
  };
  const needsApproval = needOf(run, tool, callId);
  if (needsApproval !== undefined && faults.has('asks a person before the hooks')) throw new Paused();
  const call = {
    session: gate.session,
    ...whereabouts(run),
    toolName: tool.name,
    callId,
    parentCallId: run.parentCallId,
    input: sent,
    signal: hides(faults) ? undefined : options.signal,
    tool: { kind: tool.kind, description: tool.description, ref: tool } as const,
    needsApproval,
    resumed: resumedOf(run, callId),
  };
  const outcome = await callTool(
    gate.hooks,
    call,
    (effective, running) => runInner(tool, effective, running),
    {
      check: faults.has('asks hooks about invalid input') ? undefined : check,
      approval: approverOf(run),
      isControlFlow: isPaused,
      rename: (name) => {
        const other = toolsOf(run).find((known) => known.name === name);
        if (other === undefined) return `the agent has no tool "${name}"`;
        if (other.needsApproval && !faults.has('renames to what wants approval'))
          return `the tool "${name}" wants approval`;
        return {
          ...(check && { check: checkOf(other) }),
          execute: (effective, running) => runInner(other, effective, running),
        };
      },
    },
  );
  const failed = outcome.status === 'blocked' && outcome.message?.startsWith('Blocked, because');
  if (
    !outcome.ran &&
    outcome.status === 'blocked' &&
    (faults.has('runs blocked tools') || (failed && faults.has('runs tools of failed hooks')))
  )
    await runInner(tool, outcome.input);
  if (outcome.status === 'ok' && faults.has('drops a modified output'))
    return { ...outcome, output: ran?.output };
  return outcome;
}

/** With the registries of the tool itself, each with a session for this call; one that was asked further out is not asked again. */
async function withOwnGates<T>(
  { faults, gates: asked }: Run,
  hooks: readonly Hooks[],
  use: (gates: readonly Gate[]) => Promise<T>,
): Promise<T> {
  const own = faults.has('leaves a bare tool unhooked')
    ? []
    : outermostFirst(hooks, faults).filter(
        (one) => faults.has('asks twice where attached twice') || asked.every((gate) => gate.hooks !== one),
      );
  const gates = own.map((one) => ({ hooks: one, session: one.session() }));
  try {
    return await use(gates);
  } finally {
    for (const { session } of gates) await session.close();
  }
}

/** The output of a call without hooks. */
interface Plain {
  readonly status: 'plain';
  readonly output: unknown;
}

/** The output of a call; throws where it has none. */
export function unwrap(run: Run, outcome: ToolCallOutcome | Plain): unknown {
  if (outcome.status === 'plain') return outcome.output;
  if (outcome.stop) throw new Stopped(outcome.reason ?? '');
  switch (outcome.status) {
    case 'ok':
      return outcome.output;
    case 'blocked':
    case 'denied':
      throw new Refused(run.faults.has('hides the reason of a block') ? 'Refused.' : (outcome.message ?? ''));
    case 'error':
      throw outcome.error;
  }
}

/** A hook refused the call; its message is all that the model reads. */
export class Refused extends Error {}

async function execute(run: Run, tool: Tool, input: unknown): Promise<unknown> {
  const parsed = await tool.schema.safeParseAsync(input);
  if (!parsed.success) throw invalid(parsed.error);
  if (!run.faults.has('ignores an abort')) run.options.signal?.throwIfAborted();
  return tool.execute(parsed.data as never, { signal: run.options.signal });
}

function checkOf(tool: Tool): (input: unknown) => Promise<InvalidInput | undefined> {
  return async (input) => {
    const parsed = await tool.schema.safeParseAsync(input);
    return parsed.success ? undefined : { message: parsed.error.message, error: invalid(parsed.error) };
  };
}

function invalid(error: z.ZodError): Error {
  return new Error(`Invalid input: ${error.issues.map(({ message }) => message).join(' ')}`);
}
