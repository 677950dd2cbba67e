import type { InvalidInput, ToolCallOutcome } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import type { z } from 'zod';
import type { ToolSpec } from '../../src/index.ts';
import type { Spoken } from './model.ts';
import { type Gate, type Run, Stopped } from './run.ts';

type Called = Spoken['toolCalls'][number];

/** Runs the calls of a turn, all at once, and answers each in the history. */
export async function runCalls(run: Run, calls: readonly Called[]): Promise<void> {
  const { faults } = run;
  const results = await Promise.all(
    calls.map((call, n) => {
      const gates = n > 0 && faults.has('asks only about the first of parallel calls') ? [] : run.gates;
      return runCall({ ...run, gates }, call);
    }),
  );
  const stop = results.find((result) => result.stop !== undefined)?.stop;
  results.forEach(({ read }, n) => {
    if (n > 0 && stop !== undefined && faults.has('leaves a sibling unanswered')) return;
    run.show('tool_result', { name: calls[n]?.name, read });
    run.history.push({ role: 'tool', tool_call_id: calls[n]?.id ?? '', content: read });
  });
  if (stop !== undefined && !faults.has('goes on after stop')) throw new Stopped(stop);
}

/** What the model reads of a call; `stop`: why the run is to end. */
interface Result {
  readonly read: string;
  readonly stop?: string;
}

async function runCall(run: Run, call: Called): Promise<Result> {
  const { options, faults } = run;
  run.show('tool_call', call);
  const tool = run.spec.tools.find(({ name }) => name === call.name);
  if (tool === undefined) return { read: `There is no tool ${call.name}.` };
  let input: unknown;
  try {
    input = JSON.parse(call.arguments);
  } catch (error) {
    return { read: `Error: ${String(error)}` };
  }
  try {
    return { read: text(unwrap(run, await hookedCall(run, run.gates, tool, input, call.id))) };
  } catch (error) {
    if (error instanceof Stopped) return { read: error.reason, stop: error.reason };
    if (error instanceof Refused) return { read: error.message };
    if (!faults.has('ignores an abort')) options.signal?.throwIfAborted();
    const worded = run.gates.length > 0 && faults.has('words tool errors its own way');
    return { read: worded ? `It failed: ${String(error)}` : `Error: ${messageOf(error)}` };
  }
}

/** Takes a call through every registry, outermost first, to the tool itself. */
export async function hookedCall(
  run: Run,
  [gate, ...inner]: readonly Gate[],
  tool: ToolSpec,
  input: unknown,
  callId: string | undefined,
): Promise<ToolCallOutcome | Plain> {
  const { faults, options, spec } = run;
  if (gate === undefined) return { status: 'plain', output: await execute(run, tool, input) };
  const check = faults.has('does not check a modified input') ? undefined : checkOf(tool);
  let ran: { readonly output: unknown } | undefined;
  const runInner = async (from: ToolSpec, effective: unknown): Promise<unknown> => {
    if (ran !== undefined && faults.has('swallows Retry')) return ran.output;
    const used = faults.has('drops a modified input') ? input : effective;
    const outcome = await hookedCall(run, inner, from, used, callId);
    const output = unwrap(run, outcome);
    ran = { output };
    if (faults.has('streams the output before hooks saw it')) run.show('tool_output', output);
    if (faults.has('keeps the raw output in memory'))
      run.history.push({ role: 'system', content: text(output) });
    return output;
  };
  const call = {
    session: gate.session,
    agent: spec.name,
    run: faults.has('forgets a run’s metadata') ? undefined : run.id,
    toolName: tool.name,
    callId,
    input,
    signal: faults.has('ignores an abort') ? undefined : options.signal,
    tool: { kind: 'function', ref: tool } as const,
  };
  const outcome = await callTool(gate.hooks, call, (effective) => runInner(tool, effective), {
    check: faults.has('asks hooks about invalid input') ? undefined : check,
    rename: (name) => {
      const other = spec.tools.find((known) => known.name === name);
      if (other === undefined) return `the agent has no tool "${name}"`;
      return { check: checkOf(other), execute: (effective) => runInner(other, effective) };
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

async function execute(run: Run, tool: ToolSpec, input: unknown): Promise<unknown> {
  const parsed = await tool.schema.safeParseAsync(input);
  if (!parsed.success) throw invalid(parsed.error);
  if (!run.faults.has('ignores an abort')) run.options.signal?.throwIfAborted();
  return tool.execute(parsed.data as never, { signal: run.options.signal });
}

function checkOf(tool: ToolSpec): (input: unknown) => Promise<InvalidInput | undefined> {
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
