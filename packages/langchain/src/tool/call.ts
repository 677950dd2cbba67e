import type { ExecuteOptions, RenameTarget } from '@hooks/core';
import { isThenable } from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';
import { takeBegun } from '../approval/begun-calls.ts';
import { askedOnce } from '../approval/remember.ts';
import { markFrom } from '../blocked.ts';
import type { HookedRun } from '../run/run.ts';
import { Execution, type ExecutionSite, type Start } from './execution.ts';
import { interceptBody } from './intercept.ts';
import { descriptor, isControlFlow } from './result.ts';
import { checkOf } from './schema.ts';
import type { HookableTool } from './tool.ts';

/** Finds another tool of the same agent: the tool, or a text why it cannot be called instead. */
export type FindTool = (name: string) => HookableTool | string;

/** A tool call on its way through core's pipeline. */
export interface HookedCall extends Omit<ExecutionSite, 'options'> {
  readonly approval: ExecutionSite['options']['approval'];
  readonly find: FindTool | undefined;
  readonly run: HookedRun | undefined;
  /** Runs a tool by the framework's own call. */
  readonly start: Start;
  /** What the framework is to get in the place of an error; throws what ends the run. */
  readonly failed: (error: unknown) => unknown;
}

/** Takes a tool call through core's pipeline, and gives what the framework is to get of it. */
export async function callHooked({
  hooks,
  call,
  tool,
  approval,
  between,
  holdStream,
  find,
  run,
  start,
  failed,
}: HookedCall): Promise<unknown> {
  const options = {
    check: checkOf(tool),
    approval: askedOnce(approval),
    isControlFlow,
    begun: takeBegun(call),
    rename:
      find &&
      ((name: string) =>
        renamed(name, find, (target, input, running) => execution.execute(target, input, running, start))),
  };
  const execution: Execution = new Execution({ hooks, call, tool, options, between, holdStream });
  try {
    const outcome = await callTool(
      hooks,
      call,
      (input, running) => execution.execute(tool, input, running, start),
      options,
    );
    if (outcome.stop && run !== undefined) run.stopped = markFrom(outcome);
    const answer =
      outcome.code === 'INVALID_INPUT'
        ? refuseInput(tool, call.input, start, outcome.error)
        : execution.settle(outcome);
    return isThenable(answer) ? await answer : answer;
  } catch (error) {
    await execution.fail(error);
    return failed(error);
  }
}

/** The pipeline's target, where a hook has a call made by another tool. */
function renamed(
  name: string,
  find: FindTool,
  execute: (target: HookableTool, input: unknown, running: ExecuteOptions) => Promise<unknown>,
): RenameTarget | string {
  const target = find(name);
  if (typeof target === 'string') return target;
  const check = checkOf(target);
  return {
    tool: descriptor(target),
    ...(check !== undefined && { check }),
    execute: (input, running) => execute(target, input, running),
  };
}

/** The framework's own answer to an input that its schema refuses; the tool itself cannot be reached. */
async function refuseInput(
  tool: HookableTool | undefined,
  input: unknown,
  start: Start,
  error: unknown,
): Promise<unknown> {
  const closed =
    tool &&
    interceptBody(tool, () => () => {
      throw error;
    });
  if (closed === undefined) throw error;
  return start(closed, input);
}
