import { type InvalidInput, type ToolCallOutcome, UserInputRequired } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { z } from 'zod';
import type { SubagentSpec } from '../../src/index.ts';
import { approverOf, needOf, resumedOf } from './approval.ts';
import { dispatch, hides, whereabouts } from './events.ts';
import type { Spoken } from './model.ts';
import { type Gate, Paused, type Run, Stopped } from './run.ts';
import { runSubagent } from './subagent.ts';
import { frameworkTool, type Tool } from './tool.ts';

export type Called = Spoken['toolCalls'][number];

/** The tools of the agent that has control. */
export function toolsOf(run: Run): readonly Tool[] {
  const { tools, subagents = [], handoffs = [], frameworkTool: own } = run.spec;
  return [
    ...tools.map((tool) => ({ kind: 'function' as const, ...tool })),
    ...run.mcpTools,
    ...(own === undefined ? [] : [frameworkTool(own)]),
    ...subagents.map((sub) => agentTool(run, sub)),
    ...handoffs.map(({ name, description }) => transferTool(name, description)),
  ];
}

function agentTool(run: Run, sub: SubagentSpec): Tool {
  return {
    name: sub.name,
    description: sub.description,
    kind: 'agent',
    schema: z.object({ task: z.string() }),
    execute: ({ task }: { readonly task: string }) => runSubagent(run, sub, task),
  };
}

/** Control passes when the turn is over; the call itself does nothing, and is no tool call for hooks. */
function transferTool(name: string, description: string): Tool {
  const execute = () => `${name} has control.`;
  return { name: `transfer_to_${name}`, description, kind: 'hosted', schema: z.object({}), execute };
}

/** Runs the calls of a turn, all at once, and answers each in the history once none of them waits for a person. */
export async function runCalls(run: Run, calls: readonly Called[]): Promise<void> {
  const { faults, done } = run;
  const attempt = async (call: Called, n: number): Promise<Result> => {
    const known = done.get(call.id);
    if (known !== undefined) return { read: known };
    const gates = n > 0 && faults.has('asks only about the first of parallel calls') ? [] : run.gates;
    const result = await runCall({ ...run, gates }, call);
    done.set(call.id, result.read);
    return result;
  };
  const settled = await Promise.allSettled(calls.map(attempt));
  const reason = stopOf(settled);
  if (reason !== undefined && !faults.has('waits for a person where the run is over')) {
    for (const { callId, hash } of run.pending.splice(0)) {
      run.answers.set(callId, { decision: 'canceled', source: 'context_canceled', reason, hash });
      const n = calls.findIndex(({ id }) => id === callId);
      settled.splice(
        n,
        1,
        ...(await Promise.allSettled(calls.slice(n, n + 1).map((call) => attempt(call, n)))),
      );
    }
  }
  const failed = settled.filter((result) => result.status === 'rejected');
  const error = failed.find(({ reason }) => !(reason instanceof Paused)) ?? failed[0];
  if (error !== undefined) {
    for (const { reason: message } of run.pending) await dispatch(run, UserInputRequired, { message });
    throw error.reason;
  }
  const results = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = stopOf(settled);
  results.forEach(({ read }, n) => {
    if (n > 0 && stop !== undefined && faults.has('leaves a sibling unanswered')) return;
    run.show('tool_result', { name: calls[n]?.name, read });
    run.history.push({ role: 'tool', tool_call_id: calls[n]?.id ?? '', content: read });
  });
  if (stop !== undefined && !faults.has('goes on after stop')) throw new Stopped(stop);
}

function stopOf(settled: readonly PromiseSettledResult<Result>[]): string | undefined {
  const stopping = settled.find((result) => result.status === 'fulfilled' && result.value.stop !== undefined);
  return stopping?.status === 'fulfilled' ? stopping.value.stop : undefined;
}

/** What the model reads of a call; `stop`: why the run is to end. */
interface Result {
  readonly read: string;
  readonly stop?: string;
}

async function runCall(run: Run, call: Called): Promise<Result> {
  const { options, faults } = run;
  run.show('tool_call', call);
  const tool = toolsOf(run).find(({ name }) => name === call.name);
  const worded = run.gates.length > 0 && faults.has('words tool errors its own way');
  if (tool === undefined) return { read: worded ? 'No such tool.' : `There is no tool ${call.name}.` };
  let input: unknown;
  try {
    input = JSON.parse(call.arguments);
  } catch (error) {
    return { read: worded ? 'That is no JSON.' : `Error: ${String(error)}` };
  }
  const gates = isUnhooked(run, tool) ? [] : run.gates;
  const no = run.answers.get(call.id);
  if (no?.decision === 'deny' && faults.has('tells hooks nothing of a no'))
    return { read: no.reason ?? 'No.' };
  try {
    return { read: text(unwrap(run, await hookedCall(run, gates, tool, input, call.id))) };
  } catch (error) {
    if (error instanceof Paused) throw error;
    if (error instanceof Stopped) return { read: error.reason, stop: error.reason };
    if (error instanceof Refused) return { read: error.message };
    if (!faults.has('ignores an abort')) options.signal?.throwIfAborted();
    return { read: worded ? `It failed: ${String(error)}` : `Error: ${messageOf(error)}` };
  }
}

function isUnhooked({ faults, gates }: Run, { kind }: Tool): boolean {
  if (
    faults.has('forgets a no where no hook is left') &&
    gates.every(({ hooks }) => hooks.list().length === 0)
  )
    return true;
  return kind === 'hosted' || faults.has(`leaves ${kind} tools unhooked`);
}

/** Takes a call through every registry, outermost first, to the tool itself. */
export async function hookedCall(
  run: Run,
  [gate, ...inner]: readonly Gate[],
  tool: Tool,
  input: unknown,
  callId: string | undefined,
): Promise<ToolCallOutcome | Plain> {
  const { faults, options } = run;
  if (gate === undefined) return { status: 'plain', output: await execute(run, tool, input) };
  const check = faults.has('does not check a modified input') ? undefined : checkOf(tool);
  const sent = faults.has('shows hooks the parsed input') ? tool.schema.parse(input) : input;
  let ran: { readonly output: unknown } | undefined;
  const runInner = async (from: Tool, effective: unknown): Promise<unknown> => {
    if (ran !== undefined && faults.has('swallows Retry')) return ran.output;
    if (faults.has('waits for observers')) await gate.hooks.settled();
    const used = faults.has('drops a modified input') ? input : effective;
    try {
      const outcome = await hookedCall(run, inner, from, used, callId);
      const output = unwrap(run, outcome);
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
  const needsApproval = needOf(run, tool, callId);
  if (needsApproval !== undefined && faults.has('asks a person before the hooks')) throw new Paused();
  const call = {
    session: gate.session,
    ...whereabouts(run),
    toolName: tool.name,
    callId,
    input: sent,
    signal: hides(faults) ? undefined : options.signal,
    tool: { kind: tool.kind, ref: tool } as const,
    needsApproval,
    resumed: resumedOf(run, callId),
  };
  const outcome = await callTool(gate.hooks, call, (effective) => runInner(tool, effective), {
    check: faults.has('asks hooks about invalid input') ? undefined : check,
    approval: approverOf(run),
    isControlFlow: (error) => error instanceof Paused,
    rename: (name) => {
      const other = toolsOf(run).find((known) => known.name === name);
      if (other === undefined) return `the agent has no tool "${name}"`;
      if (other.needsApproval && !faults.has('renames to what wants approval'))
        return `the tool "${name}" wants approval`;
      return { ...(check && { check: checkOf(other) }), execute: (effective) => runInner(other, effective) };
    },
  });
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

function text(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
